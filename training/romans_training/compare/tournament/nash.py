"""Ratings that a copy of an agent cannot move: shares of wins against the equilibrium of the field.

The matrix of shares, less a half, is a symmetric zero-sum game in which each side names an agent. Its equilibrium of
the greatest entropy says which agents nobody here beats, and how to mix them; an agent's rating is what it wins against
that mixture, less a half: 0 for an agent of the mixture, less for any other (Nash averaging: Balduzzi, Tuyls, Perolat
and Graepel 2018, "Re-evaluating Evaluation"). A copy of an agent shares the weight of the agent, and no rating of
another moves. With three and four players, the share is that of the wins of one of the two, where both took part.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog, minimize
from scipy.special import expit, logsumexp, softmax

from romans_training.compare.tournament.comparison import Comparison
from romans_training.compare.tournament.ratings import ELO, percentiles
from romans_training.measure.intervals import Estimate

Array = npt.NDArray[np.float64]
SAMPLES = 200
_BATCH = 50


class NashRatings(NamedTuple):
    """The equilibrium of a field of agents.

    Attributes:
        ratings: of every entry, from -0.5 to 0: its share of wins against the equilibrium, less a half.
        weights: of every entry in the equilibrium, from 0 to 1.
        unexplained: the part of the squares of the matrix, less what noise explains, that ratings on one scale leave.
        cycle: three entries, each of which beats the next one, and the last one the first, all by more than chance
            (95 % each): that with the largest smallest share. None: there is none.
    """

    ratings: tuple[Estimate, ...]
    weights: tuple[Estimate, ...]
    unexplained: float
    cycle: tuple[int, int, int] | None

    def in_order(self, entries: Sequence[int]) -> NashRatings:
        """Return the same ratings for the entries in another order."""
        cycle = None if self.cycle is None else tuple(entries.index(k) for k in self.cycle)
        return self._replace(
            ratings=tuple(self.ratings[k] for k in entries),
            weights=tuple(self.weights[k] for k in entries),
            cycle=cast("tuple[int, int, int] | None", cycle),
        )


def nash_ratings_of(
    comparisons: Sequence[Comparison], elo: Sequence[float], samples: int = SAMPLES, seed: int = 0
) -> NashRatings | None:
    """Return the equilibrium of a field, with intervals from the Bayesian bootstrap over deals, as of `ratings`.

    Args:
        comparisons: the wins of all entries.
        elo: the ratings of all entries on Elo's scale, for the part of the matrix that they leave.
        samples: the number of samples of the bootstrap.
        seed: the seed of its weights.

    Returns:
        None where two entries never played together, or neither of them ever won: the matrix has a hole.
    """
    num_entries, num_deals = len(elo), max(len(comparison.wins) for comparison in comparisons)
    matrix = _shares(comparisons, num_entries, np.ones((1, num_deals)))[0]
    if np.isnan(matrix).any():
        return None
    rng = np.random.default_rng(seed)
    sampled = np.concatenate(
        [
            _shares(comparisons, num_entries, rng.exponential(size=(min(_BATCH, samples - first), num_deals)))
            for first in range(0, samples, _BATCH)
        ]
    )
    # A sample in which neither of a pair won says nothing of the pair: it keeps the share of all deals.
    sampled = np.where(np.isnan(sampled), matrix, sampled)
    weights = equilibrium_of(matrix - 0.5)
    drawn = np.array([equilibrium_of(one - 0.5) for one in sampled])
    ratings = np.einsum("sij,sj->si", sampled - 0.5, drawn)
    point = (matrix - 0.5) @ weights
    return NashRatings(
        ratings=tuple(percentiles(point[k], ratings[:, k]) for k in range(num_entries)),
        weights=tuple(percentiles(weights[k], drawn[:, k]) for k in range(num_entries)),
        unexplained=_unexplained(matrix, sampled, np.asarray(elo)),
        cycle=_cycle_in(matrix, np.quantile(sampled, 0.025, axis=0)),
    )


def equilibrium_of(payoffs: Array) -> Array:
    """Return the symmetric zero-sum game's equilibrium of greatest entropy: probabilities, float64, shape (n,).

    A linear program gives the strategies that are played in some equilibrium; where they are, no payoff is below 0
    (Goldman and Tucker 1956). Among the mixtures of these, the one of greatest entropy has the form
    ``softmax(-payoffs.T @ multipliers)``, and its multipliers minimise a convex function.

    Args:
        payoffs: the payoffs of the row, antisymmetric: float64, shape (n, n).
    """
    size = len(payoffs)
    eye, zeros = np.eye(size), np.zeros((size, size))
    # Of any multiple of an equilibrium, as much as possible, up to 1 of each strategy.
    program = linprog(
        np.repeat([0.0, -1.0], size),
        A_ub=np.block([[payoffs, zeros], [-eye, eye]]),
        b_ub=np.zeros(2 * size),
        bounds=[(0.0, None)] * size + [(0.0, 1.0)] * size,
        method="highs",
    )
    played = program.x[size:] > 0.5
    rows = np.vstack([payoffs[np.ix_(played, played)], payoffs[np.ix_(~played, played)]])
    scale = float(np.abs(rows).max()) or 1.0

    def dual(multipliers: Array) -> tuple[float, Array]:
        logits = -multipliers @ rows / scale
        total: Any = logsumexp(logits)
        return float(total), -rows @ softmax(logits) / scale

    bounds = [(None, None)] * int(played.sum()) + [(0.0, None)] * int((~played).sum())
    found: Any = minimize(
        dual,
        np.zeros(size),
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"maxiter": 5000, "maxfun": 10000, "ftol": 1e-15, "gtol": 1e-9},
    )
    weights = np.zeros(size)
    weights[played] = softmax(-found.x @ rows / scale)
    return weights


def _shares(comparisons: Sequence[Comparison], num_entries: int, weights: Array) -> Array:
    """Return the row's share of the row's and column's common wins: shape (samples, entries, entries)."""
    won = np.zeros((len(weights), num_entries, num_entries))
    for comparison in comparisons:
        of_deals = weights[:, : len(comparison.wins)]
        means = of_deals @ (comparison.wins / comparison.seats) / of_deals.sum(axis=1, keepdims=True)
        places = list(comparison.entries)
        won[np.ix_(range(len(weights)), places, places)] += means[:, :, None]
    with np.errstate(invalid="ignore"):
        shares = won / (won + won.swapaxes(1, 2))
    shares[:, range(num_entries), range(num_entries)] = 0.5
    return np.asarray(shares)


def _unexplained(matrix: Array, sampled: Array, elo: Array) -> float:
    pairs = np.triu_indices(len(matrix), 1)
    left = (matrix - expit((elo[:, None] - elo) / ELO))[pairs] ** 2 - sampled.var(axis=0)[pairs]
    whole = ((matrix - 0.5)[pairs] ** 2).sum()
    return float(np.clip(left.sum() / whole, 0.0, 1.0)) if whole > 0 else 0.0


def _cycle_in(matrix: Array, low: Array) -> tuple[int, int, int] | None:
    cycles = [
        (a, *rest)
        for a, b, c in combinations(range(len(matrix)), 3)
        for rest in ((b, c), (c, b))
        if min(low[a, rest[0]], low[rest], low[rest[1], a]) > 0.5
    ]
    smallest = [min(matrix[a, b], matrix[b, c], matrix[c, a]) for a, b, c in cycles]
    return cycles[int(np.argmax(smallest))] if cycles else None
