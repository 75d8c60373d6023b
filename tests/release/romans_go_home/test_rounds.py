"""The round as a game: exact beliefs, the response by search, a best one on the small table, and `round-response`."""

import numpy as np
import pytest

import romans_agents
from benchmarks.small_table import found_by_search, known_policy
from romans_agents import Agent, AgentError, PolicyAgent
from romans_agents.romans_go_home.rounds import policy_planner
from romans_agents.romans_go_home.rounds.attack import determinized, joint_plans
from romans_agents.romans_go_home.rounds.beliefs import branches, plans_of, possible_hands, thinned
from romans_agents.romans_go_home.rounds.matrix_game import BayesianPlayer, solve
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel
from romans_agents.romans_go_home.rounds.opponents import mixed, plausible_plans, schemed_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of
from romans_agents.romans_go_home.rounds.plan_distributions import hand_of
from romans_agents.romans_go_home.rounds.responder import BestResponder
from romans_env import RomansGoHome, Table
from romans_env.romans_go_home.material import WARRIORS
from romans_env.romans_go_home.setup import SMALL_TABLE
from romans_training.measure.evaluation import evaluate
from tests.policies import some_policy
from tests.romans_go_home.players import LITTLE
from tests.romans_go_home.stages import COVERING, new_game, table_id


def sampled_policy(cut=0.0):
    return PolicyAgent.of(some_policy(seed=3), "some", sample=True, cut=cut)


def test_the_response_finds_the_whole_exploitability_of_the_small_table():
    pytest.importorskip("open_spiel", reason="exact values need OpenSpiel")
    from open_spiel.python.algorithms import exploitability

    from romans_env.envs.open_spiel_game import open_spiel_game

    game = open_spiel_game(SMALL_TABLE)
    agent = romans_agents.make("greedy")
    known = known_policy(game, agent)
    exact = exploitability.nash_conv(game, known) / 2
    assert exact > 0.1
    assert found_by_search(game, agent, known) == pytest.approx(exact, abs=1e-6)


def test_an_error_of_the_agent_that_is_responded_to_names_that_agent():
    class Fails(Agent):
        name = "my_bot.py:Fails"

        def act(self, view):
            return {}[view.position()["turn"]]

    response = BestResponder(Fails(), RomansGoHome(), LITTLE)
    with pytest.raises(AgentError, match=r"^the agent my_bot\.py:Fails raised KeyError: 0 \(test_rounds\.py"):
        response.act(new_game((2, 0), 4).view(0))


def test_hands_are_as_likely_as_they_are_drawn():
    hands, weights = possible_hands(Table())
    assert len(hands) == 29
    # Of 36 draws of seven of nine, one leaves out both Ch'ariotts, 14 one of them and 21 none.
    chariotts = (hands == 7).sum(axis=1)
    assert [weights[chariotts == k].sum() * 36 for k in range(3)] == pytest.approx([1, 14, 21])


@pytest.mark.parametrize("seat", [0, 1])
def test_plans_have_the_probabilities_of_the_policy(seat):
    agent, rules, rng = sampled_policy(cut=0.2), RomansGoHome(Table()), np.random.default_rng(1)
    game = new_game((2, 0), 4)
    root = game.view(1 - seat).states
    # With so many no plan is left out.
    found = plans_of(OpponentModel(agent, rules), determinized(root, 1 - seat, 1, rng), seat, rng, most=10**6)
    assert found.weights.sum() == pytest.approx(1)
    assert len(np.unique(found.plans, axis=0)) == len(found.plans)
    while game.seat_to_act != seat:
        game.act(game.legal_actions()[0])
    hand = game.states["hand"][0, seat]
    holds = np.array([(np.bincount(plan, minlength=8) == hand).all() for plan in found.plans])
    hands, weights = possible_hands(Table())
    drawn = weights[[(np.bincount(one, minlength=8) == hand).all() for one in hands]]
    assert found.weights[holds].sum() == pytest.approx(drawn[0])
    for plan, weight in zip(found.plans[holds][:5], found.weights[holds][:5], strict=True):
        copy, probability = game.clone(), drawn[0]
        names = [f"discard:{WARRIORS[plan[6]]}"] + [f"place:{WARRIORS[card]}" for card in plan[:6]]
        for name in names:
            action = copy.action_id(name)
            if copy.seat_to_act != seat or action not in copy.legal_actions():
                break  # the rest is a matter of course
            probability *= agent.action_probabilities(copy.view(seat))[action]
            copy.act(action)
        assert weight == pytest.approx(probability, rel=1e-4)


def test_thinning_is_without_bias():
    rng, weights = np.random.default_rng(2), np.array([0.5, 0.3, 0.15, 0.05])
    total = np.zeros(4)
    for _ in range(4000):
        chosen, kept = thinned(weights, 2, rng)
        assert kept.sum() == pytest.approx(1)
        total[chosen] += kept / 4000
    assert total == pytest.approx(weights, abs=0.02)
    assert thinned(weights, 4, rng)[1] is weights


def test_branches_are_all_or_one_for_each_row():
    rng, probabilities = np.random.default_rng(3), np.array([[0.25, 0.75, 0.0], [0.0, 1.0, 0.0]])
    rows, actions, weights = branches(probabilities, np.array([0.4, 0.6]), 10, rng)
    assert (rows.tolist(), actions.tolist()) == ([0, 0, 1], [0, 1, 1])
    assert weights == pytest.approx([0.1, 0.3, 0.6])
    drawn = [branches(probabilities, np.array([0.4, 0.6]), 1, rng)[1] for _ in range(2000)]
    assert np.mean(drawn, axis=0) == pytest.approx([0.75, 1.0], abs=0.05)


@pytest.mark.parametrize(("setup", "deals"), [(Table(2, 1, "vogel"), 2), (Table(3, 0), 1), (SMALL_TABLE, 4)])
def test_every_table_is_played_and_a_weak_agent_beaten(setup, deals):
    rules = RomansGoHome(setup)
    others = [romans_agents.make("skirmisher") for _ in range(setup.num_players - 1)]
    result = evaluate(BestResponder(others[0], rules, LITTLE), others, rules, deals, seed=5)
    assert result.num_games == deals * setup.num_players
    assert result.mean_return.mean > 0.2


def test_it_repeats_with_its_seed():
    rules = RomansGoHome(Table())
    results = []
    for _ in range(2):
        response = BestResponder(romans_agents.make("greedy"), rules, LITTLE)
        results.append(evaluate(response, [romans_agents.make("greedy")], rules, 1, seed=9))
    assert results[0] == results[1]


@pytest.mark.parametrize(("after", "turn"), [(1, 0), (4, 0), (12, 4)])
def test_a_plan_and_a_round_that_somebody_else_began_are_gone_on_with(after, turn):
    game, greedy = new_game((2, 0), 6), romans_agents.make("greedy")
    for _ in range(after):
        game.act(greedy.act(game.view(game.seat_to_act)))
    assert (game.seat_to_act, game.position()["turn"]) == (0, turn)
    assert BestResponder(greedy, RomansGoHome(), LITTLE).act(game.view(0)) in game.legal_actions()


def test_a_matrix_game_is_solved():
    # Rock, paper, scissors, where rock against scissors counts twice.
    payoffs = np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    side = BayesianPlayer(np.zeros(3, dtype=np.int64), np.ones(1))
    first, second = solve(payoffs, side, side, 2000)
    assert first == pytest.approx(second, abs=0.02)
    assert np.abs(payoffs @ second).max() < 0.02
    assert first == pytest.approx([0.25, 0.5, 0.25], abs=0.02)


def test_types_are_played_each_by_itself():
    # The rows' player knows its type; the first has one good strategy, the second is indifferent but for the column.
    payoffs = np.array([[1.0, 1.0], [0.0, 0.0], [1.0, -1.0], [-1.0, 1.0]])
    rows = BayesianPlayer(np.array([0, 0, 1, 1]), np.array([0.5, 0.5]))
    columns = BayesianPlayer(np.zeros(2, dtype=np.int64), np.ones(1))
    first, second = solve(payoffs, rows, columns, 2000)
    assert first[:2] == pytest.approx([1, 0], abs=0.01)
    assert first[2:] == pytest.approx([0.5, 0.5], abs=0.03)
    assert second == pytest.approx([0.5, 0.5], abs=0.03)


@pytest.mark.parametrize(
    ("options", "table", "deals"),
    [("", Table(2, 0), 1), ("", SMALL_TABLE, 4), (",trust=0", Table(2, 0), 1), (",policy=legate-1", Table(2, 0), 1)],
)
def test_round_response_beats_a_weak_agent(options, table, deals):
    others = [romans_agents.make("skirmisher") for _ in range(table.num_players - 1)]
    result = evaluate(romans_agents.make(f"round-response:iterations=2000{options}"), others, table, deals, seed=2)
    assert result.mean_return.mean > 0.2


@pytest.mark.parametrize("table", COVERING[1:5], ids=table_id)
def test_it_steps_from_a_policy_at_every_table(table):
    view = new_game(table, 3).view(0)
    assert romans_agents.make("round-response:policy=legate-1,iterations=2000").act(view) in view.legal_actions()


def test_a_solo_player_weighs_its_plans_against_the_neutrals_lines():
    agent = romans_agents.make("round-response:policy=legate-1,iterations=5000")
    assert evaluate(agent, [], Table(1, 1), 8, seed=2).mean_return.mean > 0.0


def planner_and_own_plans(table):
    """A planner with `legate-1`, the start of a round for seat 0, and the policy's plans for its hand."""
    rules, rng = RomansGoHome(table), np.random.default_rng(0)
    policy = PolicyAgent.of(romans_agents.make("legate-1").policy, "legate-1", sample=True, cut=0.0)
    root = new_game((table.num_players, table.num_neutrals), 3).view(0).states
    own = plans_of(OpponentModel(policy, rules), root, 0, rng, most=200, hand=hand_of(root, 0))
    return policy_planner.PolicyPlanner(policy, rules), root, own


def test_the_step_goes_from_the_policy_to_the_best_plan(monkeypatch):
    planner, root, own = planner_and_own_plans(Table(3, 0))
    beliefs = [plausible_plans(root, seat, Table(3, 0), 4, np.random.default_rng(seat)) for seat in (1, 2)]
    worst = int(own.weights.argmin())

    def payoffs(root, seat, plans, laid, rng):
        return np.tile((np.arange(len(plans)) == worst)[:, None], len(laid)).astype(float)

    monkeypatch.setattr(policy_planner, "payoffs_of", payoffs)
    chances = {}
    for temperature in (1e9, 1.0, 1e-9):
        monkeypatch.setattr(policy_planner, "TEMPERATURE", temperature)
        chances[temperature] = planner._stepped(root, 0, own, beliefs, 1.0, np.random.default_rng(1))
    assert chances[1e9] == pytest.approx(own.weights)
    assert chances[1e-9] == pytest.approx((np.arange(len(own.plans)) == worst).astype(float))
    odds = chances[1.0] / own.weights
    assert odds[worst] / np.delete(odds, worst) == pytest.approx(np.e)


def test_a_trusted_belief_is_answered_and_one_that_is_not_is_not(monkeypatch):
    planner, root, own = planner_and_own_plans(Table(2, 0))
    full = determinized(root, 0, 1, np.random.default_rng(4))
    belief = plans_of(planner._rival, full, 1, np.random.default_rng(5), 300)
    laid, weights = joint_plans([belief], 2, 0, 200, np.random.default_rng(6))
    values = payoffs_of(root, 0, own.plans, laid, np.random.default_rng(7)) @ weights
    won = {}
    for trust in (1.0, 0.0):
        monkeypatch.setattr(planner, "_trust", trust)
        mixes = [
            planner._restricted(root, full, 0, own.plans, belief, 1.0, np.random.default_rng(seed))[0]
            for seed in range(3)
        ]
        assert all(mix.sum() == pytest.approx(1.0) and mix.min() >= 0.0 for mix in mixes)
        won[trust] = np.mean([mix @ values for mix in mixes])
        assert trust or np.mean([np.count_nonzero(mix) for mix in mixes]) > 2
    assert won[1.0] > won[0.0] and won[1.0] > values.mean()


def test_schemed_plans_are_of_every_hand_that_may_be_drawn():
    root = new_game((3, 0), 4).view(0).states
    full = determinized(root, 0, 1, np.random.default_rng(1))
    plans = schemed_plans(full, 2, Table(3, 0), 2, np.random.default_rng(2))
    hands, chances = possible_hands(Table(3, 0))
    assert plans.weights.sum() == pytest.approx(1.0)
    found = {tuple(sorted(plan.tolist())) for plan in plans.plans}
    assert found == {tuple(hand.tolist()) for hand in hands} and len(plans.plans) == 2 * len(hands)
    both = mixed([(plans, 0.25), (plans, 0.75)])
    assert both.weights.sum() == pytest.approx(1.0) and both.weights[0] == pytest.approx(chances[0] / 8)


def test_it_mixes_its_plans_by_its_seed():
    views = [new_game((2, 0), seed).view(0) for seed in range(3, 6)]
    agents = [romans_agents.make(f"round-response:iterations=1000,seed={seed}") for seed in range(2)]
    chosen = {tuple(agent.act(view) for view in views) for agent in agents}
    assert len(chosen) > 1


def test_a_habit_is_answered_as_far_as_it_is_trusted():
    # Rock, paper, scissors against somebody who is thought to lay rock.
    payoffs = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
    side = BayesianPlayer(np.zeros(3, dtype=np.int64), np.ones(1))
    rock = np.array([1.0, 0.0, 0.0])
    answer, _ = solve(payoffs, side, side, 1000, rock, 1.0)
    assert answer == pytest.approx([0, 1, 0], abs=0.01)
    unmoved, _ = solve(payoffs, side, side, 1000, rock, 0.0)
    assert unmoved == pytest.approx([1 / 3] * 3, abs=0.02)
    careful, free = solve(payoffs, side, side, 1000, rock, 0.2)
    assert 1 / 3 < careful[1] <= 1
    # Where it is free, it answers paper.
    assert free[2] > 1 / 3
