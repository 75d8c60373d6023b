"""``romans mcp``."""

from __future__ import annotations

from typing import Any

import click

from romans_training.cli.options import SpecsType, extra_options, game_option, number_option, setup_of, table_option


@click.command(name="mcp")
@game_option
@table_option
@extra_options
@click.option(
    "--against",
    type=SpecsType(),
    help="Opponents; a single one takes all other seats.  [default: the game's default opponent]",
)
@number_option(
    "--seed",
    "Seed of all randomness, which makes the series of games repeatable.  [default: a fresh seed]",
    least=0,
)
@click.pass_context
def command(
    ctx: click.Context, /, game: str, size: str | None, against: tuple[str, ...] | None, seed: int | None, **_setup: Any
) -> None:
    """Let an AI assistant play, over the Model Context Protocol on standard input and output.

    The assistant starts the server itself: enter this command in its settings, such as romans mcp --against greedy
    """
    # Imported here because it takes a second.
    from romans_agents.external.text_env import make_text_env
    from romans_training.cli.mcp_server import server_of

    server_of(make_text_env(game, against=against, setup=setup_of(ctx, size)), seed).run("stdio")
