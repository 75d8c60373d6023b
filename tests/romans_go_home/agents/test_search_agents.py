"""Search: what it may know, what it costs, and that it finds what is there to be found."""

import time

import numpy as np
import pytest

import romans_agents
from romans_agents import Policy
from romans_agents.loops.compiled_networks import networks_of
from romans_agents.romans_go_home import evaluator, network, plan_mc, round_ismcts_tree
from romans_agents.romans_go_home.agents import PlanMCAgent, RoundISMCTSAgent
from romans_agents.romans_go_home.plan_mc import MAX_PLANS
from romans_agents.romans_go_home.planning_agent import stream_for
from romans_agents.romans_go_home.round_start import undo_planning_in
from romans_agents.romans_go_home.scripted import GreedyAgent
from romans_agents.searches.budget import Budget
from romans_env.compiling.decorators import cached_jit
from tests.envs.playing import Chooser
from tests.policies import some_policy
from tests.romans_go_home.invariants import check
from tests.romans_go_home.stages import COVERING, SMALL_TABLES, Stage, give_forts, new_game, table_id
from tests.tools import decisions, play, state_bytes

probabilities_of = cached_jit(lambda states, nets, out: network.policy_probabilities(states[0], nets, out))
arrange_hidden = cached_jit(lambda states, seat, streams: evaluator.arrange_hidden(states, 0, seat, streams))
values_of = cached_jit(lambda states, nets, out: network.expected_by_network(states[0], nets, out))


@pytest.fixture
def policy_file(tmp_path):
    """A policy of random layers."""
    some_policy((16,)).save(tmp_path / "some.npz")
    return tmp_path / "some.npz"


@pytest.mark.parametrize("table", COVERING[:5], ids=table_id)
def test_planning_goes_back_to_the_start_of_the_round(table):
    """From whatever stage of its planning a seat looks, the root is the same, without anything of the rivals' plans."""
    roots = {}
    for game in decisions(new_game(table, 9), 9):
        position = game.position()
        if position["decision"]["kind"] in ("discard", "place"):
            root = game.view(game.seat_to_act).states.copy()
            undo_planning_in(root, 0, game.seat_to_act)
            roots.setdefault((position["round"], game.seat_to_act), set()).add(root.tobytes())
            players = slice(table[0])
            assert (root["line"][0, players] == -1).all()
            assert root["hand"][0, game.seat_to_act].sum() == 7
    assert len(roots) == 3 * table[0] and all(len(found) == 1 for found in roots.values())


@pytest.mark.parametrize("table", [(2, 1, "vogel"), (4, 0)], ids=table_id)
def test_a_likely_arrangement_agrees_with_what_the_seat_knows(table):
    rng, moved = np.random.default_rng(4), {}
    for game in decisions(new_game(table, 3), 3):
        view = game.view(game.seat_to_act)
        sample = view.sample_game(rng)
        before, kind = state_bytes(sample), game.position()["decision"]["kind"]
        arrange_hidden(sample.states, view.seat, stream_for(view.states, 1))
        check(sample)
        assert sample.view(view.seat).states.tobytes() == view.states.tobytes()
        moved[kind] = moved.get(kind, 0) + (before != state_bytes(sample))
    assert moved["place"] > 5 < sum(moved.values()) - moved["place"] - moved["discard"]


@pytest.mark.parametrize("table", COVERING[2:], ids=table_id)
def test_the_root_counts_every_iteration(table):
    agent = RoundISMCTSAgent(iterations=60)
    for game in decisions(new_game(table, 4), 4):
        view = game.view(game.seat_to_act)
        visits, totals = agent.search(view)
        assert visits.sum() == agent.last_iterations == 60
        assert set(np.flatnonzero(visits)) <= set(view.legal_actions())
        assert (np.abs(totals) <= visits + 1e-9).all()


def test_ismcts_takes_what_wins_at_once():
    # Dru'hid captures the first fort; the third Legion fort is in slot 5.
    stage = Stage({"player_0": "druhid", "player_1": "filchy"}, "dinary-1 dinary-3 unwary-2 dinary-5 legion-1 dinary-6")
    for agent in (RoundISMCTSAgent(iterations=300), PlanMCAgent(iterations=300)):
        game = stage.planned_game()
        give_forts(game.states, 0, "legion-2 legion-3")
        while game.position()["decision"]["kind"] != "take":
            game.act(GreedyAgent().act(game.view(game.seat_to_act)))
        assert game.action_name(agent.act(game.view("player_0"))) == "take:5"


def test_priors_of_a_policy_evaluator_the_search(policy_file):
    view = new_game((2, 0), seed=5).view(0)
    for policy in (str(policy_file), "legate"):
        likes = romans_agents.policy_of(policy).probabilities(view.observation[None], view.action_mask[None])[0]
        visits, _ = RoundISMCTSAgent(iterations=40, exploration=200.0, policy=policy).search(view)
        # With so much exploration visits are shared out as the priors are.
        assert visits / 40 == pytest.approx(likes, abs=0.05)
    even, _ = RoundISMCTSAgent(iterations=40, exploration=200.0).search(view)
    assert even.max() - even[even > 0].min() <= 2


def test_the_compiled_networks_are_the_policys(policy_file):
    policy = Policy.load(policy_file)
    nets = networks_of(policy)
    for k, game in enumerate(decisions(new_game((3, 0), 2), 2)):
        if k % 5 == 0:
            seat = game.seat_to_act
            observation, mask = game.observation_and_mask(seat)
            out = np.zeros(56)
            probabilities_of(game.states, nets, out)
            assert out == pytest.approx(policy.probabilities(observation[None], mask[None])[0], abs=1e-5)
            returns = np.zeros(4)
            values_of(game.states, nets, returns)
            observations = np.array([game.observation(player) for player in range(3)])
            values = policy.values(observations).clip(-1, 1)
            assert returns[:3] == pytest.approx(values - values.mean(), abs=1e-4)


@pytest.mark.parametrize("rollout", ["random", "greedy", "hoarder", "policy"])
@pytest.mark.parametrize("name", ["plan-mc", "round-ismcts"])
def test_rollouts(name, rollout, policy_file):
    policy = f",policy={policy_file}" if rollout == "policy" else ""
    for horizon in ("round", "game"):
        agent = romans_agents.make(f"{name}:iterations=8,rollout={rollout},horizon={horizon}{policy}")
        play(new_game((2, 1), 3), agent, Chooser())


def test_all_plans_are_candidates_once():
    root = new_game((2, 0), 11).view(0).states.copy()
    undo_planning_in(root, 0, 0)
    plans = PlanMCAgent(plans=MAX_PLANS)._candidates(root, 0, stream_for(root, 0))
    copies = root[0]["hand"][0].max()
    assert len(plans) == len(np.unique(plans, axis=0)) == (MAX_PLANS if copies == 1 else MAX_PLANS // 2)
    assert (np.sort(plans, axis=1) == np.sort(plans[0])).all()


@pytest.mark.parametrize("table", SMALL_TABLES[::3], ids=table_id)
def test_all_plans_of_a_small_table(table):
    play(new_game(table, 3), PlanMCAgent(iterations=20, plans=MAX_PLANS), Chooser())


def test_a_plan_is_evaluated_once_and_laid():
    agent, game = PlanMCAgent(iterations=200), new_game((2, 0), 12)
    calls = []
    make = agent._make_plan
    agent._make_plan = lambda *arguments: calls.append(1) or make(*arguments)
    while game.position()["round"] == 1 and game.position()["turn"] == 0:
        game.act(agent.act(game.view(game.seat_to_act)))
    assert len(calls) == 2  # one for each seat


def test_iterations_are_kept_to():
    counts = []
    assert Budget(100, None).spend(0.5, counts.append, cost=5) == 10
    assert counts == [10]
    assert Budget(1, None).spend(0.5, counts.append, cost=5) == 1


def test_seconds_are_kept_to(monkeypatch):
    """On a clock of its own: work that is slow at first and then takes its time unevenly."""
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])

    def work(count):
        clock[0] += count * (1e-3 if int(clock[0] * 40) % 2 else 2e-3)

    budget = Budget(1, 2.0)
    for share in (0.25, 0.25, 0.5):
        assert budget.spend(share, work) > 100
    assert 1.8 <= clock[0] <= 2.2


@pytest.mark.parametrize("name", ["round-ismcts", "plan-mc"])
def test_a_search_with_a_time_limit_has_decided_before_its_time_counts(name, monkeypatch):
    asked = []
    for kernel in (round_ismcts_tree, plan_mc):
        for entry in ("iterate", "compare_plans", "compare_actions"):
            if hasattr(kernel, entry):
                made = getattr(kernel, entry)
                monkeypatch.setattr(kernel, entry, lambda *a, made=made, entry=entry: asked.append(entry) or made(*a))
    agent = romans_agents.make(f"{name}:seconds=0.5")
    assert set(asked) == ({"iterate"} if name == "round-ismcts" else {"compare_plans", "compare_actions"})
    assert agent.seconds == 0.5


def test_a_search_with_a_time_limit_plays():
    names = ("round-ismcts", "plan-mc", "round-response")
    play(new_game((3, 0), 3), *(romans_agents.make(f"{name}:seconds=0.002") for name in names))
