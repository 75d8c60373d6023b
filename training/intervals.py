"""Estimates with 95 % intervals from games that come in clusters: a deal played once from every seat is one cluster."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy.typing as npt
from scipy import stats

LEVEL = 0.95
_ROUNDING = 1e-9


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
    variance = float(means.var(ddof=1)) / len(means) if len(means) > 1 else math.inf
    return estimate_of_mean(float(means.mean()), variance, len(means))


def rate_of_clusters(events: npt.NDArray[Any]) -> Estimate:
    """Rate of an event with `estimate_of_rate`'s interval.

    Args:
        events: bool, or shares from 0 to 1; shape (clusters, games of a cluster).
    """
    variance = float(events.mean(axis=1).var(ddof=1)) / len(events) if len(events) > 1 else 0.0
    return estimate_of_rate(float(events.mean()), variance, len(events))


def estimate_of_mean(mean: float, variance: float, num_clusters: int) -> Estimate:
    """A mean with Student's t interval.

    Args:
        mean: what was found.
        variance: of ``mean``, from what was found between clusters.
        num_clusters: how many there are; of one, nothing is known.
    """
    if num_clusters < 2:
        return Estimate(mean, -math.inf, math.inf)
    half = float(stats.t.ppf((1 + LEVEL) / 2, num_clusters - 1)) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half)


def estimate_of_rate(rate: float, variance: float, num_clusters: int) -> Estimate:
    """A rate with Wilson's interval (1927) at the effective sample size (Korn and Graubard 1998).

    The effective sample size is the number of independent games that would give the variance found between clusters,
    less where few clusters tell little about it: it makes the interval honest for games of the same deal. Wilson's form
    keeps it within 0 and 1. Where clusters did not differ at all, it is the number of clusters.

    Args:
        rate: what was found, from 0 to 1.
        variance: of ``rate``, from what was found between clusters.
        num_clusters: how many there are.
    """
    z2 = float(stats.norm.ppf((1 + LEVEL) / 2)) ** 2
    effective = float(num_clusters)
    # Equal clusters may differ by the rounding of their means.
    if variance > _ROUNDING**2:
        t2 = float(stats.t.ppf((1 + LEVEL) / 2, num_clusters - 1)) ** 2
        effective = rate * (1 - rate) / variance * z2 / t2
    centre = (rate + z2 / (2 * effective)) / (1 + z2 / effective)
    half = math.sqrt(z2 * (rate * (1 - rate) / effective + z2 / (4 * effective**2))) / (1 + z2 / effective)
    return Estimate(rate, max(0.0, centre - half), min(1.0, centre + half))
