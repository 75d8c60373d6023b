"""``romans replay``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

import romans_agents
from romans_env import Game, Opinion, load_record, replay_page
from romans_env import replay as replayed
from romans_env.games import spec_of
from romans_training.cli.options import TextsType


@click.command(name="replay")
@click.argument("records", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--as", "viewer", help="Tell only what this player may know, such as player_0; without it, everything.")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a page instead that plays the games; it needs nothing else.",
)
@click.option(
    "--agent",
    "texts",
    type=TextsType(),
    help="On the page: whose probabilities are shown at every decision; one for all seats, or one for each.  "
    "[default: the record's agents, where they give probabilities]",
)
def command(records: tuple[Path, ...], viewer: str | None, page: Path | None, texts: tuple[str, ...] | None) -> None:
    """Tell the games in the files RECORDS in words: who captured what, and why.

    The records are played again and checked on the way.
    """
    if texts and page is None:
        raise click.UsageError("--agent shows probabilities on a page; name its file by --html")
    games = [replayed(load_record(record)) for record in records]
    for game in games:
        if viewer is not None and viewer not in game.players:
            raise click.BadParameter(
                f"there is no {viewer!r}; the players are {', '.join(game.players)}", param_hint="--as"
            )
    if page is None:
        for number, game in enumerate(games):
            _tell(game, viewer, records[number] if len(games) > 1 else None)
    else:
        _write(games, viewer, texts, page)


def _tell(game: Game, viewer: str | None, record: Path | None) -> None:
    if record is not None:
        click.echo(f"{record}")
    for player, agent in (game.agents or {}).items():
        click.echo(f"{player}: {agent or '-'}")
    renderer = spec_of(game.rules.name).part("renderer")
    click.echo("\n".join(renderer.story(game, viewer)))
    if not game.is_over:
        click.echo(
            "\n".join(["", "The record stops before the end of the game:", *renderer.position_lines(game, viewer)])
        )


def _write(games: Sequence[Game], viewer: str | None, texts: tuple[str, ...] | None, page: Path) -> None:
    # Imported here: text needs no agents.
    from romans_training.opinions import agents_of, opinions_on

    err = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)

    def pass_over(player: str) -> None:
        err.print(f"no probabilities of {player}: a record loads no files; name its agent by --agent to see them")

    players = [agents_of(game, pass_over) if texts is None else _named(game, texts) for game in games]
    opinions: list[list[Opinion | None]] = []
    for game, named in zip(games, players, strict=True):
        asked = opinions_on(game, named)
        opinions.append(list(track(asked, "asking the agents", len(game.actions), console=err, transient=True)))
    try:
        replay_page(games, viewer, opinions).save(page)
    except OSError as error:
        raise click.BadParameter(f"cannot write {page}: {error.strerror}", param_hint="--html") from None
    err.print(f"written: {page}")


def _named(game: Game, texts: tuple[str, ...]) -> Mapping[str, romans_agents.Agent]:
    if len(texts) not in (1, len(game.players)):
        raise click.BadParameter(
            f"{len(texts)} agents for {len(game.players)} seats; name one, or one for each", param_hint="--agent"
        )
    chosen = texts * len(game.players) if len(texts) == 1 else texts
    return {
        player: romans_agents.make(text, game=game.rules.name)
        for player, text in zip(game.players, chosen, strict=True)
    }
