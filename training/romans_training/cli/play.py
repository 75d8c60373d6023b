"""``romans play``."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import click
from rich.text import Text

import romans_agents
from romans_agents.warm_up import warm_up
from romans_env import Game, replay_page, save_record
from romans_env.core.files import check_writable, in_file_names
from romans_env.core.games import rules_of, spec_of
from romans_env.render.seat_names import SeatNames, short_names
from romans_env.render.text_interface import text_interface_of
from romans_training.cli import options
from romans_training.cli.play_session import Session, ask_for_page
from romans_training.cli.screen import BOARD_COLUMNS, Screen, new_console


@click.command(name="play")
@options.game_option
@options.table_option
@options.extra_options
@click.option(
    "--against",
    type=options.SpecsType(),
    help="Opponents from your left on; one alone takes every other seat.  [default: the game's usual opponent]",
)
@options.number_option("--seat", "Number of your seat, from 0.", 0, least=0)
@click.option("--hint", metavar="AGENT", help="Agent that the command hint asks.  [default: the game's usual opponent]")
@options.number_option("--seed", "Seed of the deal and of the opponents' chance.  [default: a new one]", least=0)
@click.option("--save", type=options.PATH, help="Write the record of the game to this file.")
@options.file_option(
    "--replay", "Write a page that replays the game to this file.  [default: you are asked at the end]", "page"
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str,
    size: str | None,
    against: tuple[str, ...] | None,
    seat: int,
    hint: str | None,
    seed: int | None,
    save: Path | None,
    page: Path | None,
    **_setup: Any,
) -> None:
    """Play in the terminal against agents.

    At every question, ? lists the commands, and explains the cards of a game that describes them.
    """
    for file in (save, page):
        if file is not None:
            check_writable(file)
    table, game_spec = options.setup_of(ctx, size), spec_of(game)
    if seat >= table.num_players:
        raise click.BadParameter(f"the table has the seats 0 to {table.num_players - 1}", param_hint="--seat")
    specs = options.one_for_each(against or (game_spec.default_opponent,), table.num_players - 1, "--against")
    seed = secrets.randbits(32) if seed is None else seed
    played = Game(rules_of(table), seed=seed)
    adviser = romans_agents.make(hint or game_spec.default_opponent, game=game)
    opponents = {
        (seat + 1 + k) % table.num_players: romans_agents.make(spec, game=game) for k, spec in enumerate(specs)
    }
    for other, agent in {**opponents, seat: adviser}.items():
        agent.seed(seed + other)
    agents = {player: opponents[i].name if i in opponents else "human" for i, player in enumerate(played.players)}
    played.agents = agents

    console, text_interface = new_console(), text_interface_of(game)
    seat_names = SeatNames(_names(played, agents), played.players[seat], console.options.ascii_only)
    screen = Screen(console, seat_names)
    title = game_spec.title if str(table) == game_spec.title else f"{game_spec.title}, {table}"
    screen.line(f"{title}, seed {seed}", "bold")
    for line in (*text_interface.aim, *text_interface.rules_text):
        screen.line(line)
    for name in played.rules.seats:
        console.print(Text.assemble(seat_names.label(name), _note(agents.get(name), seat_names.name(name))))
    screen.line("? explains the cards and the commands." if text_interface.help_tables else "? lists the commands.")
    if console.width < BOARD_COLUMNS:
        screen.line(f"Boards are drawn for {BOARD_COLUMNS} columns; this screen has {console.width}, and cuts them.")
    # Compiling takes longest, and shows what it does: it is over before the first question.
    warm_up(table, list(dict.fromkeys([*specs, hint or game_spec.default_opponent])))
    session = Session(played, seat, opponents, adviser, text_interface, screen, seat_names)
    finished = session.run()
    if save is not None:
        save_record(session.game.record(), save)
        click.echo(f"record written to {save}")
    if finished and page is None:
        page = ask_for_page(screen, Path(f"{in_file_names(game)}-{seed}.html"))
    if page is not None:
        check_writable(page)
        replay_page(session.game).save(page)
        click.echo(f"replay page written to {page.resolve()}")
    if not finished:
        click.echo("stopped")


def _names(game: Game, agents: dict[str, str]) -> dict[str, str]:
    """Return what seats are called: players after their agents, others after what the game calls them."""
    neutrals = [seat for seat in game.rules.seats if seat not in agents]
    called = {seat: seat.rstrip("0123456789").rstrip("_") for seat in neutrals}
    short = short_names([*agents.values(), *called.values()])
    return dict(zip([*agents, *neutrals], short, strict=True))


def _note(spec: str | None, name: str) -> str:
    if spec is None:
        return " (plays by rule)"
    # A second agent of a spec is called "greedy #2", which says its spec.
    return "" if spec in (name.partition(" #")[0], "human") else f" ({spec})"
