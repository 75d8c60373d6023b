"""`tribune` and the agent of `recipes/equilibria`: all who know the start of a round know their mixtures."""

from pathlib import Path

import numpy as np
import pytest

import romans_agents
from recipes.equilibria.plan_regret import plan_regret, round_starts
from romans_agents.romans_go_home.round_start import undo_planning_in
from romans_agents.romans_go_home.rounds.attack import determinized
from romans_agents.romans_go_home.rounds.beliefs import plans_of, possible_hands
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel
from romans_agents.romans_go_home.rounds.payoffs import public_start, redacted
from romans_agents.romans_go_home.rounds.plan_distributions import hand_of
from romans_env import Game, RomansGoHome, Table
from romans_env.romans_go_home.actions import DISCARD, PLACE
from romans_env.romans_go_home.setup import SMALL_TABLE
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE
from tests.romans_go_home.stages import new_game

ROOT = Path(__file__).resolve().parents[3]
TABLE = Table(2, 0)
SOLVER = f"{ROOT / 'recipes/equilibria/agent.py'}:RoundEquilibrium:iterations=10000"
TRIBUNE = "tribune:temperature=0.05"
PLANNERS = pytest.mark.parametrize("spec", [SOLVER, TRIBUNE])


def test_the_public_start_is_the_same_from_everywhere():
    rng = np.random.default_rng(1)
    for root in round_starts(RomansGoHome(TABLE), 5):
        views = [redacted(root, seat) for seat in range(2)]
        seen = [root, *views, *(determinized(view, seat, 1, rng) for seat, view in enumerate(views))]
        assert len({public_start(states).tobytes() for states in seen}) == 1
    # And once a seat has planned.
    game = new_game((2, 0), 3)
    before = public_start(game.states.copy()).tobytes()
    while game.seat_to_act == 0:
        game.act(game.legal_actions()[-1])
    root = game.view(1).states.copy()
    undo_planning_in(root, 0, 1)
    assert public_start(root).tobytes() == before


@pytest.mark.parametrize(
    ("table", "spec"),
    [
        (TABLE, f"{SOLVER},policy=legate-1"),
        *((table, spec) for table in (SMALL_TABLE, TABLE) for spec in (SOLVER, TRIBUNE)),
    ],
)
def test_every_hand_has_a_mixture_of_its_own_plans(table, spec):
    hands, chances = possible_hands(table)
    root = Game(RomansGoHome(table), seed=4).states.copy()
    for seat in range(2):
        known = romans_agents.make(spec).mixed_plans(root, seat)
        assert known.weights.sum() == pytest.approx(1.0)
        for hand, chance in zip(hands, chances, strict=True):
            held = (np.sort(known.plans[:, : table.hand_size], axis=1) == hand).all(axis=1)
            assert known.weights[held].sum() == pytest.approx(chance)


@PLANNERS
def test_two_who_ask_find_the_same_and_a_seed_changes_the_draw_alone(spec):
    root = new_game((2, 0), 4).states.copy()
    found = [romans_agents.make(f"{spec},seed={seed}").mixed_plans(root, 1) for seed in range(2)]
    from_view = romans_agents.make(spec).mixed_plans(redacted(root, 0), 1)
    for other in (found[1], from_view):
        assert np.array_equal(found[0].plans, other.plans)
        assert np.array_equal(found[0].weights, other.weights)


@PLANNERS
def test_a_plan_is_one_of_the_mixture_of_the_hand(spec):
    game = new_game((2, 0), 7)
    agent, root = romans_agents.make(spec), game.states.copy()
    known = agent.mixed_plans(root, 0).of_hand(hand_of(root, 0))
    actions = []
    while game.seat_to_act == 0:
        actions.append(agent.act(game.view(0)))
        game.act(actions[-1])
    # The last warrior is laid by the engine.
    plan = [*(action - PLACE for action in actions[1:])]
    agrees = (known.plans[:, : len(plan)] == plan).all(axis=1) & (known.plans[:, 6] == actions[0] - DISCARD)
    assert agrees.any()


@PLANNERS
def test_whoever_responds_to_it_knows_its_probabilities(spec):
    game = new_game((2, 0), 7)
    agent, rules, root = romans_agents.make(spec), RomansGoHome(TABLE), game.states.copy()
    rival, known = OpponentModel(agent, rules), agent.mixed_plans(root, 0)
    plans = plans_of(rival, root, 0, np.random.default_rng(1))
    assert np.array_equal(plans.plans, known.plans) and np.array_equal(plans.weights, known.weights)
    hand = hand_of(root, 0)
    of_hand = plans_of(rival, root, 0, np.random.default_rng(1), hand=hand)
    assert of_hand.weights.sum() == pytest.approx(1.0)
    expected = np.bincount(of_hand.plans[:, 6], of_hand.weights, 9)
    probabilities = rival.probabilities(root)[0]
    assert probabilities[DISCARD : DISCARD + len(expected)] == pytest.approx(expected[: len(probabilities) - DISCARD])
    while game.states["phase"][0] in (PHASE_DISCARD, PHASE_PLACE):
        game.act(game.legal_actions()[0])
    in_attack = romans_agents.make("legate") if spec == TRIBUNE else agent
    assert rival.probabilities(game.states)[0] == pytest.approx(
        in_attack.action_probabilities(game.view(game.seat_to_act))
    )


def test_a_step_is_from_the_plans_of_the_policy_to_the_best_of_them():
    root = new_game((2, 0), 7).states.copy()
    hand = hand_of(root, 0)
    warm, mild, cold = (
        romans_agents.make(spec).mixed_plans(root, 0).of_hand(hand)
        for spec in (TRIBUNE.replace("0.05", "1e9"), TRIBUNE, TRIBUNE.replace("0.05", "1e-6"))
    )
    policy = OpponentModel(romans_agents.make("legate"), RomansGoHome(TABLE))
    likely = plans_of(policy, root, 0, np.random.default_rng(1), hand=hand)
    shares = [np.bincount(known.plans[:, 6], known.weights, 9) for known in (warm, likely)]
    assert np.abs(shares[0] - shares[1]).max() < 0.05
    assert len(warm.plans) > len(mild.plans) > len(cold.plans) == 1
    with pytest.raises(ValueError, match="temperature is a number above 0"):
        romans_agents.make(TRIBUNE.replace("0.05", "0"))


def test_its_plans_are_harder_to_answer_than_those_of_a_policy():
    rules = RomansGoHome(TABLE)
    root, rng = round_starts(rules, 5)[2], np.random.default_rng(1)
    regrets = [
        plan_regret(OpponentModel(romans_agents.make(spec), rules), root, rng) for spec in ("legate-1", f"{SOLVER}0")
    ]
    assert regrets[1] < 0.6 * regrets[0]


@PLANNERS
@pytest.mark.parametrize("table", [Table(3, 0), Table(2, 1)])
def test_it_says_which_tables_it_solves(table, spec):
    game = new_game((table.num_players, table.num_neutrals), 4)
    with pytest.raises(ValueError, match="2\\+0"):
        romans_agents.make(spec).act(game.view(0))
