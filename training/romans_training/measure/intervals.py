"""Estimates with 95 % intervals from clustered games; a deal that is played once from every seat is one cluster."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

LEVEL = 0.95
_ROUNDING = 1e-9


class Estimate(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


def plain(value: Any) -> Any:
    """Return a result as plain JSON: named tuples, such as estimates, become objects, and other sequences lists."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value


def mean_of_clusters(values: npt.NDArray[Any]) -> Estimate:
    """Estimate the mean, with Student's t interval over the cluster means.

    Args:
        values: float64, shape ``(clusters, games in a cluster)``.
    """
    return estimate_of_mean(*_over_clusters(values))


def share_of_clusters(values: npt.NDArray[Any]) -> Estimate:
    """Estimate a variance-reduced rate, with `estimate_of_share`'s interval over the cluster means.

    Args:
        values: float64, shape ``(clusters, games in a cluster)``.
    """
    return estimate_of_share(*_over_clusters(values))


def rate_of_clusters(events: npt.NDArray[Any]) -> Estimate:
    """Estimate the rate of an event, with `estimate_of_rate`'s interval.

    Args:
        events: bool, or float64 shares from 0 to 1; shape ``(clusters, games in a cluster)``.
    """
    variance = float(events.mean(axis=1).var(ddof=1)) / len(events) if len(events) > 1 else 0.0
    return estimate_of_rate(float(events.mean()), variance, len(events))


def mean_in_clusters(values: npt.NDArray[Any], clusters: npt.NDArray[Any]) -> Estimate:
    """Estimate the mean over clusters of different sizes, such as the decisions of a deal.

    It is a ratio of two sums, with its variance to first order (delta method) and Student's t interval.

    Args:
        values: float64, shape ``(n,)``; if n is 0, the mean is NaN.
        clusters: the cluster of each value, any integer dtype, shape ``(n,)``.
    """
    return estimate_of_mean(*_ratio_in_clusters(values, clusters))


def rate_in_clusters(events: npt.NDArray[Any], clusters: npt.NDArray[Any]) -> Estimate:
    """Estimate the rate of an event over clusters of different sizes, with `estimate_of_rate`'s interval.

    Args:
        events: bool, or float64 shares from 0 to 1; shape ``(n,)``.
        clusters: the cluster of each event, any integer dtype, shape ``(n,)``.
    """
    rate, variance, num_clusters = _ratio_in_clusters(events, clusters)
    if num_clusters == 0:
        return Estimate(math.nan, math.nan, math.nan)
    return estimate_of_rate(rate, 0.0 if num_clusters == 1 else variance, num_clusters)


def _over_clusters(values: npt.NDArray[Any]) -> tuple[float, float, int]:
    """Return the mean, its variance, and the number of clusters, which have equal sizes."""
    means = values.mean(axis=1)
    return float(means.mean()), float(means.var(ddof=1)) / len(means) if len(means) > 1 else math.inf, len(means)


def _ratio_in_clusters(values: npt.NDArray[Any], clusters: npt.NDArray[Any]) -> tuple[float, float, int]:
    """Return the mean, its variance, and the number of clusters."""
    if not len(values):
        return math.nan, math.inf, 0
    number, sizes = np.unique(clusters, return_inverse=True, return_counts=True)[1:]
    mean = float(np.mean(values, dtype=np.float64))
    errors = np.bincount(number, weights=np.asarray(values, dtype=np.float64)) - mean * sizes
    count = len(sizes)
    variance = float((errors**2).sum()) / len(values) ** 2 * count / (count - 1) if count > 1 else math.inf
    return mean, variance, count


def estimate_of_mean(mean: float, variance: float, num_clusters: float) -> Estimate:
    """Return a mean with Student's t interval.

    Args:
        mean: the mean that was found.
        variance: the variance of ``mean``, estimated between clusters.
        num_clusters: the number of clusters; with fewer than two the interval is infinite.
    """
    if num_clusters < 2:
        return Estimate(mean, -math.inf, math.inf)
    half = float(special.stdtrit(num_clusters - 1, (1 + LEVEL) / 2)) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half)


def widened(estimate: Estimate, num_clusters: int, comparisons: int) -> Estimate:
    """Widen an interval of `estimate_of_mean` so that ``comparisons`` of them hold jointly at 95 % (Bonferroni)."""
    if num_clusters < 2 or comparisons == 1:
        return estimate
    level, freedom = 1 - (1 - LEVEL) / comparisons, num_clusters - 1
    factor = float(special.stdtrit(freedom, (1 + level) / 2) / special.stdtrit(freedom, (1 + LEVEL) / 2))
    half = factor * (estimate.high - estimate.mean)
    return Estimate(estimate.mean, estimate.mean - half, estimate.mean + half)


def estimate_of_rate(rate: float, variance: float, num_clusters: float, level: float = LEVEL) -> Estimate:
    """Return a rate with Wilson's interval (1927) at the effective sample size (Korn and Graubard 1998).

    The effective sample size is the number of independent games that would have the variance found between clusters,
    reduced if there are too few clusters to know that variance well. It accounts for games of the same deal being
    correlated. Wilson's form keeps the interval within 0 and 1. If clusters did not differ at all, the effective sample
    size is the number of clusters.

    Args:
        rate: the rate that was found, from 0 to 1.
        variance: the variance of ``rate``, estimated between clusters.
        num_clusters: the number of clusters.
        level: the confidence level of the interval.
    """
    z2 = float(special.ndtri((1 + level) / 2)) ** 2
    effective = float(num_clusters)
    # The means of equal clusters may differ by rounding errors.
    if variance > _ROUNDING**2:
        t2 = float(special.stdtrit(num_clusters - 1, (1 + level) / 2)) ** 2
        effective = rate * (1 - rate) / variance * z2 / t2
    centre = (rate + z2 / (2 * effective)) / (1 + z2 / effective)
    half = math.sqrt(z2 * (rate * (1 - rate) / effective + z2 / (4 * effective**2))) / (1 + z2 / effective)
    return Estimate(rate, max(0.0, centre - half), min(1.0, centre + half))


def estimate_of_share(share: float, variance: float, num_clusters: float) -> Estimate:
    """Return a variance-reduced rate, which may lie beyond 0 and 1, with Student's t interval.

    If clusters did not differ at all, for instance because everything was won, the interval is `estimate_of_rate`'s;
    Student's would have no width even with few deals.

    Args:
        share: the share that was found.
        variance: the variance of ``share``, estimated between clusters.
        num_clusters: the number of clusters.
    """
    estimate = estimate_of_mean if variance > _ROUNDING**2 else estimate_of_rate
    return estimate(share, variance, num_clusters)
