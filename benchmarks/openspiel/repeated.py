"""The command of a benchmark that repeats measurements in Kuhn and Leduc poker."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from benchmarks.pages import complete

GAMES = ("kuhn_poker", "leduc_poker")


def repeated_command(
    measured: Callable[[str, int, int], dict[str, Any]], file: Path, repetitions: int, deals: int = 50
) -> click.Command:
    """Return a command that runs the measurements that are missing in a file.

    Args:
        measured: ``measured(name, repetitions, deals)`` returns the result for a game.
        file: the file of results.
        repetitions: the default number of repetitions.
        deals: the default number of deals in each.
    """

    @click.command()
    @click.option("--games", multiple=True, default=GAMES)
    @click.option("--repetitions", type=int, default=repetitions)
    @click.option("--deals", type=int, default=deals)
    @click.option("--out", type=click.Path(path_type=Path), default=file)
    def main(games: tuple[str, ...], repetitions: int, deals: int, out: Path) -> None:
        """Measure what is not in the file yet."""
        complete(out, ("game", "repetitions", "deals"), itertools.product(games, [repetitions], [deals]), measured)

    return main
