"""The searches in Struggle for Rome: legal, from private views alone, compiled as interpreted, and of some strength."""

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
from romans_agents import Agent
from romans_agents.loops import search_loops
from romans_agents.loops.tree import Tree
from romans_agents.search import scratch_for, streams_for
from romans_agents.struggle import guide, search_kernels
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.value import standing_of, write_values
from romans_env.engine.loops import interpret_for
from romans_env.struggle import StruggleSetup, step
from romans_training.evaluation import evaluate
from tests.struggle.agents.choices import choices
from tests.struggle.scrambling import scrambled
from tests.struggle.stages import FOUR, SETTINGS, Lcg, Stage, new_game, opened, positions, state_bytes

ROOT = Path(__file__).resolve().parents[3]
SEARCHES = ["flat-mc:iterations=10", "mo-ismcts:iterations=10"]


def made(spec: str) -> Agent:
    return romans_agents.make(spec, game="struggle")


@pytest.mark.parametrize("spec", SEARCHES)
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_search_plays_legal_actions_in_every_setup(spec, settings):
    agent, rival = made(spec), made("trader")
    game = new_game(7, **settings)
    for _ in range(60):
        if game.is_over:
            break
        action = (agent if game.seat_to_act == 0 else rival).act(game.view(game.seat_to_act))
        assert action in game.legal_actions()
        game.act(action)


@pytest.mark.parametrize("spec", SEARCHES)
def test_a_choice_is_a_function_of_seed_and_private_view(spec):
    agent, lcg, changed = made(spec), Lcg(5), 0
    for game in positions([3], every=40):
        if game.is_over:
            continue
        seat = game.seat_to_act
        other = scrambled(game, seat, lcg)
        changed += state_bytes(other) != state_bytes(game)
        view = game.view(seat)
        before = view.states.tobytes()
        assert agent.act(other.view(seat)) == agent.act(view) == made(spec).act(view)
        assert view.states.tobytes() == before
    assert changed > 3


def test_another_seed_searches_otherwise():
    view = opened(40, 2).view(opened(40, 2).seat_to_act)
    visits = [made(f"mo-ismcts:iterations=60,seed={seed}").search(view)[1].tobytes() for seed in (1, 2)]
    assert visits[0] != visits[1]


@pytest.mark.parametrize("interpreted", ["1", "0"])
def test_agents_choose_alike_interpreted_and_from_the_cache_on_disk(interpreted):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": interpreted}
    # The hash of the tree overflows, as it shall; nothing else may.
    warnings = ["-W", "error::RuntimeWarning", "-W", "ignore::RuntimeWarning:romans_agents.loops.tree"]
    command = [sys.executable, *warnings, "-m", "tests.struggle.agents.choices"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == choices()


def test_the_search_loops_compiled_and_interpreted_build_the_same_tree():
    view = opened(30, 2).view(opened(30, 2).seat_to_act)
    interpreted = SimpleNamespace(**interpret_for(search_loops, game=step, guide=guide))
    found = []
    for loops in (search_kernels, interpreted):
        records, hashed, words = scratch_for(view.states)
        tree = Tree.new(256, 8192)
        streams = streams_for(view, 7, 1)
        loops.iterate(records, hashed, view.seat, tree, FOUR.num_actions, 1.0, 40, streams, words)
        found.append(tree)
    assert found[0].visits.sum() >= 40
    for compiled, plain in zip(*found, strict=True):
        assert np.array_equal(compiled, plain)


def test_priors_are_probabilities_and_values_returns():
    words = np.zeros((1, 4), dtype=np.int64)
    actions, priors, returns = np.zeros(FOUR.num_actions, dtype=np.int64), np.zeros(FOUR.num_actions), np.zeros(4)
    for game in positions([6], every=25):
        states = game.states.copy()
        if game.is_over:
            write_values(states[0], STYLES[TRADER], returns)
            assert returns.tolist() == list(game.returns().values())
            continue
        count = step.legal_actions(states, 0, actions)
        assert actions[:count].tolist() == game.legal_actions()
        guide.priors(states, 0, actions, count, priors)
        assert priors[:count].sum() == pytest.approx(1.0) and (priors[:count] > 0.0).all()
        guide.evaluate(states, 0, np.zeros((1, 4), dtype=np.int64), words, returns)
        assert returns.sum() == pytest.approx(0.0) and returns.min() >= -1.0 / 3.0 and returns.max() <= 1.0
        turn = [states[name][0] for name in ("round_number", "phase", "active")]
        assert turn != [game.states[name][0] for name in ("round_number", "phase", "active")] or step.is_over(states, 0)


def test_a_standing_grows_with_what_a_seat_has():
    weights = STYLES[TRADER]

    def standing(**staged):
        return standing_of(Stage(2, **staged).game.states[0], 0, weights)

    bare = standing()
    assert standing(hands={0: "ore horse"}) > bare
    assert standing(cards={0: "culture"}) > standing(cards={0: "treasure"}) > bare
    assert standing(tribes={(0, "horseman"): {"army": 2}}) > standing(tribes={(0, "horseman"): {"army": 1}})
    assert standing(tribes={(0, "horseman"): {"counters": "gallia"}}) > bare


def test_flat_mc_beats_random():
    found = evaluate(made("flat-mc:iterations=40"), [made("random")] * 3, StruggleSetup(), num_deals=4)
    assert found.win_rate.low > 0.5
