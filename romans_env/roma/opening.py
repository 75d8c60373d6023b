"""The opening (ROMA 3): four cards are drawn, two given to the rival, four laid face-down, all turned face-up."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.roma import material
from romans_env.roma.actions import GIVE, LAY, allow, allow_lay, forbid_all
from romans_env.roma.general import add_to_hand, lay_card, put_aside, take_from_aside, take_from_hand
from romans_env.roma.knowledge import add_known, drop_known
from romans_env.roma.state import PHASE_DEAL, PHASE_GIVE, PHASE_LAY, State
from romans_env.roma.turn import start_turn


@jitted
def set_up(state: State):
    """Set up the material, and ten points for each seat (ROMA 1.4), overwriting whatever the record held."""
    forbid_all(state)
    state.thrown = 0
    state.turn = 0
    state.value = 0
    state.battles = 0
    state.drawn = 0
    state.phase = PHASE_DEAL
    state.seat = 0
    state.left = material.HAND_SIZE
    state.effect = material.NONE
    state.disc = material.NONE
    state.target = material.NONE
    state.viewer = material.NONE
    state.essedum = 0
    state.stock = material.STOCK_AT_START
    state.pile_size = material.DECK_SIZE
    state.discard_size = 0
    for kind in range(material.NUM_CARDS):
        state.pile[kind] = material.COPIES[kind]
    state.discard[:] = 0
    state.dice[:] = 0
    state.points[:] = material.POINTS_AT_START
    state.money[:] = 0
    state.hand[:] = 0
    state.hand_size[:] = 0
    state.aside[:] = 0
    state.aside_size[:] = 0
    state.known[:] = 0
    state.known_size[:] = 0
    state.discs[:] = material.NONE
    state.blocked[:] = 0


@inlined
def deal_card(state: State, kind):
    """Add one of a seat's four cards to its hand (ROMA 3.1); after the last one, the next seat draws or gives."""
    state.pile[kind] -= 1
    state.pile_size -= 1
    add_to_hand(state, state.seat, kind)
    state.drawn += 1
    state.left -= 1
    if state.left == 0:
        if state.seat == 0:
            state.seat = 1
            state.left = material.HAND_SIZE
        else:
            state.seat = 0
            state.phase = PHASE_GIVE
            state.left = material.NUM_GIVEN


@inlined
def open_give(state: State):
    """Allow giving each card of the hand (ROMA 3.2)."""
    for kind in range(material.NUM_CARDS):
        if state.hand[state.seat, kind] > 0:
            allow(state, GIVE + kind)


@inlined
def choose_give(state: State, action):
    """Put a card aside; when both seats have, exchange (ROMA 3.2)."""
    kind = action - GIVE
    take_from_hand(state, state.seat, kind)
    put_aside(state, state.seat, kind)
    state.left -= 1
    if state.left == 0:
        if state.seat == 0:
            state.seat = 1
            state.left = material.NUM_GIVEN
        else:
            exchange(state)
            state.seat = 0
            state.phase = PHASE_LAY


@inlined
def exchange(state: State):
    """Exchange the cards that both seats put aside; each knows the ones that it gave (ROMA 3.2, 9.2 a)."""
    for seat in range(material.NUM_SEATS):
        for kind in range(material.NUM_CARDS):
            while state.aside[seat, kind] > 0:
                take_from_aside(state, seat, kind)
                add_to_hand(state, 1 - seat, kind)
                add_known(state, 1 - seat, kind)


@inlined
def open_lay_face_down(state: State):
    """Allow laying each card of the hand on each free disc (ROMA 3.3)."""
    discs = np.int64(0)
    for disc in range(material.NUM_DISCS):
        discs |= np.int64(state.discs[state.seat, disc] == material.NONE) << np.int64(disc)
    for kind in range(material.NUM_CARDS):
        if state.hand[state.seat, kind] > 0:
            allow_lay(state, kind, discs)


@inlined
def choose_lay_face_down(state: State, action):
    """Lay a card face-down; when both hands are empty, turn all cards face-up (ROMA 3.3, 3.4)."""
    kind = (action - LAY) // material.NUM_DISCS
    take_from_hand(state, state.seat, kind)
    lay_card(state, kind, (action - LAY) % material.NUM_DISCS)
    if state.hand_size[state.seat] == 0:
        if state.seat == 0:
            state.seat = 1
        else:
            turn_face_up(state)
            start_turn(state, 1)


@inlined
def turn_face_up(state: State):
    """Turn all cards face-up: none of them is hidden any more (ROMA 3.4, 9.2 e)."""
    for seat in range(material.NUM_SEATS):
        for disc in range(material.NUM_DISCS):
            if state.discs[seat, disc] != material.NONE:
                drop_known(state, seat, state.discs[seat, disc])
