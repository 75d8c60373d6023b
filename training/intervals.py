"""Estimates with 95 % intervals from games that come in clusters: a deal played once from every seat is one cluster."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy.typing as npt
from scipy import stats

LEVEL = 0.95


class Estimate(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


def mean_of_clusters(values: npt.NDArray[Any]) -> Estimate:
    """Mean with Student's t interval over the cluster means.

    Args:
        values: float, shape (clusters, games of a cluster).
    """
    means = values.mean(axis=1)
    if len(means) < 2:
        return Estimate(float(means.mean()), -math.inf, math.inf)
    half = stats.t.ppf((1 + LEVEL) / 2, len(means) - 1) * means.std(ddof=1) / math.sqrt(len(means))
    return Estimate(float(means.mean()), float(means.mean() - half), float(means.mean() + half))


def rate_of_clusters(events: npt.NDArray[Any]) -> Estimate:
    """Rate of an event with Wilson's interval (1927) at the effective sample size (Korn and Graubard 1998).

    The effective sample size is the number of independent games that would give the variance found between clusters:
    it makes the interval honest for games of the same deal. Wilson's form keeps it within 0 and 1.

    Args:
        events: bool, shape (clusters, games of a cluster).
    """
    num_clusters = len(events)
    rate = float(events.mean())
    spread = float(events.mean(axis=1).var(ddof=1)) / num_clusters if num_clusters > 1 else 0.0
    effective = rate * (1 - rate) / spread if spread > 0 else float(num_clusters)
    z2 = float(stats.norm.ppf((1 + LEVEL) / 2)) ** 2
    centre = (rate + z2 / (2 * effective)) / (1 + z2 / effective)
    half = math.sqrt(z2 * (rate * (1 - rate) / effective + z2 / (4 * effective**2))) / (1 + z2 / effective)
    return Estimate(rate, max(0.0, centre - half), min(1.0, centre + half))
