"""Ratings from wins: a Plackett-Luce model with a Bayesian bootstrap, and tests of the differences.

Entry i wins a game with probability s_i g_i / sum_k s_k g_k, where g is the strength and s the number of seats (Luce
1959; the first choice of Plackett 1975; for two players, Bradley and Terry 1952). A win shared by k counts 1/k. The
rating is 400 log10 g, Elo's scale: 400 points more mean ten times the strength.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from romans_training.compare.tournament.comparison import TournamentComparison
from romans_training.measure.intervals import LEVEL, Estimate

Array = npt.NDArray[np.float64]
PRIOR = 0.5
"""Number of fictitious wins of every entry, in deals, spread over its line-ups. They keep the ratings finite for
entries that always or never lose. For two entries on two seats this is Jeffreys' prior."""
SAMPLES = 1000
ELO = 400.0 / np.log(10.0)
"""Elo points per unit of the natural logarithm of strength."""
_BATCH = 200
_TOLERANCE = 1e-8
_LONGEST_STEP = 3.0
_MOST_ROUNDS, _MOST_HALVINGS = 200, 40


class Difference(NamedTuple):
    """The difference between the ratings of two entries.

    Attributes:
        better: index of the entry with the higher rating.
        worse: index of the other one.
        elo: the difference, with its interval.
        p: two-sided p-value of the hypothesis that there is no difference.
        is_significant: whether it is significant at 95 % over all pairs, by Holm's correction (1979).
    """

    better: int
    worse: int
    elo: Estimate
    p: float
    is_significant: bool


class EloRatings(NamedTuple):
    """The ratings of all entries.

    Attributes:
        elo: one rating per entry.
        differences: one difference per pair.
    """

    elo: tuple[Estimate, ...]
    differences: tuple[Difference, ...]


def ratings_of(
    comparisons: Sequence[TournamentComparison], num_entries: int, samples: int = SAMPLES, seed: int = 0
) -> EloRatings:
    """Fit ratings with mean 0, their 95 % intervals, and all differences.

    Unlike on the scale of ``romans benchmark``, where random is 0, no entry is the zero point, so that the two scales
    are not confused.

    Intervals come from the Bayesian bootstrap (Rubin 1981): the deals, which are the clusters, get random weights, the
    same in all line-ups, and so do the prior's wins. Thus the interval of an entry that never lost extends far up;
    resampling its deals, all of them won, would give no interval at all.

    Args:
        comparisons: wins by deal; line-ups may have played different numbers of deals.
        num_entries: the number of entries.
        samples: the number of bootstrap samples.
        seed: seed of the random weights.
    """
    seats = np.zeros((len(comparisons), num_entries))
    for k, comparison in enumerate(comparisons):
        seats[k, list(comparison.entries)] = comparison.seats
    most_deals = max(len(comparison.wins) for comparison in comparisons)
    wins, games = _totals(comparisons, num_entries, np.ones((1, most_deals)))
    prior = PRIOR * seats / seats.sum(axis=0)
    first = fitted_strengths(wins + prior.sum(axis=0), games + prior.sum(axis=1), seats)
    point = ELO * first[0]
    rng = np.random.default_rng(seed)
    drawn = []
    for start in range(0, samples, _BATCH):
        count = min(_BATCH, samples - start)
        wins, games = _totals(comparisons, num_entries, rng.exponential(size=(count, most_deals)))
        before = rng.gamma(prior, size=(count, *prior.shape))
        strengths = fitted_strengths(wins + before.sum(axis=1), games + before.sum(axis=2), seats, first)
        drawn.append(ELO * strengths)
    sampled = np.concatenate(drawn)
    return EloRatings(
        elo=tuple(percentiles(point[k], sampled[:, k]) for k in range(num_entries)),
        differences=_differences(point, sampled),
    )


def fitted_strengths(wins: Array, games: Array, seats: Array, start: Array | None = None) -> Array:
    """Return maximum likelihood strengths by Newton's method, for many data sets at once.

    The log-likelihood is concave in log strengths. Newton's method, with steps halved while they do not increase the
    likelihood, takes a dozen iterations where minorisation-maximisation (Hunter 2004) may take ten thousand, namely if
    some entries hardly ever win.

    Args:
        wins: wins of every entry, all above 0: float64, shape ``(data sets, entries)``.
        games: games of every line-up: float64, shape ``(data sets, line-ups)``; the sums of games and wins are equal in
            each data set.
        seats: seats of an entry in a line-up, 0 if it does not take part: float64, shape ``(line-ups, entries)``.
        start: initial log strengths, broadcastable to the shape of ``wins``; None for equal ones.

    Returns:
        Log strengths with mean 0: float64, shape ``(data sets, entries)``.
    """
    strengths = np.zeros_like(wins) if start is None else np.broadcast_to(start, wins.shape).copy()
    going = np.arange(len(wins))
    for _ in range(_MOST_ROUNDS):
        now, won, played = strengths[going], wins[going], games[going]
        parts = seats * np.exp(now)[:, None, :]
        parts /= parts.sum(axis=2, keepdims=True)
        expected = played[:, :, None] * parts
        # The likelihood is constant if all strengths grow alike; a constant in that direction makes the matrix regular.
        curvature = (1.0 / wins.shape[1]) - expected.transpose(0, 2, 1) @ parts
        curvature += np.eye(wins.shape[1]) * expected.sum(axis=1)[:, None, :]
        step = np.linalg.solve(curvature, (won - expected.sum(axis=1))[:, :, None])[:, :, 0]
        step *= np.minimum(1.0, _LONGEST_STEP / np.abs(step).max(axis=1, keepdims=True).clip(min=1e-300))
        before = _log_likelihood(now, won, played, seats)
        for _ in range(_MOST_HALVINGS):
            falls = _log_likelihood(now + step, won, played, seats) < before - 1e-9 * np.abs(before)
            if not falls.any():
                break
            step[falls] /= 2
        strengths[going] = now + step
        going = going[np.abs(step).max(axis=1) > _TOLERANCE]
        if not going.size:
            break
    return np.asarray(strengths - strengths.mean(axis=1, keepdims=True))


def _log_likelihood(strengths: Array, wins: Array, games: Array, seats: Array) -> Array:
    return np.asarray((wins * strengths).sum(axis=1) - (games * np.log(np.exp(strengths) @ seats.T)).sum(axis=1))


def holm(p_values: Sequence[float]) -> list[bool]:
    """Return which of several hypotheses are rejected at family-wise level ``1 - LEVEL`` (Holm 1979)."""
    order = np.argsort(p_values, kind="stable")
    limits = (1 - LEVEL) / np.arange(len(order), 0, -1)
    rejected = np.zeros(len(order), dtype=bool)
    rejected[order] = np.logical_and.accumulate(np.asarray(p_values)[order] <= limits)
    return rejected.tolist()


def _totals(comparisons: Sequence[TournamentComparison], num_entries: int, weights: Array) -> tuple[Array, Array]:
    """Return wins of entries, shape (samples, entries), and games of line-ups, shape (samples, line-ups), in deals."""
    wins = np.zeros((len(weights), num_entries))
    games = np.zeros((len(weights), len(comparisons)))
    for k, comparison in enumerate(comparisons):
        of_deals = weights[:, : len(comparison.wins)]
        wins[:, list(comparison.entries)] += of_deals @ comparison.wins
        games[:, k] = of_deals.sum(axis=1)
    return wins, games


def percentiles(point: float, sampled: Array) -> Estimate:
    """Return a point estimate with the 95 % percentile interval of its bootstrap samples.

    Args:
        point: the estimate.
        sampled: bootstrap samples, float64, shape ``(samples,)``.
    """
    low, high = np.quantile(sampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(point), min(float(low), float(point)), max(float(high), float(point)))


def _differences(point: Array, sampled: Array) -> tuple[Difference, ...]:
    found = []
    for a, b in combinations(range(len(point)), 2):
        better, worse = (a, b) if point[a] >= point[b] else (b, a)
        difference = sampled[:, better] - sampled[:, worse]
        elo = percentiles(point[better] - point[worse], difference)
        found.append(Difference(better, worse, elo, _p_value(difference), False))
    rejected = holm([difference.p for difference in found])
    return tuple(
        difference._replace(is_significant=significant) for difference, significant in zip(found, rejected, strict=True)
    )


def _p_value(sampled: Array) -> float:
    """Return the two-sided p-value of a difference from its bootstrap.

    A thousand samples cannot resolve the small p-values that many comparisons need. The tail is therefore assumed to be
    normal, with the width of the samples on the side of 0, such that the p-value is below 0.05 exactly if the
    percentile interval does not contain 0.
    """
    low, middle, high = np.quantile(sampled, [(1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2])
    width = middle - low if middle > 0 else high - middle
    return float(2 * stats.norm.sf(stats.norm.ppf((1 + LEVEL) / 2) * abs(middle) / width))
