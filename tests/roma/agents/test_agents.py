"""The agents of Roma: legal, deterministic, from private views alone, compiled as interpreted, and of some strength."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import romans_agents
from romans_agents import Agent, UnknownAgentError
from romans_agents.arena import Arena
from romans_agents.loops import search_loops
from romans_agents.loops.tree import Tree
from romans_agents.mo_ismcts import MOISMCTSAgent
from romans_agents.roma import guide, search_kernels
from romans_agents.roma.expectimax import ExpectimaxAgent
from romans_agents.roma.scripted import DenierAgent, ForumRunnerAgent, RaiderAgent
from romans_agents.search import scratch_for, streams_for
from romans_env.engine.loops import interpret_for
from romans_env.roma import RomaSetup, step
from romans_env.roma.actions import NUM_ACTIONS
from romans_training.deals import deal_games
from romans_training.evaluation import evaluate
from tests.roma.agents.choices import SPECS, choices
from tests.roma.scrambling import scrambled
from tests.roma.stages import RULES, Lcg, Stage, new_game, positions, state_bytes

ROOT = Path(__file__).resolve().parents[3]
SCRIPTED = [ForumRunnerAgent, RaiderAgent, DenierAgent]


def made(spec: str) -> Agent:
    return romans_agents.make(spec, game="roma")


def play(game, agents):
    """Play a game to its end from views; an illegal action would raise."""
    while not game.is_over:
        game.act(agents[game.seat_to_act].act(game.view(game.seat_to_act)))
    return game


def arena(players, num_games):
    """The final records of games, played in a batch: ``players`` are the agents of every game's seats."""
    states, words = deal_games(RULES, range(num_games), seed=1)
    for _ in Arena(RULES, states, [players] * num_games, range(num_games), words=words).play():
        pass
    assert all(RULES.is_over(states, i) for i in range(num_games))
    return states


@pytest.mark.parametrize("spec", SPECS)
def test_an_agent_plays_whole_games_the_same_again(spec):
    for seed in range(3):
        games = [play(new_game(seed), [made(spec), made("random:seed=1")]) for _ in range(2)]
        assert games[0].record() == games[1].record()
    assert made(spec).name == spec


@pytest.mark.parametrize("spec", SPECS)
def test_a_choice_is_a_function_of_the_private_view(spec):
    agent, lcg, changed = made(spec), Lcg(5), 0
    for k, game in enumerate(positions([3, 4])):
        if k % 6 or game.is_over:
            continue
        seat = game.seat_to_act
        other = scrambled(game, seat, lcg)
        changed += state_bytes(other) != state_bytes(game)
        view = game.view(seat)
        before = view.states.tobytes()
        assert agent.act(other.view(seat)) == agent.act(view)
        assert view.states.tobytes() == before
    assert changed > 5


@pytest.mark.parametrize("agent", SCRIPTED)
def test_a_batch_of_compiled_games_is_that_of_views(agent):
    in_python = type(agent.__name__, (agent,), {})
    assert in_python.compiled_code is None
    compiled, python = (arena([make(), ForumRunnerAgent()], 20) for make in (agent, in_python))
    assert compiled.tobytes() == python.tobytes()


@pytest.mark.parametrize("interpreted", ["1", "0"])
def test_agents_choose_alike_interpreted_and_from_the_cache_on_disk(interpreted):
    here = choices()
    environment = {**os.environ, "NUMBA_DISABLE_JIT": interpreted}
    # The hash of the tree overflows, as it shall; nothing else may.
    warnings = ["-W", "error::RuntimeWarning", "-W", "ignore::RuntimeWarning:romans_agents.loops.tree"]
    command = [sys.executable, *warnings, "-m", "tests.roma.agents.choices"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == here


def test_the_search_loops_compiled_and_interpreted_build_the_same_tree():
    view = new_game(2).view(0)
    interpreted = SimpleNamespace(**interpret_for(search_loops, game=step, guide=guide))
    found = []
    for loops in (search_kernels, interpreted):
        records, hashed, words = scratch_for(view.states)
        tree = Tree.new(256, 4096)
        loops.iterate(records, hashed, 0, tree, NUM_ACTIONS, 1.0, 40, streams_for(view, 7, 1), words)
        found.append(tree)
    assert found[0].visits.sum() >= 40
    for compiled, plain in zip(*found, strict=True):
        assert np.array_equal(compiled, plain)


def test_priors_are_probabilities_and_values_returns():
    words = np.zeros((1, 4), dtype=np.int64)
    actions, priors, returns = np.zeros(NUM_ACTIONS, dtype=np.int64), np.zeros(NUM_ACTIONS), np.zeros(2)
    for game in positions([6]):
        states = game.states.copy()
        if game.is_over:
            continue
        count = step.legal_actions(states, 0, actions)
        assert actions[:count].tolist() == game.legal_actions()
        guide.priors(states, 0, actions, count, priors)
        assert priors[:count].sum() == pytest.approx(1.0) and (priors[:count] > 0.0).all()
        guide.evaluate(states, 0, np.zeros((1, 4), dtype=np.int64), words, returns)
        assert returns.sum() == pytest.approx(0.0) and np.abs(returns).max() <= 1.0
        assert states["turn"][0] > game.states["turn"][0] or step.is_over(states, 0)


# -- strength


@pytest.mark.parametrize("agent", SCRIPTED)
def test_scripted_agents_beat_random_by_far(agent):
    assert evaluate(agent(), [made("random")], RomaSetup(), num_deals=60).win_rate.low > 0.9


def test_expectimax_beats_forum_runner():
    assert evaluate(ExpectimaxAgent(), [ForumRunnerAgent()], RomaSetup(), num_deals=30).win_rate.low > 0.6


def test_ismcts_beats_forum_runner():
    assert evaluate(made("ismcts:iterations=100"), [ForumRunnerAgent()], RomaSetup(), num_deals=20).win_rate.low > 0.5


def test_forum_runner_uses_its_forum_with_the_highest_die():
    stage = Stage([1, 3, 6], {3: "forum", 4: "basilica"}, {1: "turris"})
    agent, chosen = ForumRunnerAgent(), []
    while stage.decision is not None and stage.decision["agent"] == stage.me and len(chosen) < 2:
        chosen.append(stage.game.action_name(agent.act(stage.game.view(0))))
        stage.play(chosen[-1])
    assert chosen == ["activate:3", "die:6"]
    assert stage.mine["points"] == 18


def test_raider_attacks_what_is_worth_most():
    stage = Stage([2], {2: "nero"}, {1: "machina", 4: "forum"})
    assert chosen_by(RaiderAgent(), stage) == "activate:2"
    stage.play("activate:2")
    assert chosen_by(RaiderAgent(), stage) == "rival:4"


def test_denier_fills_a_free_disc_rather_than_cover():
    own = dict.fromkeys((1, 2, 3, 5, 6), "forum")
    stage = Stage([1], own, hand=["turris"], money=(6, 0))
    assert chosen_by(DenierAgent(), stage) == "lay:turris:4"


def chosen_by(agent, stage):
    return stage.game.action_name(agent.act(stage.game.view(stage.game.seat_to_act)))


# -- specs


def test_names_are_those_of_the_game():
    names = romans_agents.names("roma")
    assert {"random", "policy", "forum-runner", "raider", "denier", "expectimax", "ismcts", "flat-mc"} <= set(names)
    assert "greedy" not in names
    with pytest.raises(UnknownAgentError) as error:
        made("greedy")
    assert str(error.value).startswith(f"unknown agent 'greedy'; there are {', '.join(names)}, or ")


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("expectimax:depth=0", "depth is 1 to 6, not 0"),
        ("expectimax:depth=7", "depth is 1 to 6, not 7"),
        ("expectimax:width=0", "width is 1 to 301, not 0"),
        ("expectimax:samples=-1", "samples is 1 to 1000, not -1"),
        ("expectimax:seed=-1", "seed is at least 0, not -1"),
        ("expectimax:depth=x", "depth is a number, not 'x'"),
        ("expectimax:breadth=1", "has no option 'breadth=1'; its options: depth, width, samples, seed"),
        ("forum-runner:seed=1", "has no option 'seed=1'; its options: none"),
        ("ismcts:iterations=0", "iterations is at least 1, not 0"),
        ("ismcts:seconds=0", "seconds is a number above 0, not 0.0"),
        ("ismcts:seed=-1", "seed is at least 0, not -1"),
        ("flat-mc:iterations=0", "iterations is at least 1, not 0"),
    ],
)
def test_an_option_out_of_range_is_one_clear_line(spec, says):
    with pytest.raises(UnknownAgentError) as error:
        made(spec)
    assert str(error.value) == f"agent {spec.split(':')[0]!r}{'' if says.startswith('has') else ':'} {says}"


def test_a_search_with_a_time_limit_keeps_it():
    agent = MOISMCTSAgent(seconds=0.05)
    game = new_game(1)
    assert agent.act(game.view(0)) in game.legal_actions()
    assert agent.last_iterations > 10
