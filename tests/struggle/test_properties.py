"""What every game of Struggle for Rome survives under random play."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from romans_env import Game, GameOverError, IllegalActionError, replay
from romans_env.struggle.state import STATE
from tests.struggle import invariants
from tests.struggle.stages import SETTINGS, Lcg, decisions, new_game, opened, played, state_bytes

SEEDS = st.integers(0, 2**63 - 1)


@pytest.mark.parametrize("setting", SETTINGS)
@given(SEEDS, SEEDS)
@settings(max_examples=4)
def test_cards_figures_counters_points_and_returns(setting, seed, choices):
    game = new_game(seed, **setting)
    for number, _ in enumerate(decisions(game, choices)):
        if number % 4 == 0:
            invariants.check(game)
    invariants.check(game)


@pytest.mark.parametrize("setting", SETTINGS)
@given(SEEDS, SEEDS, st.integers(0, 200))
@settings(max_examples=4)
def test_a_record_replays_without_a_generator(setting, seed, choices, stop_after):
    with pytest.MonkeyPatch.context() as patch:
        for game in (
            played(new_game(seed, **setting), choices),
            played(new_game(seed, **setting), choices, stop_after),
        ):
            record = json.loads(json.dumps(game.record()))
            assert record["format"] == "struggle/1"
            patch.setattr("romans_env.chance.draw_outcome", None)
            again = replay(record)
            patch.undo()
            assert state_bytes(again) == state_bytes(game)
            assert again.record() == game.record()


def test_the_same_seed_the_same_game():
    for seed in range(3):
        assert played(new_game(seed), 1).record() == played(new_game(seed), 1).record()
    assert new_game(1).deal() != new_game(2).deal()


def test_the_dice_of_a_round_do_not_depend_on_what_was_played():
    dice = {}
    for choices in range(6):
        game, markers = new_game(seed=9, max_rounds=12), {}
        for _ in decisions(game, choices):
            position = game.position()
            if position["phase"] > 1:
                markers[position["round"]] = position["markers"]
        for number, found in markers.items():
            assert found == dice.setdefault(number, found) and len(found) == 4
    assert len(dice) == 12 and len(set(map(tuple, dice.values()))) > 6


@given(SEEDS, SEEDS, st.integers(0, 200))
@settings(max_examples=6)
@pytest.mark.parametrize(
    "copied",
    [
        pytest.param(Game.clone, id="clone"),
        pytest.param(copy.deepcopy, id="deepcopy"),
        pytest.param(lambda game: pickle.loads(pickle.dumps(game)), id="pickle"),
    ],
)
def test_a_copy_is_independent_and_goes_on_alike(copied, seed, choices, stop_after):
    game = played(new_game(seed, num_players=3 + seed % 2, max_rounds=20), choices, stop_after)
    before, record = state_bytes(game), game.record()
    twin = copied(game)
    assert (state_bytes(twin), twin.record()) == (before, record)
    played(twin, seed=choices + 1)
    assert (state_bytes(game), game.record()) == (before, record)
    played(game, seed=choices + 1)
    assert (state_bytes(twin), twin.record()) == (state_bytes(game), game.record())


@pytest.mark.parametrize("setting", SETTINGS)
def test_an_illegal_action_changes_nothing(setting):
    lcg = Lcg(1)
    for number, game in enumerate(decisions(new_game(1, **setting), 1)):
        if number % 10:
            continue
        before, legal = state_bytes(game), game.legal_actions()
        for action in [lcg.below(game.rules.num_actions) for _ in range(20)]:
            if action not in legal:
                with pytest.raises(IllegalActionError):
                    game.act(action)
        assert state_bytes(game) == before and game.legal_actions() == legal


def test_a_game_that_is_over():
    game = played(new_game(seed=1, max_rounds=3), 1)
    before = state_bytes(game)
    with pytest.raises(GameOverError):
        game.act(0)
    assert state_bytes(game) == before and game.legal_actions() == [] and game.agent_to_act is None


def test_records_have_no_bytes_that_belong_to_no_field():
    fields = sum(STATE[name].itemsize for name in STATE.names)
    assert fields == STATE.itemsize and STATE.itemsize % 8 == 0


def test_restored_bytes_are_the_game():
    game = opened(50, seed=3)
    states = np.frombuffer(game.states.tobytes(), dtype=STATE).copy()
    assert Game.of_states(game.rules, states).position() == game.position()
