"""The intervals of tables of results."""

import math

import numpy as np
import pytest
from scipy import stats

from romans_training.measure.intervals import (
    Estimate,
    mean_in_clusters,
    mean_of_clusters,
    rate_in_clusters,
    rate_of_clusters,
    share_of_clusters,
    widened,
)


def test_single_games_give_wilsons_interval():
    events = np.array([True] * 30 + [False] * 70)[:, None]
    estimate = rate_of_clusters(events)
    # The variance between clusters has n - 1 in its divisor: one game fewer counts.
    wilson = stats.binomtest(30, 100).proportion_ci(method="wilson")
    assert estimate.mean == pytest.approx(0.3)
    assert (estimate.low, estimate.high) == pytest.approx((wilson.low, wilson.high), abs=2e-3)


def test_two_equal_games_of_a_deal_count_as_one():
    events = np.array([True] * 30 + [False] * 70)
    assert rate_of_clusters(np.stack([events, events], axis=1)) == pytest.approx(rate_of_clusters(events[:, None]))


def test_few_deals_that_all_end_alike_leave_a_share_uncertain():
    always = np.ones((6, 2))
    assert share_of_clusters(always) == rate_of_clusters(always) and share_of_clusters(always).low < 0.7
    corrected = np.array([[1.1], [0.9], [1.2]])
    assert share_of_clusters(corrected) == mean_of_clusters(corrected) and share_of_clusters(corrected).high > 1


def test_opposite_games_of_a_deal_narrow_the_interval():
    rng = np.random.default_rng(0)
    first = rng.random(500) < 0.5
    second = np.where(rng.random(500) < 0.9, ~first, first)
    paired = rate_of_clusters(np.stack([first, second], axis=1))
    single = rate_of_clusters(np.concatenate([first, second])[:, None])
    assert paired.high - paired.low < 0.6 * (single.high - single.low)


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_a_rate_that_never_varied_still_has_an_interval_within_0_and_1(rate):
    estimate = rate_of_clusters(np.full((200, 2), bool(rate)))
    assert estimate.mean == rate
    assert 0.0 <= estimate.low <= rate <= estimate.high <= 1.0
    assert 0.0 < estimate.high - estimate.low < 0.05


@pytest.mark.parametrize(
    ("rate", "spread", "clusters", "games", "off"),
    [
        *((rate, min(rate, 1 - rate) / 3, 400, 2, 0.02) for rate in (0.02, 0.5, 0.9)),
        *((0.4, 0.15, clusters, 24, 0.03) for clusters in (6, 20)),
    ],
)
def test_the_interval_of_a_rate_holds_the_truth_95_times_in_100(rate, spread, clusters, games, off):
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(1000):
        # A deal's own chance, and games of it.
        chance = np.clip(rng.normal(rate, spread, size=(clusters, 1)), 0, 1)
        estimate = rate_of_clusters(rng.random((clusters, games)) < chance)
        held += estimate.low <= rate <= estimate.high
    assert held / 1000 == pytest.approx(0.95, abs=off)


def test_the_interval_of_a_mean_is_students():
    values = np.array([[1.0, 3.0], [4.0, 6.0], [2.0, 2.0]])
    means = values.mean(axis=1)
    low, high = stats.t.interval(0.95, 2, loc=means.mean(), scale=stats.sem(means))
    assert mean_of_clusters(values) == pytest.approx((means.mean(), low, high))


def test_clusters_of_one_size_are_those_of_a_table():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(40, 3))
    clusters = np.repeat(np.arange(40), 3)
    order = rng.permutation(120)
    assert mean_in_clusters(values.ravel()[order], clusters[order]) == pytest.approx(mean_of_clusters(values))
    events = values > 0.3
    assert rate_in_clusters(events.ravel()[order], clusters[order]) == pytest.approx(rate_of_clusters(events))


def test_the_interval_of_uneven_clusters_holds_the_truth_95_times_in_100():
    rng = np.random.default_rng(2)
    sizes = rng.integers(0, 12, size=150)
    clusters = np.repeat(np.arange(150), sizes)
    held = 0
    for _ in range(1000):
        values = rng.normal(2.0, 1.0, size=150)[clusters] + rng.normal(size=clusters.size)
        estimate = mean_in_clusters(values, clusters)
        held += estimate.low <= 2.0 <= estimate.high
    assert 0.93 <= held / 1000 <= 0.97


def test_of_nothing_there_is_no_mean():
    nothing = np.empty(0)
    assert all(map(math.isnan, (mean_in_clusters(nothing, nothing).mean, *rate_in_clusters(nothing, nothing))))


def test_one_cluster_says_little():
    assert mean_of_clusters(np.array([[1.0, 2.0]])) == (1.5, -math.inf, math.inf)
    assert mean_in_clusters(np.array([1.0, 2.0]), np.array([7, 7])) == (1.5, -math.inf, math.inf)
    estimate = rate_in_clusters(np.array([True, True, False]), np.array([7, 7, 7]))
    assert estimate.low < 0.3 < 0.9 < estimate.high


def test_an_interval_is_widened_for_several_comparisons():
    values = np.random.default_rng(4).normal(size=(12, 2))
    estimate = mean_of_clusters(values)
    means = values.mean(axis=1)
    low, high = stats.t.interval(1 - 0.05 / 3, 11, means.mean(), stats.sem(means))
    assert widened(estimate, 12, 3) == pytest.approx((means.mean(), low, high))
    assert widened(estimate, 12, 1) == pytest.approx(estimate)
    alone = Estimate(0.5, -math.inf, math.inf)
    assert widened(alone, 1, 2) == alone
