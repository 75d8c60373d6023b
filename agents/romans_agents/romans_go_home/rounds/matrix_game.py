"""Two-player zero-sum games with types, solved by regret matching."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class BayesianPlayer(NamedTuple):
    """A player with private types, each of which has its own strategies.

    Attributes:
        types: the type of each strategy, counted from 0: int64, shape ``(n,)``.
        chances: the probability of each type: float64, shape ``(num_types,)``.
    """

    types: npt.NDArray[np.int64]
    chances: Floats


def solve(
    payoffs: Floats,
    rows: BayesianPlayer,
    columns: BayesianPlayer,
    num_iterations: int,
    habit: Floats | None = None,
    trust: float = 0.0,
) -> tuple[Floats, Floats]:
    """Compute mixed strategies of both players that are close to an equilibrium.

    The algorithm is regret matching with clipped regrets, alternating updates, and averages weighted by the iteration
    (CFR+, Tammelin 2014). Types are drawn independently; a player knows its own type, but not the other's.

    Args:
        payoffs: the gains of the row player, which the column player loses: float64, shape ``(n, m)``.
        rows: the row player.
        columns: the column player.
        num_iterations: the number of iterations, at least 1.
        habit: a fixed mixed strategy of the column player: the probability of each strategy, over all types, float64,
            shape ``(m,)``, which sum to 1; None without one.
        trust: the probability that the column player follows its habit; otherwise it plays freely (restricted Nash
            response: Johanson, Zinkevich and Bowling 2008). With 1, the row player computes a best response to the
            habit; with 0, the habit is ignored.

    Returns:
        The probability of each strategy given its type, of the row player, float64, shape ``(n,)``, and of the column
        player when it plays freely, float64, shape ``(m,)``.
    """
    tables = payoffs, np.ascontiguousarray(-payoffs.T)
    iterations = regret_matching(lambda seat, weights: tables[seat] @ weights, (rows, columns), habit, trust)
    return next(islice(iterations, num_iterations - 1, None))


def regret_matching(
    values_of: Callable[[int, Floats], Floats],
    sides: tuple[BayesianPlayer, BayesianPlayer],
    habit: Floats | None = None,
    trust: float = 0.0,
) -> Iterator[tuple[Floats, Floats]]:
    """Run regret matching without end, as `solve` does, for payoffs that a function computes.

    Args:
        values_of: called with a player, 0 or 1, and the probabilities of the other player's strategies, float64;
            returns the value of each strategy of the player, float64.
        sides: the two players.
        habit: the habit of player 1, as for `solve`.
        trust: the probability that player 1 follows its habit.

    Yields:
        The average strategies of both players after each iteration, float64, shapes ``(n,)`` and ``(m,)``.
    """
    regrets = [np.zeros(len(side.types)) for side in sides]
    mixes = [matched(regret, side) for regret, side in zip(regrets, sides, strict=True)]
    sums = [np.zeros(len(side.types)) for side in sides]
    for iteration in count(1):
        for k, side in enumerate(sides):
            other, mix = sides[1 - k], mixes[1 - k]
            weights = other.chances[other.types] * mix
            if k == 0 and habit is not None:
                weights = trust * habit + (1 - trust) * weights
            values = values_of(k, weights)
            means = np.bincount(side.types, mixes[k] * values, len(side.chances))
            regrets[k] = np.maximum(regrets[k] + values - means[side.types], 0.0)
            mixes[k] = matched(regrets[k], side)
            sums[k] += iteration * mixes[k]
        yield matched(sums[0], sides[0]), matched(sums[1], sides[1])


def matched(weights: Floats, side: BayesianPlayer) -> Floats:
    """Normalise weights within each type; a type whose weights are all 0 gets the uniform distribution.

    Args:
        weights: float64, shape ``(n,)``, at least 0.
        side: the player.

    Returns:
        Probabilities given the type: float64, shape ``(n,)``.
    """
    totals = np.bincount(side.types, weights, len(side.chances))[side.types]
    sizes = np.bincount(side.types, minlength=len(side.chances))[side.types]
    return np.where(totals > 0.0, weights / np.where(totals > 0.0, totals, 1.0), 1.0 / sizes)
