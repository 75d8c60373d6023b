"""Control variates: unbiased whatever they are worth, narrower intervals where they explain something."""

from itertools import combinations, permutations, product

import numpy as np
import pytest

import romans_agents
from romans_agents import RandomAgent
from romans_agents.batches.arena import Arena
from romans_agents.romans_go_home.control_variates.plan_draws import draw_of, stated_policy
from romans_agents.romans_go_home.control_variates.rounds import RoundVariates
from romans_agents.romans_go_home.scripted import GreedyAgent
from romans_env import RomansGoHome, Table
from romans_env.core.games import spec_of
from romans_training.compare.tournament import TournamentError, tournament
from romans_training.measure import variance_reduction
from romans_training.measure.deals import deal_games
from romans_training.measure.evaluation import evaluate
from romans_training.measure.variance_reduction import AIVAT, reduced
from tests.envs.playing import Last

SMALL = Table(
    2, 0, fort_deck=["dinary-3", "dinary-5"], warriors=["qween", "axx", "archr", "horsie"], line_size=2, num_rounds=1
)


def players_of(*specs):
    return [romans_agents.make(spec) if isinstance(spec, str) else spec for spec in specs]


def played(rules, states, seats, seed=0):
    """Play games, all with the same agents on the seats; the games' variates and the players' returns."""
    for k, agent in enumerate(seats):
        agent.seed(seed + k)
    seated = [list(seats) for _ in range(len(states))]
    variates = RoundVariates(rules, seated, seed)
    for _ in Arena(rules, states, seated, range(len(states)), callback=variates).play():
        pass
    returns = [[rules.game_return(states, i, seat) for seat in range(rules.num_players)] for i in range(len(states))]
    return variates.values(), np.array(returns)


def assert_zero_mean(values):
    """Every variate within four and a half standard errors of zero (a few dozen of them are looked at)."""
    errors = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    assert (np.abs(values.mean(axis=0)) <= 4.5 * errors + 1e-12).all()


def test_the_corrected_mean_is_unbiased_by_enumeration(monkeypatch):
    # Five deals are fitted to as if they were many.
    monkeypatch.setattr(variance_reduction, "LEAST_DEALS", 1)
    monkeypatch.setattr(variance_reduction, "LARGEST_PART", 0.9)
    # Every set of five deals whose result depends on a coin of three faces and whose variate is of expectation zero.
    chances, results, variates = np.array([0.5, 0.3, 0.2]), np.array([1.0, 0.0, -1.0]), np.array([0.7, -0.5, -1.0])
    assert chances @ variates == pytest.approx(0)
    expected = plain = 0.0
    for drawn in product(range(3), repeat=5):
        faces = list(drawn)
        chance = chances[faces].prod()
        expected += chance * reduced(results[faces], variates[faces][:, None]).mean()
        plain += chance * results[faces].mean()
    assert plain == pytest.approx(chances @ results)
    assert expected == pytest.approx(chances @ results, abs=1e-12)


def test_a_variate_that_explains_everything_leaves_no_variance_and_noise_costs_little():
    rng = np.random.default_rng(0)
    luck, noise, skill = rng.normal(size=(3, 400))
    values = 0.3 + 2.0 * luck
    assert reduced(values, luck[:, None]).std() < 0.01
    assert reduced(values, luck[:, None]).mean() == pytest.approx(0.3, abs=0.01)
    useless = reduced(skill, np.stack([luck, noise], axis=1))
    assert useless.std() == pytest.approx(skill.std(), rel=0.03)
    assert np.array_equal(reduced(skill[:3], luck[:3, None]), skill[:3])
    assert np.array_equal(reduced(skill, np.zeros((400, 4))), skill)


def test_errors_that_go_with_the_results_explain_nothing():
    """Of a variate that is always zero, and of two that are the same, but for errors."""
    rng = np.random.default_rng(0)
    values, luck = rng.integers(0, 2, 400).astype(float), 0.015 * rng.normal(size=400)
    error = 2e-4
    for variates in (
        -error * (1 - values[:, None]),
        np.stack([luck + error * (1 - values), luck - error * (1 - values)], axis=1),
    ):
        assert reduced(values, variates).mean() > values.mean() + 0.15
        assert reduced(values, variates, error=error).mean() == pytest.approx(values.mean(), abs=0.01)
        assert reduced(values, variates, error=error).std() > 0.45
    # What varies far more keeps its weight.
    assert reduced(luck, luck[:, None], error=error).std() < 0.01


def test_few_deals_with_many_and_with_rare_variates_stay_as_they_are():
    """Where nothing can be learned from them, intervals must not get wider."""
    rng = np.random.default_rng(0)
    ratios = []
    for _ in range(20):
        values, variates = rng.normal(size=50), rng.normal(size=(50, 45))
        variates[:, 30:] *= rng.random((50, 15)) < 0.03
        variates[rng.integers(50), 44] = 30.0
        ratios.append(reduced(values, variates).std() / values.std())
    assert np.mean(ratios) < 1.06 and max(ratios) < 1.25


@pytest.mark.parametrize(
    ("agents", "size", "deals"),
    [
        (("random", "hoarder"), (2, 0), 120),
        (("legate", "greedy"), (2, 0), 120),
        (("random", Last()), (2, 0), 100),
        (("random", "greedy"), (2, 1), 120),
        (("hoarder",), (1, 1), 60),
        (("hoarder", "random", "skirmisher"), (3, 0), 60),
    ],
)
def test_variates_are_of_expectation_zero(agents, size, deals):
    rules = RomansGoHome(Table(*size))
    values, _ = played(rules, deal_games(rules, range(deals), 5).states, players_of(*agents))
    assert values.shape[:2] == (deals, size[0]) and np.isfinite(values).all()
    assert values.std(axis=0).max() > 0.1 and values[:, 0, 0].std() > 0
    assert_zero_mean(values.reshape(deals, -1))


def test_all_deals_of_a_small_table_have_the_exact_mean():
    """A game of one round between agents without chance: what was planned, played out, is the return itself."""
    rules = RomansGoHome(SMALL)
    hands = list(combinations(SMALL.warriors, 3))
    deals = [
        {"forts": list(forts), "rounds": [{"player_0": list(first), "player_1": list(second)}]}
        for forts in permutations(SMALL.fort_deck)
        for first, second in product(hands, repeat=2)
    ]
    states = np.concatenate([rules.new_states(1) for _ in deals])
    for i, deal in enumerate(deals):
        rules.begin(states, i)
        rules.act_chance(states, i, deal)
    values, returns = played(rules, states, players_of("hoarder", "skirmisher"))
    # The deals are all that there are, each as likely as the next: the variate of each is their mean, but for the noise
    # of the draws, less its own return.
    exact = returns[:, 0].mean()
    corrected = returns[:, 0] + values[:, 0, 0]
    assert returns[:, 0].std() > 0.5
    assert corrected.std() < 0.35 * returns[:, 0].std()
    assert corrected.mean() == pytest.approx(exact, abs=4.5 * corrected.std() / np.sqrt(len(deals)))


class LastOfRandom(RandomAgent):
    """Inherits the probabilities of `random`, and does not play by them."""

    def act_batch(self, observations, masks):
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


class LastOfGreedy(GreedyAgent):
    """Inherits from a scripted agent, and plays otherwise."""

    def act(self, view):
        return view.legal_actions()[-1]


@pytest.mark.parametrize("agent", [Last(), LastOfRandom(), LastOfGreedy()])
def test_the_policy_of_an_agent_is_known_only_where_it_is_its_own(agent):
    rules = RomansGoHome(Table(2, 0))
    assert draw_of(agent, rules) is None and stated_policy(agent, rules) is None
    assert draw_of(romans_agents.make("random"), rules) is not None


def test_plans_are_drawn_with_the_probabilities_of_the_agent():
    rules = RomansGoHome(SMALL)
    starts = np.repeat(deal_games(rules, range(1), 0).states, 6000)
    plans = draw_of(romans_agents.make("random"), rules)(starts, np.random.default_rng(0))
    hand = np.flatnonzero(starts["hand"][0, 0]).tolist()
    found, counts = np.unique(plans[:, :3], axis=0, return_counts=True)
    assert sorted(map(tuple, found.tolist())) == sorted(permutations(hand))
    assert (abs(counts - 1000) < 4.5 * np.sqrt(6000 / 6 * 5 / 6)).all()


@pytest.mark.parametrize("spec", ["schemer:quick=true", "greedy", "random"])
def test_a_drawn_plan_is_made_of_the_hand(spec):
    rules = RomansGoHome(SMALL)
    starts = deal_games(rules, range(4), 0).states
    before = starts.copy()
    plans = draw_of(romans_agents.make(spec), rules)(starts, np.random.default_rng(0))
    assert np.array_equal(starts, before)
    for state, plan in zip(starts, plans, strict=True):
        assert sorted(plan[:3].tolist()) == np.flatnonzero(state["hand"][0]).tolist()


def test_where_no_policy_is_known_every_seat_keeps_its_plan():
    rules = RomansGoHome(Table(2, 0))
    neither, _ = played(rules, deal_games(rules, range(4), 3).states, players_of(Last(), Last()))
    assert not neither.any()


@pytest.mark.parametrize("game", ["romans-go-home", "roma"])
def test_intervals_are_narrower_for_the_same_games_and_means_agree(game):
    specs = {"romans-go-home": ("hoarder", "greedy"), "roma": ("denier", "forum-runner")}[game]
    agent, other = (romans_agents.make(spec, game=game) for spec in specs)
    settings = (agent, [other], spec_of(game).make_rules(num_players=2), 150)
    result, same = evaluate(*settings, variance_reduction=AIVAT), evaluate(*settings)
    assert (result.win_rate, result.mean_return) == (same.win_rate, same.mean_return)
    for name in ("win_rate", "mean_return"):
        plain, narrow = getattr(result, name), getattr(result.reduced, name)
        assert narrow.high - narrow.low < 0.85 * (plain.high - plain.low)
        assert plain.low < narrow.mean < plain.high


def test_a_tournament_keeps_variates_and_gives_both_estimates(tmp_path, capsys):
    def play(deals, folder="with", **settings):
        return tournament(["hoarder", "greedy"], Table(2, 0), deals, tmp_path / folder, **settings)

    at_once = play(60, variance_reduction=AIVAT)
    play(50, "resumed", variance_reduction=AIVAT)
    resumed = play(60, "resumed", variance_reduction=AIVAT)
    assert [one.reduced for one in resumed.standings] == [one.reduced for one in at_once.standings]
    for standing in at_once.standings:
        plain, narrow = standing.win_share, standing.reduced.win_share
        assert narrow.high - narrow.low < plain.high - plain.low
    assert at_once.as_json()["variance_reduction"] == AIVAT
    without = play(60, "without")
    assert [one.win_share for one in without.standings] == [one.win_share for one in at_once.standings]
    assert "variance_reduction" not in without.as_json() and "reduced" not in without.as_json()["standings"][0]
    for folder, method in (("with", "none"), ("without", AIVAT)):
        with pytest.raises(TournamentError, match="holds results with variance reduction"):
            play(60, folder, variance_reduction=method)
