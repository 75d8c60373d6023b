"""A game of this library that is exported to OpenSpiel, and taken back in, is the same game."""

import random

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from romans_env.core.games import spec_of
from romans_env.core.protocol import CHANCE
from romans_env.envs.open_spiel_game import open_spiel_game
from romans_env.roma import Roma
from romans_env.romans_go_home import RomansGoHome, Table
from tests.openspiel.playthroughs import forced
from tests.romans_go_home.stages import SMALL_TABLES

GAMES = [pytest.param(RomansGoHome(Table(*SMALL_TABLES[0])), id="small-table"), pytest.param(Roma(), id="roma")]


@pytest.mark.parametrize("own", GAMES)
def test_an_exported_game_taken_back_in_is_the_same_game(own):
    exported = open_spiel_game(own)
    back = spec_of(f"openspiel:{exported}").make_rules()
    assert (back.num_players, back.num_actions) == (own.num_players, own.num_actions)
    assert back.num_players * back.observation_size == back.global_state_low.size
    for seed in range(2):
        compare_playthroughs(own, back, forced(exported.new_initial_state()), random.Random(seed))


def compare_playthroughs(own, back, state, chosen):
    """Play one game at random in both; the state of the export has the game's own record."""
    states, length = back.new_states(1), 0
    seat = back.begin(states, 0)
    while seat >= 0 or seat == CHANCE:
        if seat == CHANCE:
            move = chosen.choice([outcome for outcome, _ in back.chance_outcomes(states, 0)])
            seat = back.act_chance(states, 0, move)
        else:
            record = state.moment.states
            assert seat == own.seat_to_act(record, 0)
            assert back.legal_actions(states, 0) == own.legal_actions(record, 0)
            check_observations(own, back, record, states)
            move, length = chosen.choice(back.legal_actions(states, 0)), length + 1
            seat = back.act(states, 0, move)
        state.apply_action(move)
        forced(state)
    assert state.is_terminal() and length > 3
    expected = [own.game_return(state.moment.states, 0, player) for player in range(own.num_players)]
    assert back.points_of(states)[0].tolist() == [round(one * back.facts.points_per_return) for one in expected]


def check_observations(own, back, record, states):
    if back.facts.tensor != "observation":
        return
    for player in range(own.num_players):
        two = np.empty(back.observation_size, np.float32)
        one = np.empty(own.observation_size, own.observation_low.dtype)
        own.observe(record, 0, player, one, np.empty(0, np.int8))
        back.observe(states, 0, player, two, np.empty(0, np.int8))
        assert one.tolist() == two.tolist()
