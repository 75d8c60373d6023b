"""A rating from games against opponents of known strengths.

An agent of strength g wins against k copies of an opponent with probability g / (g + k h), where h is the strength of
one such copy (Luce 1959; with one opponent Bradley and Terry 1952). Ratings are linear in log g. With equally many
games against every opponent, the maximum likelihood rating is the one for which the mean of these probabilities is the
mean win share. The ends of the win share's interval give the ends of the rating's interval in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq

from romans_training.measure.intervals import Estimate

_FARTHEST = 60.0
"""Largest distance of a rating from the nearest opponent, in log strength."""


class Rating(NamedTuple):
    """A rating and its 95 % interval; a value is None if it has no bound, because the agent always or never wins."""

    mean: float | None
    low: float | None
    high: float | None


def in_points(rating: Rating) -> str:
    """Return a rating in points, such as ``1,003 [985, 1,021]``; a value without a bound is a dash."""
    mean, low, high = ("-" if value is None else f"{value:,.0f}" for value in rating)
    return f"{mean} [{low}, {high}]"


def rating_of(share: Estimate, copies: Sequence[float], num_players: int, unit: float) -> Rating:
    """Return the rating that corresponds to a win share.

    Args:
        share: the win share, averaged over the opponents.
        copies: the strength of each opponent, when its copies have all other seats, on the scale of ratings.
        num_players: the number of players in a game.
        unit: one point of the scale, in natural logarithms of strength.
    """
    strengths = unit * np.asarray(copies, dtype=np.float64)
    return Rating(*(_rating_at(value, strengths, num_players, unit) for value in share))


def expected_share(log_strength: float, strengths: np.ndarray, num_players: int) -> float:
    """Return the expected win share, averaged over opponents.

    Args:
        log_strength: the agent's log strength.
        strengths: the opponents' log strengths, float64, shape ``(opponents,)``.
        num_players: the number of players in a game; copies of one opponent have all seats but one.
    """
    return float(np.mean(1.0 / (1.0 + (num_players - 1) * np.exp(strengths - log_strength))))


def _rating_at(share: float, strengths: np.ndarray, num_players: int, unit: float) -> float | None:
    low, high = float(strengths.min()) - _FARTHEST, float(strengths.max()) + _FARTHEST
    # A variance-reduced share may lie beyond 0 and 1.
    if not (expected_share(low, strengths, num_players) < share < expected_share(high, strengths, num_players)):
        return None
    found: Any = brentq(lambda log_strength: expected_share(log_strength, strengths, num_players) - share, low, high)
    return float(found) / unit
