"""``romans replay``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

import romans_agents
from romans_env import Game, Opinion, load_record, replay_page
from romans_env import replay as replayed
from romans_env.core.files import check_writable
from romans_env.render.renderer import renderer_of
from romans_training.cli.options import PATH, SpecsType, file_option, one_for_each, own_game_option
from romans_training.progress_bars import ProgressBars
from romans_training.reporting import report_console


@click.command(name="replay")
@click.argument("records", type=PATH, nargs=-1, required=True)
@own_game_option
@click.option("--as", "viewer", help="Show only what this player, such as player_0, may know.  [default: everything]")
@file_option("--html", "Write a self-contained page that replays the games, instead of text.", "page")
@click.option(
    "--agent",
    "specs",
    type=SpecsType(),
    help="Agents whose action probabilities the page shows at every decision: one for all seats, or one for each.  "
    "[default: the record's agents, if they have probabilities]",
)
def command(records: tuple[Path, ...], viewer: str | None, page: Path | None, specs: tuple[str, ...] | None) -> None:
    """Print the games in the files RECORDS in words: every action and its effects.

    Every record is replayed and checked first.
    """
    if specs and page is None:
        raise click.UsageError("--agent shows probabilities on a page: name its file with --html")
    if page is not None:
        check_writable(page)
    games = [replayed(load_record(record)) for record in records]
    for game in games:
        if viewer is not None and viewer not in game.players:
            raise click.BadParameter(
                f"there is no {viewer!r}; the players are {', '.join(game.players)}", param_hint="--as"
            )
    if page is None:
        for number, game in enumerate(games):
            _print(game, viewer, records[number] if len(games) > 1 else None)
    else:
        _write(games, viewer, specs, page)


def _print(game: Game, viewer: str | None, record: Path | None) -> None:
    if record is not None:
        click.echo(f"{record}")
    for player, agent in (game.agents or {}).items():
        click.echo(f"{player}: {agent or '-'}")
    renderer = renderer_of(game.rules.name)
    click.echo("\n".join(renderer.story(game, viewer)))
    if not game.is_over:
        click.echo(
            "\n".join(["", "The record stops before the end of the game:", *renderer.position_lines(game, viewer)])
        )


def _write(games: Sequence[Game], viewer: str | None, specs: tuple[str, ...] | None, page: Path) -> None:
    # Imported here, because printing text needs no agents.
    from romans_training.compare.annotations import agents_of, annotations_of

    err = report_console(is_error=True)

    def pass_over(player: str) -> None:
        err.print(
            f"no probabilities for {player}: a record may not load files; name its agent with --agent to see them"
        )

    players = [agents_of(game, pass_over) if specs is None else _named(game, specs) for game in games]
    opinions: list[list[Opinion | None]] = []
    with ProgressBars("decisions") as progress:
        for game, named in zip(games, players, strict=True):
            asked = annotations_of(game, named)
            opinions.append(list(progress.track(asked, len(game.actions), description="asking the agents")))
    replay_page(games, viewer, opinions).save(page)
    err.print(f"written: {page}")


def _named(game: Game, specs: tuple[str, ...]) -> Mapping[str, romans_agents.Agent]:
    chosen = one_for_each(specs, len(game.players), "--agent")
    return {
        player: romans_agents.make(spec, game=game.rules.name)
        for player, spec in zip(game.players, chosen, strict=True)
    }
