"""How often the intervals of ``romans benchmark`` hold the true share, and how wide they are.

    python -m benchmarks.coverage greedy --opponents random,hoarder,schemer --benchmarks 200 --deals 50

Every benchmark has a seed of its own; the true share is taken to be the mean over all of them.
"""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import click
import numpy as np

from romans_training.leaderboard.protocols import Protocol, protocol_of
from romans_training.leaderboard.result import BenchmarkResult
from romans_training.leaderboard.run import benchmark_steps
from romans_training.tournament.run import returned


def played(agent: str, protocol: Protocol, deals: int) -> BenchmarkResult:
    """One benchmark."""
    with tempfile.TemporaryDirectory() as folder:
        return returned(benchmark_steps(agent, protocol, folder, deals))


@click.command()
@click.argument("agent")
@click.option("--game", default="romans-go-home", show_default=True)
@click.option("--opponents", required=True, help="Of the panel, divided by commas.")
@click.option("--benchmarks", type=click.IntRange(min=2), default=200, show_default=True)
@click.option("--deals", type=click.IntRange(min=4), default=50, show_default=True)
@click.option("--reduction", type=click.Choice(("none", "aivat")), default="none", show_default=True)
def main(agent: str, game: str, opponents: str, benchmarks: int, deals: int, reduction: str) -> None:
    """Benchmark AGENT many times."""
    chosen, whole = opponents.split(","), protocol_of(game)
    panel, copies = ({name: ratings[name] for name in chosen} for ratings in (whole.panel, whole.copies))
    protocol = replace(whole, panel=panel, copies=copies, variance_reduction=reduction)
    seeds = [replace(protocol, seed=1_000_000 + k) for k in range(benchmarks)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(played, [agent] * benchmarks, seeds, [deals] * benchmarks, chunksize=4))
    for what, shares in (
        ("all", [result.share for result in results]),
        *((name, [result.opponents[k].share for result in results]) for k, name in enumerate(chosen)),
    ):
        means, lows, highs = np.array(shares, dtype=float).T
        held = np.mean((lows <= means.mean()) & (means.mean() <= highs))
        print(f"{what}: {100 * means.mean():.1f} %, held by {100 * held:.1f} %, ± {50 * (highs - lows).mean():.1f}")


if __name__ == "__main__":
    main()
