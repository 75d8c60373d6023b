"""A rating from games against opponents whose strengths are known.

An agent of strength g wins against k copies of an opponent with probability g / (g + k h), where h is the strength of
one such copy (Luce 1959; with one opponent Bradley and Terry 1952), and ratings are linear in log g. The rating of
greatest likelihood, with equally many games against every opponent, is the one with which the mean of these
probabilities is the mean share of wins; so the ends of an interval of the share are those of an interval of the rating.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq

from romans_training.measure.intervals import Estimate

_FARTHEST = 60.0
"""In logarithms of strength, from the nearest opponent."""


class Rating(NamedTuple):
    """A rating and its 95 % interval; None where it has no bound: of an agent that always or never wins."""

    mean: float | None
    low: float | None
    high: float | None


def in_points(rating: Rating) -> str:
    """Return a rating in points such as ``1,003 [985, 1,021]``; an end without a bound is a dash."""
    mean, low, high = ("-" if value is None else f"{value:,.0f}" for value in rating)
    return f"{mean} [{low}, {high}]"


def rating_of(share: Estimate, copies: Sequence[float], num_players: int, unit: float) -> Rating:
    """Return the rating that goes with a share of wins.

    Args:
        share: the share of the wins, the mean over the opponents.
        copies: the strengths of the opponents, each with all other seats, on the scale of ratings.
        num_players: the players of a game, of which one is the agent.
        unit: a point of the scale in natural logarithms of strength.
    """
    strengths = unit * np.asarray(copies, dtype=np.float64)
    return Rating(*(_rating_at(value, strengths, num_players, unit) for value in share))


def expected_share(log_strength: float, strengths: np.ndarray, num_players: int) -> float:
    """Return the mean share of wins against opponents of known log strengths."""
    return float(np.mean(1.0 / (1.0 + (num_players - 1) * np.exp(strengths - log_strength))))


def _rating_at(share: float, strengths: np.ndarray, num_players: int, unit: float) -> float | None:
    low, high = float(strengths.min()) - _FARTHEST, float(strengths.max()) + _FARTHEST
    # A share with reduced variance may lie beyond 0 and 1.
    if not (expected_share(low, strengths, num_players) < share < expected_share(high, strengths, num_players)):
        return None
    found: Any = brentq(lambda log_strength: expected_share(log_strength, strengths, num_players) - share, low, high)
    return float(found) / unit
