"""A tribe's turn in phases 3 and 4 (STRUGGLE 5.3): resting, and what else it may do."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.struggle.actions import (
    CONQUER,
    CONQUER_WORD,
    END,
    LEGION,
    PLAY_GREAT_WARRIOR,
    PLAY_TREASURE,
    PLUNDER,
    PLUNDER_WORD,
    REST,
    RESTS,
    allow,
    allow_if,
)
from romans_env.struggle.development import may_play, may_play_great_warrior, play_great_warrior, play_treasure
from romans_env.struggle.general import (
    add_pasture_card,
    expect_pasture_card,
    pasture_left,
    take_from_bank,
    tribe_of_turn,
)
from romans_env.struggle.kingdoms import conquer, conquests
from romans_env.struggle.material import NUM_BANK, TREASURE
from romans_env.struggle.moving import set_out
from romans_env.struggle.plundering import plunder, plunders
from romans_env.struggle.rounds import end_turn
from romans_env.struggle.state import CROSSROADS, STAGE_REST_PASTURE

GOLD_OF_REST = 2
_REST_GOLD, _REST_PASTURE = 0, len(RESTS) - 1


@inlined
def open_tribe(state):
    """Add the legal actions of the tribe's turn."""
    seat, tribe = state.active, tribe_of_turn(state)
    if (state.moved == 0) & (state.card_played == 0):
        allow(state, REST + _REST_GOLD)
        for kind in range(NUM_BANK):
            allow_if(state, REST + 1 + kind, state.bank[kind] > 0)
        allow_if(state, REST + _REST_PASTURE, pasture_left(state) > 0)
    else:
        allow(state, END)
    allow_if(state, PLAY_GREAT_WARRIOR, may_play_great_warrior(state))
    allow_if(state, PLAY_TREASURE, may_play(state, TREASURE))
    if state.kingdom[seat, tribe] == 0:
        if state.moved == 0:
            state.places = CROSSROADS
        state.legal[PLUNDER_WORD] = plunders(state)
    state.legal[CONQUER_WORD] = conquests(state)


@inlined
def choose_tribe(state, action):
    """Do what the player chose."""
    if action >= LEGION:
        set_out(state, action)
    elif action >= CONQUER:
        conquer(state, action - CONQUER)
        end_turn(state)
    elif action >= PLUNDER:
        plunder(state, action - PLUNDER)
    elif action == END:
        end_turn(state)
    elif action >= REST:
        rest(state, action - REST)
    elif action == PLAY_GREAT_WARRIOR:
        play_great_warrior(state)
    else:
        play_treasure(state)


@inlined
def rest(state, choice):
    """Rest for gold or a card, and end the turn."""
    if choice == _REST_PASTURE:
        expect_pasture_card(state, state.active, STAGE_REST_PASTURE)
        return
    if choice == _REST_GOLD:
        state.gold[state.active] += GOLD_OF_REST
    else:
        take_from_bank(state, state.active, np.int64(choice - 1), 1)
    end_turn(state)


@inlined
def add_rested_card(state, kind):
    """Add the pasture card that the tribe rested for to the hand, and end the turn."""
    add_pasture_card(state, kind)
    end_turn(state)
