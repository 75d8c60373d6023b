"""Tournament ratings compared with ratings from the exact win shares, and the coverage of their intervals.

    python -m benchmarks.openspiel.ratings              # 200 tournaments of six policies, of Kuhn and of Leduc poker

The true strengths maximise the likelihood of the exact shares, and are found here by an optimiser of scipy.
Measurements that are in the file are not repeated.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
import pyspiel
from scipy import optimize

from benchmarks.openspiel.repeated import repeated_command
from benchmarks.openspiel.tabular import TabularAgent, expected, policies
from romans_env.core.games import spec_of
from romans_training import tournament

FILE = Path(__file__).with_suffix(".json")
ENTRIES = ("cfr-7", "cfr-4", "uniform", "random-0", "random-3", "random-4")


def exact_shares(game: Any, own: Any, other: Any) -> float:
    """Return the exact win share of a policy against another one over both seats; a draw is half a win."""

    start = game.new_initial_state()
    first = expected(start, [own, other], lambda end: 0.5 + 0.5 * np.sign(end.player_return(0)))
    second = expected(start, [other, own], lambda end: 0.5 + 0.5 * np.sign(end.player_return(1)))
    return float(first + second) / 2


def exact_ratings(shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the Elo ratings with mean 0 that maximise the likelihood of win shares (Bradley and Terry 1952).

    Args:
        shares: the win share of each row against each column: float64, shape ``(policies, policies)``.

    Returns:
        float64, shape ``(policies,)``.
    """
    first, second = np.triu_indices(len(shares), 1)
    won = shares[first, second]

    def surprise(strengths: npt.NDArray[np.float64]) -> float:
        difference = strengths[first] - strengths[second]
        return float((won * np.logaddexp(0, -difference) + (1 - won) * np.logaddexp(0, difference)).sum())

    found = optimize.minimize(surprise, np.zeros(len(shares)), method="BFGS", options={"gtol": 1e-9}).x
    return np.asarray(400 / np.log(10) * (found - found.mean()))


def measured(name: str, repetitions: int, deals: int) -> dict[str, Any]:
    """Return how the ratings of tournaments are distributed around the exact ones.

    Args:
        name: the name of the game.
        repetitions: the number of tournaments.
        deals: the number of deals of each pair, played from both seats.

    Returns:
        ``exact`` ratings by agent; their ``mean`` over the tournaments and its ``error`` (95 %); ``held``, the share of
        the ratings' intervals that contain the exact rating; ``differences``, the same for differences of pairs;
        ``wrong``, the share of tournaments that call a difference with the wrong sign significant; and ``half_width``,
        the mean half width of a rating's interval.
    """
    game = pyspiel.load_game(name)
    chosen = dict(policies(game, 12))
    shares = np.full((len(ENTRIES), len(ENTRIES)), 0.5)
    for one, other in itertools.permutations(range(len(ENTRIES)), 2):
        shares[one, other] = exact_shares(game, chosen[ENTRIES[one]], chosen[ENTRIES[other]])
    exact = dict(zip(ENTRIES, exact_ratings(shares), strict=True))
    rules = spec_of(f"openspiel:{name}").make_rules(returns="points")
    agents = [TabularAgent(chosen[entry], entry) for entry in ENTRIES]
    found: dict[str, list[Any]] = {entry: [] for entry in ENTRIES}
    held, wrong = [], 0
    for seed in range(repetitions):
        result = tournament(agents, rules, deals, seed=seed)
        for standing in result.standings:
            found[standing.label].append(standing.elo)
        misjudged = False
        for one in result.differences:
            truth = exact[one.better] - exact[one.worse]
            held.append(one.elo.low <= truth <= one.elo.high)
            misjudged |= one.is_significant and truth < 0
        wrong += misjudged
    means = {entry: np.array([elo.mean for elo in elos]) for entry, elos in found.items()}
    row = {
        "game": name,
        "repetitions": repetitions,
        "deals": deals,
        "exact": {entry: float(rating) for entry, rating in exact.items()},
        "mean": {entry: float(elos.mean()) for entry, elos in means.items()},
        "error": {entry: float(1.96 * elos.std() / np.sqrt(repetitions)) for entry, elos in means.items()},
        "held": float(np.mean([elo.low <= exact[entry] <= elo.high for entry, elos in found.items() for elo in elos])),
        "differences": float(np.mean(held)),
        "wrong": float(wrong / repetitions),
        "half_width": float(np.mean([(elo.high - elo.low) / 2 for elos in found.values() for elo in elos])),
    }
    click.echo(row)
    return row


main = repeated_command(measured, FILE, repetitions=200)

if __name__ == "__main__":
    main()
