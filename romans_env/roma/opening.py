"""The opening (ROMA 3): draw four cards, give two to the rival, lay four face-down, turn all face-up."""

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
    """Overwrite the record with the start of a new game: all cards in the pile, ten points each (ROMA 1.4, 1.5)."""
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
    """Add a drawn card to the seat's hand; after its fourth, the next seat draws or the giving begins (ROMA 3.1)."""
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
    """Allow giving any card of the hand (ROMA 3.2)."""
    for kind in range(material.NUM_CARDS):
        if state.hand[state.seat, kind] > 0:
            allow(state, GIVE + kind)


@inlined
def choose_give(state: State, action):
    """Put a card aside for the rival; once both seats have put two aside, exchange them (ROMA 3.2)."""
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
    """Exchange the cards put aside; each seat knows the cards it gave (ROMA 3.2, 9.2 a)."""
    for seat in range(material.NUM_SEATS):
        for kind in range(material.NUM_CARDS):
            while state.aside[seat, kind] > 0:
                take_from_aside(state, seat, kind)
                add_to_hand(state, 1 - seat, kind)
                add_known(state, 1 - seat, kind)


@inlined
def open_lay_face_down(state: State):
    """Allow laying any card of the hand on any free disc (ROMA 3.3)."""
    discs = np.int64(0)
    for disc in range(material.NUM_DISCS):
        discs |= np.int64(state.discs[state.seat, disc] == material.NONE) << np.int64(disc)
    for kind in range(material.NUM_CARDS):
        if state.hand[state.seat, kind] > 0:
            allow_lay(state, kind, discs)


@inlined
def choose_lay_face_down(state: State, action):
    """Lay a card face-down; once both hands are empty, turn all cards face-up (ROMA 3.3, 3.4)."""
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
    """Turn all cards face-up, so that none of them counts as hidden any more (ROMA 3.4, 9.2 e)."""
    for seat in range(material.NUM_SEATS):
        for disc in range(material.NUM_DISCS):
            if state.discs[seat, disc] != material.NONE:
                drop_known(state, seat, state.discs[seat, disc])
