"""Ratings: the fit, its intervals, and what counts as a difference."""

from itertools import combinations

import numpy as np
import pytest

from romans_training.compare.tournament.comparison import TournamentComparison
from romans_training.compare.tournament.ratings import fitted_strengths, holm, ratings_of

ELO = 400 / np.log(10)


def simulated(strengths, size, deals, games, rng, spread=0.0):
    """Comparisons of every combination, in which the strengths' logs vary from deal to deal by ``spread``."""
    comparisons = []
    for entries in combinations(range(len(strengths)), size):
        wins = np.empty((deals, size))
        for deal in range(deals):
            logs = np.log([strengths[k] for k in entries]) + rng.normal(0.0, spread, size)
            wins[deal] = rng.multinomial(games, np.exp(logs) / np.exp(logs).sum()) / games
        comparisons.append(TournamentComparison(entries, np.ones(size), wins))
    return comparisons


@pytest.mark.parametrize("size", [2, 3, 4])
def test_known_strengths_are_recovered(size):
    strengths = np.exp([0.0, 0.5, 1.0, 2.0, 3.0])
    ratings = ratings_of(simulated(strengths, size, 1500, 4, np.random.default_rng(0)), 5, samples=200)
    truth = ELO * (np.log(strengths) - np.log(strengths).mean())
    assert [rating.mean for rating in ratings.elo] == pytest.approx(truth, abs=12)
    assert sum(rating.mean for rating in ratings.elo) == pytest.approx(0.0, abs=1e-6)


def test_the_fit_is_a_stationary_point_even_of_lopsided_games():
    """Expected wins equal wins: what maximum likelihood says, for shared wins and several seats, too."""
    seats = np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.0, 2.0]])
    wins = np.array([[1999.999, 0.001 + 1000.0, 0.5], [700.25, 1300.0, 1000.25]])
    wins[0, 0] = 3000.5 - wins[0, 1:].sum()
    games = np.array([[1000.0, 1000.0, 1000.5]] * 2)
    strengths = np.exp(fitted_strengths(wins, games, seats))
    parts = seats * strengths[:, None, :]
    expected = (games[:, :, None] * parts / parts.sum(axis=2, keepdims=True)).sum(axis=1)
    assert expected == pytest.approx(wins, rel=1e-6)


def test_a_data_set_is_fitted_the_same_alone_and_among_others():
    seats = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
    rng = np.random.default_rng(2)
    wins = rng.dirichlet([1, 1, 1], size=20) * 300
    games = np.full((20, 3), 100.0)
    wins = 0.5 * wins + 50
    together = fitted_strengths(wins, games, seats)
    for k in range(20):
        assert fitted_strengths(wins[k : k + 1], games[k : k + 1], seats)[0] == pytest.approx(together[k], abs=1e-6)


def test_the_interval_of_a_difference_holds_the_truth_95_times_in_100():
    """Also where the games of a deal go together, so that they count for less than as many independent ones."""
    rng = np.random.default_rng(3)
    held = 0
    for repeat in range(300):
        # In half of the deals 0 wins nearly all games, in half few: 0.62 in all.
        chance = np.where(rng.random(120) < 0.5, 0.95, 0.29)
        won = rng.binomial(2, chance) / 2
        comparisons = [TournamentComparison((0, 1), np.ones(2), np.stack([won, 1 - won], axis=1))]
        elo = ratings_of(comparisons, 2, samples=300, seed=repeat).differences[0]
        difference = elo.elo if elo.better == 0 else type(elo.elo)(-elo.elo.mean, -elo.elo.high, -elo.elo.low)
        held += difference.low <= ELO * np.log(0.62 / 0.38) <= difference.high
    assert 0.92 <= held / 300 <= 0.98


def test_equal_agents_differ_significantly_5_times_in_100():
    rng = np.random.default_rng(4)
    found = 0
    for repeat in range(300):
        comparisons = simulated([1.0, 1.0], 2, 100, 2, rng)
        found += ratings_of(comparisons, 2, samples=300, seed=repeat).differences[0].is_significant
    assert found / 300 <= 0.09


def test_one_that_always_won_has_a_finite_rating_open_upwards():
    comparisons = [TournamentComparison((0, 1), np.ones(2), np.tile([1.0, 0.0], (500, 1)))]
    ratings = ratings_of(comparisons, 2)
    best = ratings.differences[0].elo
    # One deal of prior, shared: 500.5 to 0.5.
    assert best.mean == pytest.approx(400 * np.log10(500.5 / 0.5), abs=0.1)
    assert best.high - best.mean > best.mean - best.low > 100
    # The mean is 0.
    assert ratings.elo[0].mean == -ratings.elo[1].mean == pytest.approx(best.mean / 2)
    assert ratings.differences[0].is_significant


def test_three_deals_prove_nothing():
    comparisons = [TournamentComparison((0, 1), np.ones(2), np.tile([1.0, 0.0], (3, 1)))]
    assert not ratings_of(comparisons, 2).differences[0].is_significant


def test_games_that_are_always_shared_equally_tell_nobody_apart():
    difference = ratings_of([TournamentComparison((0, 1), np.ones(2), np.full((50, 2), 0.5))], 2).differences[0]
    assert difference.elo.mean == pytest.approx(0.0, abs=1e-6)
    assert difference.p > 0.9


def test_line_ups_may_have_played_fewer_deals():
    rng = np.random.default_rng(5)
    many, few, some = simulated(np.exp([0.0, 1.0, 2.0]), 2, 800, 2, rng)
    few = TournamentComparison(few.entries, few.seats, few.wins[:20])
    ratings = ratings_of([many, few, some], 3)
    assert [rating.mean for rating in ratings.elo] == pytest.approx([-ELO, 0.0, ELO], abs=25)


@pytest.mark.parametrize(
    ("p_values", "rejected"),
    [
        ([0.01, 0.04, 0.03, 0.005], [True, False, False, True]),  # 0.005 <= .0125, 0.01 <= .0167, 0.03 > .025
        ([0.04], [True]),
        ([0.06], [False]),
        ([0.03, 0.03], [False, False]),
        ([0.02, 0.04], [True, True]),
        ([], []),
    ],
)
def test_holm(p_values, rejected):
    assert holm(p_values) == rejected
