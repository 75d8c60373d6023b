"""A tribe's turn in phases 3 and 4 (STRUGGLE 5.3): resting, and its other actions."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.struggle import actions, general
from romans_env.struggle.development import may_play, may_play_great_warrior, play_great_warrior, play_treasure
from romans_env.struggle.kingdoms import conquer, conquests
from romans_env.struggle.material import NUM_BANK, TREASURE
from romans_env.struggle.moving import set_out
from romans_env.struggle.plundering import plunder, plunders
from romans_env.struggle.rounds import end_turn
from romans_env.struggle.state import CROSSROADS, STAGE_REST_PASTURE, State

GOLD_OF_REST = 2
_REST_GOLD, _REST_PASTURE = 0, len(actions.RESTS) - 1


@inlined
def open_tribe(state: State):
    """Add the legal actions of the tribe's turn."""
    seat, tribe = state.active, general.tribe_of_turn(state)
    if (state.moved == 0) & (state.card_played == 0):
        actions.allow(state, actions.REST + _REST_GOLD)
        for kind in range(NUM_BANK):
            actions.allow_if(state, actions.REST + 1 + kind, state.bank[kind] > 0)
        actions.allow_if(state, actions.REST + _REST_PASTURE, general.pasture_left(state) > 0)
    else:
        actions.allow(state, actions.END)
    actions.allow_if(state, actions.PLAY_GREAT_WARRIOR, may_play_great_warrior(state))
    actions.allow_if(state, actions.PLAY_TREASURE, may_play(state, TREASURE))
    if state.kingdom[seat, tribe] == 0:
        if state.moved == 0:
            state.places = CROSSROADS
        state.legal[actions.PLUNDER_WORD] = plunders(state)
    state.legal[actions.CONQUER_WORD] = conquests(state)


@inlined
def choose_tribe(state: State, action):
    """Play the player's action."""
    if action >= actions.LEGION:
        set_out(state, action)
    elif action >= actions.CONQUER:
        conquer(state, action - actions.CONQUER)
        end_turn(state)
    elif action >= actions.PLUNDER:
        plunder(state, action - actions.PLUNDER)
    elif action == actions.END:
        end_turn(state)
    elif action >= actions.REST:
        rest(state, action - actions.REST)
    elif action == actions.PLAY_GREAT_WARRIOR:
        play_great_warrior(state)
    else:
        play_treasure(state)


@inlined
def rest(state: State, choice):
    """Rest for gold or a card, and end the turn."""
    if choice == _REST_PASTURE:
        general.expect_pasture_card(state, state.active, STAGE_REST_PASTURE)
        return
    if choice == _REST_GOLD:
        state.gold[state.active] += GOLD_OF_REST
    else:
        general.take_from_bank(state, state.active, np.int64(choice - 1), 1)
    end_turn(state)


@inlined
def add_rested_card(state: State, kind):
    """Add the pasture card for which the tribe rested to the hand, and end the turn."""
    general.add_pasture_card(state, kind)
    end_turn(state)
