"""The coverage of 95 % intervals of evaluations: how often they contain the exact value, with and without AIVAT.

    python -m benchmarks.openspiel.coverage             # 1,000 evaluations of 50 deals each of Kuhn and Leduc poker

Measurements that are in the file are not repeated.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np
import pyspiel

from benchmarks.openspiel.repeated import repeated_command
from benchmarks.openspiel.tabular import TabularAgent, exact_value, policies
from romans_env.core.games import spec_of
from romans_training.measure.evaluation import evaluate

FILE = Path(__file__).with_suffix(".json")


def measured(name: str, repetitions: int, deals: int) -> dict[str, Any]:
    """Return the exact value of a policy against another one, and statistics of its evaluations.

    Args:
        name: the name of the game.
        repetitions: the number of evaluations.
        deals: the number of deals in each, played from both seats.

    Returns:
        ``exact``: the value as a share of the largest return. For ``plain`` and ``aivat``: ``held``, the share of
            intervals that contain it; ``mean`` of the estimates, with ``error``, the half width of its 95 % interval;
            and ``half_width``, the mean half width of the intervals.
    """
    game = pyspiel.load_game(name)
    rules = spec_of(f"openspiel:{name}").make_rules(returns="points")
    chosen = dict(policies(game, 12))
    own, other = chosen["cfr-7"], chosen["random-0"]
    agents = TabularAgent(own, "own"), TabularAgent(other, "other")
    exact = exact_value(game, own, other) / game.max_utility()
    row: dict[str, Any] = {"game": name, "repetitions": repetitions, "deals": deals, "exact": exact}
    estimates: dict[str, list[Any]] = {"plain": [], "aivat": []}
    for k in range(repetitions):
        found = evaluate(agents[0], [agents[1]], rules, deals, seed=k, variance_reduction="aivat")
        assert found.reduced is not None
        estimates["plain"].append(found.mean_return)
        estimates["aivat"].append(found.reduced.mean_return)
    for method, kept in estimates.items():
        means, lows, highs = np.array(kept).T
        row[method] = {
            "held": float(((lows <= exact) & (exact <= highs)).mean()),
            "mean": float(means.mean()),
            "error": float(1.96 * means.std() / np.sqrt(repetitions)),
            "half_width": float((highs - lows).mean() / 2),
        }
        click.echo(f"{name}, {method}: {row[method]}, exactly {exact:.4f}")
    return row


main = repeated_command(measured, FILE, repetitions=1000)

if __name__ == "__main__":
    main()
