"""The scripted players besides `greedy`: legal, honest, each true to its idea, compiled as in Python."""

import numpy as np
import pytest

import romans_agents
from romans_agents import Agent
from romans_agents.romans_go_home.heuristic_value import expected_returns
from romans_agents.romans_go_home.plan_search import solve_rows
from romans_agents.romans_go_home.scripted import (
    HoarderAgent,
    LegionaryAgent,
    MixerAgent,
    SchemerAgent,
    SkirmisherAgent,
)
from romans_env.compiling.decorators import cached_jit
from romans_env.envs.sb3 import RomansVecEnv
from tests.envs.playing import Chooser
from tests.romans_go_home.stages import Stage, give_forts, new_game, table_id
from tests.tools import play

HAND = "qween druhid zvord filchy horsie chariott axx"
RISING = "dinary-1 dinary-3 dinary-3 unwary-2 dinary-4 dinary-6"
LEGION_SECOND = "dinary-1 legion-1 dinary-3 unwary-2 dinary-4 dinary-5"
TWO_LEGIONS = "dinary-1 legion-1 dinary-5 legion-3 dinary-4 dinary-6"
BY_PLAN_SEARCH = [MixerAgent, SchemerAgent]
entry_point_of_expected_returns = cached_jit(lambda states, i, returns: expected_returns(states[i], returns))


def named(make):
    return make.name


def plan_of(agent: Agent, wall: str, hand: str, forts: str = "", rivals_forts: str = "") -> list[str]:
    """The line that an agent lays with a hand along a wall, then the warrior it sets aside."""
    stage = Stage({"player_0": hand, "player_1": ""}, wall)
    give_forts(stage.game.states, 0, forts)
    give_forts(stage.game.states, 1, rivals_forts)
    game = stage.game
    while game.position()["decision"]["kind"] in ("discard", "place") and game.seat_to_act == 0:
        game.act(agent.act(game.view(0)))
    own = game.position("player_0")["clans"]["player_0"]
    return [*own["hidden"], own["set_aside"]]


@pytest.mark.parametrize(
    ("make", "wall", "forts", "line"),
    [
        # The six goes to the strongest; before it the strength grows, Filchy first of all. Qween is the weakest.
        (HoarderAgent, RISING, "", "filchy druhid zvord axx horsie chariott"),
        # A Legion fort is the biggest for whoever holds two; what lies behind it is laid by value.
        (HoarderAgent, LEGION_SECOND, "legion-1 legion-2", "filchy chariott zvord druhid axx horsie"),
        # Filchy goes to the worst.
        (SkirmisherAgent, TWO_LEGIONS, "", "zvord druhid horsie filchy axx chariott"),
    ],
)
def test_a_line_follows_the_wall(make, wall, forts, line):
    assert plan_of(make(), wall, HAND, forts) == [*line.split(), "qween"]


def test_legionary_marches_on_legions_while_three_can_be_held():
    line = plan_of(LegionaryAgent(), TWO_LEGIONS, HAND)
    assert {line[1], line[3]} == {"chariott", "horsie"}
    # With two of the four gone, three cannot be held, and the best fort gets the strongest.
    line = plan_of(LegionaryAgent(), TWO_LEGIONS, HAND, rivals_forts="legion-1 legion-2")
    assert line[5] == "chariott"
    assert {line[1], line[3]}.isdisjoint({"chariott", "horsie"})


def test_planning_opponents_in_a_vector_environment():
    env = RomansVecEnv(8, opponents=["schemer", "greedy", "mixer", "random"], mix_opponents=True, num_players=3, seed=3)
    env.reset()
    wins = []
    rng = np.random.default_rng(1)
    for _ in range(120):
        masks = env.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        _, rewards, dones, _ = env.step(actions)
        wins += (rewards[dones] == 1.0).tolist()
    assert len(wins) >= 16 and np.mean(wins) < 0.34


@pytest.mark.parametrize("make", BY_PLAN_SEARCH, ids=named)
def test_a_plan_that_somebody_else_began_is_played_on(make):
    game = new_game((2, 0), seed=5)
    agent = make()
    other = next(action for action in game.legal_actions() if action != agent.act(game.view(0)))
    game.act(other)
    while game.seat_to_act == 0 and game.position()["turn"] == 0:
        game.act(agent.act(game.view(0)))
    assert game.position("player_0")["clans"]["player_0"]["set_aside"] == game.action_name(other).split(":")[1]


@pytest.mark.parametrize(
    ("payoffs", "value"),
    [
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0),  # rock, paper, scissors
        ([[0, -3, 3], [1, 0, -1], [-1, 1, 0]], 0),
        ([[2, -1], [-1, 1]], 1 / 5),
        ([[1, 1], [0, 0], [-1, 3]], 1),
    ],
)
def test_regret_matching_comes_close_to_an_equilibrium(payoffs, value):
    table = np.array(payoffs, dtype=float)
    weights = np.zeros(len(table))
    solve_rows(table, weights)
    surely_won = (weights / weights.sum() @ table).min()
    allowed = 0.05 * np.ptp(table)
    assert value - allowed <= surely_won <= value + 1e-9
    # What it would be worth to choose evenly, where that is no equilibrium.
    evenly = table.mean(axis=0).min()
    assert surely_won > evenly or evenly == pytest.approx(value)


@pytest.mark.parametrize("table", [(2, 0), (3, 1), (4, 0), (1, 2)], ids=table_id)
def test_expected_returns_favour_points_and_legions(table):
    def expected(points=0, forts=""):
        game = new_game(table, seed=1)
        game.states["round_index"] = 1
        give_forts(game.states, 0, forts)
        game.states["points"][0, 0] += points
        returns = np.zeros(4)
        entry_point_of_expected_returns(game.states, 0, returns)
        return returns[: max(table[0], 1)]

    level = expected()
    if table[0] > 1:
        assert level == pytest.approx(np.zeros(table[0]), abs=1e-12)
        assert expected(5).sum() == pytest.approx(0.0, abs=1e-12)
    assert expected(20)[0] > expected(5)[0] > level[0] > expected(-5)[0]
    assert expected(0, "legion-1 legion-1")[0] > level[0] > expected(-8)[0]


def test_expected_returns_are_the_true_ones_at_the_end():
    game = play(new_game((3, 0), seed=4), Chooser())
    returns = np.zeros(4)
    entry_point_of_expected_returns(game.states, 0, returns)
    assert returns[:3].tolist() == list(game.returns().values())


def test_a_quick_schemer_plans_in_its_own_way():
    quick = romans_agents.make("schemer:quick=true")
    assert quick.compiled_code not in (SchemerAgent().compiled_code, MixerAgent().compiled_code)
    views = [new_game((2, 0), seed).view(0) for seed in range(12)]
    plans = [[tuple(agent._plan(view)) for view in views] for agent in (quick, SchemerAgent())]
    assert plans[0] != plans[1]
