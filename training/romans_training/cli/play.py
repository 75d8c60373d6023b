"""``romans play``."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import click
from rich.text import Text

import romans_agents
from romans_agents.specs.listing import adviser_of
from romans_agents.warm_up import warm_up
from romans_env import Game, replay_page, save_record
from romans_env.core.files import check_writable, in_file_names
from romans_env.core.games import spec_of
from romans_env.errors import in_one_line
from romans_env.render.seat_names import SeatNames, short_names
from romans_env.render.text_interface import text_interface_of
from romans_training.cli import options
from romans_training.cli.play_session import Session, ask_for_file
from romans_training.cli.screen import BOARD_COLUMNS, Screen, new_console
from romans_training.cli.seating import game_of_record, new_game


@click.command(name="play")
@options.game_option
@options.table_option
@options.extra_options
@click.option(
    "--against",
    type=options.SpecsType(),
    help="Opponents, starting on your left; a single one takes all other seats.  [default: the game's default "
    "opponent]",
)
@options.number_option("--seat", "Number of your seat, from 0.  [default: 0, or your seat in --from]", least=0)
@click.option(
    "--hint",
    metavar="AGENT",
    help="Agent that the hint command asks.  [default: a trained policy, if the game has one]",
)
@options.number_option(
    "--seed", "Seed of the deal and of the opponents' random choices.  [default: a fresh seed]", least=0
)
@options.file_option("--from", "Continue the unfinished game in this record.", "record")
@click.option("--save", type=options.PATH, help="Write the record of the game to this file.")
@options.file_option("--replay", "Write a page that replays the game to this file.  [default: ask at the end]", "page")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str,
    size: str | None,
    against: tuple[str, ...] | None,
    seat: int | None,
    hint: str | None,
    seed: int | None,
    record: Path | None,
    save: Path | None,
    page: Path | None,
    **_setup: Any,
) -> None:
    """Play in the terminal against agents.

    Type ? at any prompt for the commands and, if the game describes its cards, what each card does.
    """
    for file in (save, page):
        if file is not None:
            check_writable(file)
    seed = secrets.randbits(32) if seed is None else seed
    if record is None:
        table = options.setup_of(ctx, size)
        seating = new_game(table, seat or 0, against or (spec_of(game).default_opponent,), seed)
    else:
        _check_options(ctx)
        seating = game_of_record(record, seat, against or (), seed)
        _check_game(ctx, seating.game, record)
    played, name = seating.game, seating.game.rules.name
    adviser = romans_agents.make(hint or adviser_of(name), game=name)
    for other, agent in {**seating.opponents, seating.seat: adviser}.items():
        agent.seed(seed + other)

    console, playing = new_console(), seating.playing()
    seat_names = SeatNames(_names(played, playing), played.players[seating.seat], console.options.ascii_only)
    screen = Screen(console, seat_names)
    _introduce(screen, played, playing, f"seed {seed}" if record is None else f"from {in_one_line(record)}")
    # Compile before the first question: it takes longest, and shows its own progress.
    specs = [*(agent.name for agent in seating.opponents.values()), adviser.name]
    warm_up(played.rules.setup, list(dict.fromkeys(specs)))
    session = Session(played, seating.seat, seating.opponents, adviser, text_interface_of(name), screen, seat_names)
    finished = session.run()
    files = f"{in_file_names(name)}-{seed}"
    if not finished and save is None and session.has_new_choices:
        save = ask_for_file(screen, "s", "saves the game, to continue it later", record or Path(f"{files}.json"))
    if save is not None:
        check_writable(save)
        save_record(session.game.record(), save)
        click.echo(f"record written to {save}")
    if finished and page is None:
        page = ask_for_file(screen, "r", "writes a page that replays the game", Path(f"{files}.html"))
    if page is not None:
        check_writable(page)
        replay_page(session.game).save(page)
        click.echo(f"replay page written to {page.resolve()}")
    if not finished:
        kept = record if save is None and not session.has_new_choices else save
        again = "" if kept is None else f"; continue with: {seating.command(kept)}"
        click.echo(f"stopped{again}")


def _names(game: Game, agents: dict[str, str]) -> dict[str, str]:
    """Return the display names of the seats: players are named after their agents, neutrals as the game names them."""
    neutrals = [seat for seat in game.rules.seats if seat not in agents]
    called = {seat: seat.rstrip("0123456789").rstrip("_") for seat in neutrals}
    short = short_names([*agents.values(), *called.values()])
    return dict(zip([*agents, *neutrals], short, strict=True))


def _check_options(ctx: click.Context) -> None:
    """Refuse options that the record of ``--from`` already decides.

    Raises:
        click.UsageError: if there are any; the message names them.
    """
    of_setup = {"size", "settings", *options.SINGLE_SETTINGS}
    if flags := options.flags_given(ctx, of_setup):
        raise click.UsageError(f"the record of --from already has a setup: leave out {flags}")


def _check_game(ctx: click.Context, game: Game, record: Path) -> None:
    if options.is_given(ctx, "game") and ctx.params["game"] != game.rules.name:
        raise click.UsageError(f"{in_one_line(record)} is a game of {game.rules.name}: leave out --game")


def _introduce(screen: Screen, game: Game, playing: dict[str, str], origin: str) -> None:
    """Print the game's title and aim, and who plays; ``origin`` ends the title, such as ``seed 5``."""
    text_interface, seat_names, console = text_interface_of(game.rules.name), screen.seat_names, screen.console
    setup = text_interface.setup_in_words(game.rules.setup)
    parts = [spec_of(game.rules.name).title, setup, origin]
    screen.line(", ".join(filter(None, parts)), "bold")
    for line in (*text_interface.aim, *text_interface.rules_text):
        screen.line(line)
    for name in game.rules.seats:
        console.print(Text.assemble(seat_names.label(name), _note(playing.get(name), seat_names.name(name))))
    screen.line("? explains the cards and the commands." if text_interface.help_tables else "? lists the commands.")
    if console.width < BOARD_COLUMNS:
        screen.line(f"Boards need {BOARD_COLUMNS} columns; this screen has {console.width}, so they are cut off.")


def _note(spec: str | None, name: str) -> str:
    if spec is None:
        return " (plays by rule)"
    # The second agent of a spec is called "greedy #2", which already shows its spec.
    return "" if spec in (name.partition(" #")[0], "human") else f" ({spec})"
