"""How the strength of `round-ismcts` grows with iterations, and how many it makes in a second on one core.

``python -m benchmarks.search_strength`` plays it against `schemer` on 2+0, prints the table of
docs/romans_go_home_agents.md and draws its picture. It takes about ten minutes on an idle core.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
from matplotlib.figure import Figure

import romans_agents
from romans_agents.romans_go_home.round_ismcts import RoundISMCTSAgent
from romans_env import Game, RomansGoHome, Table
from romans_env.files import write_text
from romans_training.evaluation import evaluate
from romans_training.figures import save_figure, styled
from romans_training.reporting import in_percent, markdown_grid, print_whole

ITERATIONS = (100, 1000, 10000)
OPPONENT = "schemer"
DOCS = Path(__file__).resolve().parents[1] / "docs"


@click.command()
@click.option(
    "--deals", type=click.IntRange(min=2), default=100, show_default=True, help="Deals, each played from both seats."
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    default=DOCS / "search.png",
    show_default=True,
    help="Where to draw the picture (.png or .svg).",
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the results to this file, too.")
def main(deals: int, picture: Path, json_file: Path | None) -> None:
    """Measure, print and draw."""
    measured = [_measured(number, deals) for number in ITERATIONS]
    grid = markdown_grid((), ("iterations", f"win rate % against {OPPONENT}", "iterations/s", "ms a decision"))
    for row in measured:
        grid.add_row(
            f"{row['iterations']:,}",
            in_percent(row["win_rate"]),
            f"{row['iterations_per_second']:,.0f}",
            f"{row['milliseconds']:.2g}",
        )
    print_whole(grid)
    draw(measured, picture)
    if json_file is not None:
        write_text(json_file, json.dumps(measured, indent=2) + "\n")


def _measured(iterations: int, deals: int) -> dict[str, Any]:
    agent = RoundISMCTSAgent(iterations=iterations)
    pace, milliseconds = _pace(agent)
    result = evaluate(agent, [romans_agents.make(OPPONENT)], Table(2, 0), deals, seed=7)
    return {
        "iterations": iterations,
        "iterations_per_second": pace,
        "milliseconds": milliseconds,
        "win_rate": result.win_rate,
    }


def _pace(agent: RoundISMCTSAgent) -> tuple[float, float]:
    """Iterations a second and milliseconds a decision, over the decisions of a game played by `greedy`."""
    game, greedy = Game(RomansGoHome(Table(2, 0)), seed=3), romans_agents.make("greedy")
    agent.act(game.view(0))
    iterations, seconds, decisions = 0, 0.0, 0
    while not game.is_over:
        view = game.view(game.agent_to_act or 0)
        start = time.perf_counter()
        agent.search(view)
        seconds += time.perf_counter() - start
        iterations += agent.last_iterations
        decisions += 1
        game.act(greedy.act(view))
    return iterations / seconds, 1000 * seconds / decisions


@styled
def draw(measured: list[dict[str, Any]], path: Path) -> None:
    """The win rate by iterations."""
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    mean, low, high = 100 * np.array([row["win_rate"] for row in measured]).T
    iterations = [row["iterations"] for row in measured]
    axes.errorbar(iterations, mean, yerr=[mean - low, high - mean], marker="o")
    axes.axhline(50, color="grey", linestyle=":")
    axes.set(xscale="log", xlabel="iterations a decision", ylabel="games won, %", ylim=(0, 100))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_title(f"round-ismcts against {OPPONENT}, 2+0, with 95 % intervals")
    save_figure(figure, path)


if __name__ == "__main__":
    main()
