"""Equilibria of rounds of Romans Go Home! over all lines: how large they are, how they are found, and what is left.

    python -m benchmarks.round_equilibria                                          # prints a table; ten minutes a round
    python -m benchmarks.round_equilibria --page docs/research/round_equilibria.md          # writes it, and the picture

Rounds are those of games between `greedy` players at the table 2+0, as for `recipes.equilibria.plan_regret`. What is in
the file of results is not repeated.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
from matplotlib.figure import Figure

from benchmarks.pages import complete, kept, write_generated
from recipes.equilibria.plan_regret import round_starts
from recipes.equilibria.round_game import RoundGame
from romans_agents.romans_go_home.rounds.matrix_game import Floats, regret_matching
from romans_env import RomansGoHome, Table
from romans_training.figures import colour, save_figure, styled

RESULTS = Path(__file__).with_name("round_equilibria.json")
PICTURE = Path(__file__).parents[1] / "docs" / "round_equilibria.png"
RULES = RomansGoHome(Table(2, 0))
MARKS = 10, 30, 100, 300
"""Iterations after which regrets are taken."""
SAMPLE = 2048
"""Lines of each side whose matrix is taken apart into singular values."""


def rounds_of(games: int) -> list[tuple[int, int]]:
    """The seed of every game and the number of every round, from 1 on."""
    return [(seed, number) for seed in range(games) for number in range(1, len(round_starts(RULES, seed)) + 1)]


def measured(seed: int, number: int) -> dict[str, Any]:
    """Solve a round: a result of the file."""
    root = round_starts(RULES, seed)[number - 1]
    begun = time.perf_counter()
    game = RoundGame.of(root, RULES.setup)
    result: dict[str, Any] = {"seed": seed, "round": number, "matrix_seconds": round(time.perf_counter() - begun, 1)}
    space, rng = game.space, np.random.default_rng(0)
    side = space.side
    result["mirror descent"], solution = _curve(game, game.solutions(), MARKS[:-1])
    matching = regret_matching(game.values_of_plans, (side, side))
    result["regret matching"], _ = _curve(game, matching, MARKS)
    starts = [rng.normal(size=len(side.types)) for _ in range(2)]
    _, other = _curve(game, game.solutions((starts[0], starts[1])), MARKS[2:3])
    weights = [space.weights(mix) for mix in solution]
    result["value"] = float(game.values(0, weights[1]) @ weights[0])
    result["lines"] = [int((one > 1e-4).sum()) for one in weights]
    result["plans_a_hand"] = [_effective(mix, side.types, side.chances) for mix in solution]
    result["distance"] = [
        float(np.abs(one - space.weights(mix)).sum() / 2) for one, mix in zip(weights, other, strict=True)
    ]
    chosen = [rng.choice(len(space.lines), SAMPLE, replace=False) for _ in range(2)]
    energy = np.cumsum(np.linalg.svd(game.matrix[np.ix_(*chosen)].astype(np.float32), compute_uv=False) ** 2)
    result["rank"] = {str(part): int((energy < part * energy[-1]).sum()) + 1 for part in (0.9, 0.99)}
    return result


def _curve(
    game: RoundGame, solutions: Iterator[tuple[Floats, Floats]], marks: tuple[int, ...]
) -> tuple[list[tuple[int, float, float]], tuple[Floats, Floats]]:
    """Iterations, seconds and the mean regret of a seat; and the last solution."""
    curve, seconds, begun = [], 0.0, time.perf_counter()
    for iteration, mixes in enumerate(solutions, 1):
        if iteration in marks:
            seconds += time.perf_counter() - begun
            curve.append((iteration, round(seconds, 1), sum(game.regrets(mixes)) / 2))
            click.echo(f"{curve[-1]}")
            begun = time.perf_counter()
            if iteration == marks[-1]:
                return curve, mixes
    raise AssertionError("solutions have no end")


def _effective(mix: Floats, types: Any, chances: Floats) -> float:
    """The exponential of the entropy of a hand's plans, as a mean over hands."""
    entropies = np.bincount(types, -mix * np.log(np.where(mix > 0.0, mix, 1.0)))
    return float(chances @ np.exp(entropies))


def table(found: list[dict[str, Any]]) -> str:
    """A row for each round."""
    lines = [
        "| game, round | matrix, s | solved, s | regret | value | lines | plans a hand | two starts differ by | "
        "singular values for 90, 99 % |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in found:
        _, seconds, regret = one["mirror descent"][-1]
        rank = one["rank"]
        cells = (
            f"{one['seed']}, {one['round']}",
            f"{one['matrix_seconds']:.0f}",
            f"{seconds:.0f}",
            f"{regret:.4f}",
            f"{one['value'] + 0.0:+.2f}".replace("-0.00", "0.00"),
            ", ".join(map(str, one["lines"])),
            ", ".join(f"{plans:.1f}" for plans in one["plans_a_hand"]),
            f"{np.mean(one['distance']):.2f}",
            f"{rank['0.9']}, {rank['0.99']}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


_MARKS = {1: "o", 2: "s", 3: "^"}
"""By round."""


@styled
def draw(found: list[dict[str, Any]]) -> None:
    """The regret by seconds of both methods, a line for each round of a game."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for number, (method, which) in enumerate((("mirror descent", "last"), ("regret matching", "average"))):
        axes.plot([], [], color=colour(number), label=f"{method}, {which} mixtures")
        for one in found:
            _, seconds, regrets = zip(*one[method], strict=True)
            axes.loglog(seconds, regrets, color=colour(number), marker=_MARKS[one["round"]])
    for number, mark in _MARKS.items():
        axes.plot([], [], linestyle="", marker=mark, color="grey", label=f"round {number}")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("{x:g}")
    axes.set_xlabel("seconds on two cores, after the matrix")
    axes.set_ylabel("regret of a seat (return)")
    axes.legend()
    save_figure(figure, PICTURE)


@click.command()
@click.option("--games", default=2, show_default=True, help="Games, three rounds of each.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, help="The file of results.")
@click.option("--page", type=click.Path(path_type=Path), default=None, help="Write results there, and measure none.")
def main(games: int, results: Path, page: Path | None) -> None:
    """Solve what is not in the file of results yet, and print all of it."""
    if page is not None:
        draw(kept(results))
        write_generated(page, "benchmarks.round_equilibria", table(kept(results)))
        return
    click.echo(table(complete(results, ("seed", "round"), rounds_of(games), measured)))


if __name__ == "__main__":
    main()
