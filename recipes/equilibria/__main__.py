"""Equilibria of rounds of Romans Go Home! between two players: how large they are, and how far agents are from them.

    python -m recipes.equilibria regret greedy      # a minute an agent; legate takes one a round
    python -m recipes.equilibria lines              # solves rounds over all lines: minutes a round, and 2 GB
    python -m recipes.equilibria attack             # and with all decisions of the attack: up to an hour a round
    python -m recipes.equilibria page               # writes both tables into docs/research/round_equilibria.md

What is in the files of results is not measured again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from benchmarks.pages import complete, kept, write_generated
from recipes.equilibria import measured
from recipes.equilibria.plan_regret import round_regrets
from romans_training.progress_bars import ProgressBars, compiling_shown
from romans_training.reporting import print_table, say, with_interval

PAGE = Path(__file__).resolve().parents[2] / "docs" / "research" / "round_equilibria.md"


@click.group()
def main() -> None:
    """Measure equilibria of rounds, and the regret of agents' plans."""


@main.command()
@click.argument("agent")
@click.option("--games", type=click.IntRange(min=2), default=4, show_default=True, help="Games whose rounds count.")
def regret(agent: str, games: int) -> None:
    """Print the regret of the plans of AGENT, an agent spec, by round."""
    with ProgressBars("rounds") as progress:
        task = progress.add_task("regret", total=None)

        def show(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        with compiling_shown(progress, task):
            by_number, whole = round_regrets(agent, measured.RULES, games, show)
    say(f"What the best plans win more than those of {agent}, as a return, with 95 % intervals over {games} games:")
    rows = [[f"round {number}", with_interval(one, 3)] for number, one in enumerate(by_number, 1)]
    print_table(("",), ("regret",), [*rows, ["all rounds of a game", with_interval(whole, 3)]])


@main.command()
@click.option("--games", default=1, show_default=True, help="Games, three rounds of each.")
def lines(games: int) -> None:
    """Solve rounds over all lines, those that have no result yet, and print all."""
    _complete(measured.LINES, games, measured.over_lines, measured.table_of_lines)


@main.command()
@click.option("--games", default=1, show_default=True, help="Games, three rounds of each.")
def attack(games: int) -> None:
    """Solve rounds with all decisions of the attack, those that have no result yet, and print all."""
    _complete(measured.ATTACKS, games, measured.with_the_attack, measured.table_of_attacks)


def _complete(
    results: Path,
    games: int,
    measure: Callable[[int, int], dict[str, Any]],
    table: Callable[[list[dict[str, Any]]], str],
) -> None:
    click.echo(table(complete(results, ("seed", "round"), measured.rounds_of(games), measure)))


@main.command()
@click.option("--page", type=click.Path(path_type=Path), default=PAGE, help="Another page to write into.")
def page(page: Path) -> None:
    """Write the tables of all results into their page."""
    write_generated(page, "recipes.equilibria lines", measured.table_of_lines(kept(measured.LINES)))
    write_generated(page, "recipes.equilibria attack", measured.table_of_attacks(kept(measured.ATTACKS)))


if __name__ == "__main__":
    main(prog_name="python -m recipes.equilibria")
