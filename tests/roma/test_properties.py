"""What every game of Roma survives under random play."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from romans_env import Game, GameOverError, IllegalActionError, replay
from romans_env.roma.state import STATE
from tests.roma import invariants
from tests.roma.stages import Lcg, decisions, new_game, opened, played, state_bytes

SEEDS = st.integers(0, 2**63 - 1)


@given(SEEDS, SEEDS)
@settings(max_examples=20)
def test_cards_points_masks_and_returns(seed, choices):
    game = new_game(seed)
    for _ in decisions(game, choices):
        invariants.check(game)
    invariants.check(game)


@given(SEEDS, SEEDS, st.integers(0, 80))
@settings(max_examples=20)
def test_a_record_replays_without_a_generator(seed, choices, stop_after):
    with pytest.MonkeyPatch.context() as patch:
        for game in (played(new_game(seed), choices), played(new_game(seed), choices, stop_after)):
            record = json.loads(json.dumps(game.record()))
            assert record["format"] == "roma/1" and record["table"] == {}
            patch.setattr("romans_env.chance.draw_outcome", None)
            again = replay(record)
            patch.undo()
            assert state_bytes(again) == state_bytes(game)
            assert again.record() == game.record()


def test_the_same_seed_the_same_game():
    for seed in range(5):
        assert played(new_game(seed), 1).record() == played(new_game(seed), 1).record()
    assert new_game(1).deal() != new_game(2).deal()


def test_the_dice_of_a_turn_do_not_depend_on_what_was_played():
    dice = {}
    for choices in range(12):
        game, turn = new_game(seed=9), 0
        for _ in decisions(game, choices):
            position = game.position()
            if position["turn"] > turn:
                turn = position["turn"]
                assert position["dice"] == dice.setdefault(turn, position["dice"]) and len(position["dice"]) == 3
    assert len(dice) >= 10


@given(SEEDS, SEEDS, st.integers(0, 80))
@settings(max_examples=15)
@pytest.mark.parametrize(
    "copied",
    [
        pytest.param(Game.clone, id="clone"),
        pytest.param(copy.deepcopy, id="deepcopy"),
        pytest.param(lambda game: pickle.loads(pickle.dumps(game)), id="pickle"),
    ],
)
def test_a_copy_is_independent_and_goes_on_alike(copied, seed, choices, stop_after):
    game = played(new_game(seed), choices, stop_after)
    before, record = state_bytes(game), game.record()
    twin = copied(game)
    assert (state_bytes(twin), twin.record()) == (before, record)
    played(twin, seed=choices + 1)
    assert (state_bytes(game), game.record()) == (before, record)
    played(game, seed=choices + 1)
    assert state_bytes(game) == state_bytes(twin) and game.record() == twin.record()


@given(SEEDS, st.integers(0, 80))
@settings(max_examples=15)
def test_an_illegal_action_is_refused_and_changes_nothing(seed, stop_after):
    game = opened(stop_after, seed)
    if game.is_over:
        return
    before, legal = state_bytes(game), game.legal_actions()
    for action in [*range(game.rules.num_actions), -1, 301, 302, 2**40, -(2**40)]:
        if action not in legal:
            with pytest.raises(IllegalActionError):
                game.act(action)
            assert state_bytes(game) == before
    for action in legal:
        twin = game.clone()
        twin.act(action)
        assert state_bytes(twin) != before


def test_nobody_acts_after_the_end():
    game = opened(10_000, seed=11)
    assert game.is_over
    for action in (0, 195, "end", "nonsense"):
        with pytest.raises(GameOverError):
            game.act(action)


@given(SEEDS, st.integers(0, 80))
@settings(max_examples=15)
def test_looking_changes_nothing(seed, stop_after):
    game = opened(stop_after, seed)
    before = state_bytes(game)
    for player in game.players:
        view = game.view(player)
        hidden = view.states.tobytes()
        view.position(), view.observation, view.action_mask, view.legal_actions()
        view.sample_game(np.random.default_rng(1))
        game.observation(player), game.action_mask(player), game.position(player)
        assert view.states.tobytes() == hidden
    game.position(), game.global_state(), game.events(), game.deal(), game.points(), game.winners(), game.returns()
    assert state_bytes(game) == before


def test_a_record_has_no_bytes_that_belong_to_no_field():
    # numpy's copy() copies such bytes or not: equal games would have other bytes.
    end = 0
    for name in STATE.names:
        field, offset = STATE.fields[name][:2]
        assert offset == end, f"padding before {name}"
        end += field.itemsize
    assert end == STATE.itemsize


def test_a_game_may_last_200_turns():
    game = new_game(seed=0)
    while not game.is_over:
        # Full discs cost nothing, and nobody gets points.
        position = game.position()
        actions = game.legal_actions()
        kind = position["decision"]["kind"]
        if kind == "main":
            discs = position["players"][game.agent_to_act]["discs"]
            free = [a for a in actions if 25 <= a < 175 and discs[(a - 25) % 6] is None]
            safe = [a for a in actions if a < 189 or a == 195]
            game.act(free[0] if free else safe[-1] if Lcg(len(game.actions)).below(4) == 0 else safe[0])
        else:
            game.act(actions[0])
    assert game.is_over
    invariants.check(game)
