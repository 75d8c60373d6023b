"""``romans replay``."""

from __future__ import annotations

from pathlib import Path

import click

from romans_env import load_record
from romans_env import replay as replayed
from romans_env.render.romans_go_home.text import position_lines, transcript


@click.command(name="replay")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--as", "viewer", help="Tell only what this player may know, such as player_0; without it, everything.")
def command(record: Path, viewer: str | None) -> None:
    """Tell the game in the file RECORD in words: who captured what, and why.

    The record is played again and checked on the way.
    """
    game = replayed(load_record(record))
    if viewer is not None and viewer not in game.players:
        raise click.BadParameter(
            f"there is no {viewer!r}; the players are {', '.join(game.players)}", param_hint="--as"
        )
    for player, agent in (game.agents or {}).items():
        click.echo(f"{player}: {agent or '-'}")
    click.echo(transcript(game, viewer), nl=False)
    if not game.is_over:
        click.echo(
            "\n".join(["", "The record stops before the end of the game:", *position_lines(game.position(viewer))])
        )
