"""Measures equilibria of rounds of Romans Go Home! between two players, and the regret of agents' plans.

    python -m recipes.equilibria regret greedy      # a minute an agent; legate takes one a round
    python -m recipes.equilibria lines              # solves rounds over all lines: minutes a round, and 2 GB
    python -m recipes.equilibria page               # writes their table into docs/research/round_equilibria.md

Results that are already in lines.json are not measured again.
"""

from __future__ import annotations

from pathlib import Path

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
@click.option("--games", type=click.IntRange(min=2), default=4, show_default=True, help="Number of games.")
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
@click.option("--games", default=1, show_default=True, help="Number of games, with three rounds each.")
def lines(games: int) -> None:
    """Solve the rounds that have no result yet, over all lines, and print all results."""
    results = complete(measured.LINES, ("seed", "round"), measured.rounds_of(games), measured.over_lines)
    click.echo(measured.table_of_lines(results))


@main.command()
@click.option("--page", type=click.Path(path_type=Path), default=PAGE, help="The page to write into.")
def page(page: Path) -> None:
    """Write the table of all results into its page."""
    write_generated(page, "recipes.equilibria lines", measured.table_of_lines(kept(measured.LINES)))


if __name__ == "__main__":
    main(prog_name="python -m recipes.equilibria")
