"""Two-player zero-sum games with types, solved by regret matching."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class BayesianPlayer(NamedTuple):
    """The strategies of a player that has one of several types, each with strategies of its own.

    Attributes:
        types: the type of each strategy, from 0 on: int64, shape (n,).
        chances: the probability of each type: float64, shape (types,).
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
    """Mixtures of both players, close to an equilibrium.

    Regret matching with clipped regrets, alternating updates and averages weighted by the iteration (CFR+, Tammelin
    2014). A player knows its own type, not the other's, and both draw theirs independently.

    Args:
        payoffs: what the rows' player wins and the columns' player loses: float64, shape (n, m).
        rows: of the player who maximises.
        columns: of the other.
        num_iterations: how many.
        habit: what the columns' player does by habit: the probability of each strategy, of sum 1; or None.
        trust: the probability that it acts by habit; else it is free (restricted Nash response: Johanson, Zinkevich
            and Bowling 2008). Of 1, the rows' player answers the habit; of 0, nothing is assumed.

    Returns:
        For each strategy its probability, given its type: float64, shapes (n,) and (m,); of the columns' player where
        it is free.
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
    """As `solve`, with the averages of both players after each iteration, without end.

    Args:
        values_of: what each strategy of a player, 0 or 1, wins against the other's, whose probabilities are given.
        sides: of both players.
        habit: of player 1, as for `solve`.
        trust: in that habit.
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
    """Probabilities in proportion to weights, within each type; even ones where all are 0."""
    totals = np.bincount(side.types, weights, len(side.chances))[side.types]
    sizes = np.bincount(side.types, minlength=len(side.chances))[side.types]
    return np.where(totals > 0.0, weights / np.where(totals > 0.0, totals, 1.0), 1.0 / sizes)
