"""A turn (ROMA 4): paying for free discs, throwing the dice, and using them."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.roma import general
from romans_env.roma.actions import ACTIVATE, ALL_DISCS, DRAW, END, KEEP, LAY, MONEY, STAND, THROW, allow, allow_lay
from romans_env.roma.knowledge import drop_known, know_all_if_pile_is_empty
from romans_env.roma.material import COST, LAST_TURN, NONE, NUM_CARDS, NUM_DICE, NUM_DISCS, NUM_FACES
from romans_env.roma.state import PHASE_DICE, PHASE_DRAW, PHASE_KEEP, PHASE_MAIN, PHASE_OVER, PHASE_TRIPLE, State

# -- phases 1 and 2


@inlined
def start_turn(state: State, turn):
    """Begin a turn: its player pays for free discs (ROMA 4.1, 4.2), then throws the dice (4.3)."""
    state.turn = turn
    state.seat = (turn - 1) % 2
    state.thrown = 0
    state.battles = 0
    state.drawn = 0
    throw_dice(state)
    general.pay_to_stock(state, num_free_discs(state, state.seat))


@inlined
def num_free_discs(state: State, seat):
    """Return the number of free discs of a seat."""
    free = np.int64(0)
    for disc in range(NUM_DISCS):
        free += np.int64(state.discs[seat, disc] == NONE)
    return free


@inlined
def throw_dice(state: State):
    """Make the throw of the three action dice the next chance event (ROMA 4.3)."""
    for face in range(NUM_FACES):
        state.dice[face] = 0
    state.left = NUM_DICE
    state.phase = PHASE_DICE


@inlined
def add_die(state: State, face):
    """Add the face of a die; after the third die, three equal ones lead to the `triple` decision (ROMA 4.3)."""
    state.dice[face] += 1
    state.thrown += 1
    state.left -= 1
    if state.left == 0:
        # All dice are equal if the last one shows its face for the third time.
        state.phase = PHASE_TRIPLE if state.dice[face] == NUM_DICE else PHASE_MAIN


@inlined
def open_triple(state: State):
    """Allow throwing three equal dice again or keeping them (ROMA 4.3)."""
    allow(state, THROW)
    allow(state, STAND)


@inlined
def choose_triple(state: State, action):
    """Throw the dice again or go on (ROMA 4.3)."""
    if action == THROW:
        throw_dice(state)
    else:
        state.phase = PHASE_MAIN


# -- phase 3


@inlined
def open_main(state: State, activations):
    """Add the legal actions of phase 3 (ROMA 4.4).

    Args:
        state: the record.
        activations: the discs that a die may activate, as bits.
    """
    money = state.money[state.seat]
    for kind in range(NUM_CARDS):
        if state.hand[state.seat, kind] > 0 and COST[kind] <= money:
            allow_lay(state, kind, ALL_DISCS)
    may_draw = (state.pile_size > 0) | (state.discard_size > 0)
    for face in range(NUM_FACES):
        if state.dice[face] > 0:
            allow(state, MONEY + face)
            if may_draw:
                allow(state, DRAW + face)
            if (activations >> np.int64(face)) & np.int64(1):
                allow(state, ACTIVATE + face)
    allow(state, END)


@inlined
def buy_card(state: State, action):
    """Lay a card of the hand and pay its cost (ROMA 4.4)."""
    kind = (action - LAY) // NUM_DISCS
    state.money[state.seat] -= COST[kind]
    lay_from_hand(state, kind, (action - LAY) % NUM_DISCS)


@inlined
def lay_from_hand(state: State, kind, disc):
    """Lay a card of the hand, which is then no longer hidden (ROMA 5.1, 9.2 e)."""
    general.take_from_hand(state, state.seat, kind)
    drop_known(state, state.seat, kind)
    general.lay_card(state, kind, disc)


@inlined
def use_for_money(state: State, face):
    """Use a die for sestertii (ROMA 4.4)."""
    general.use_die(state, face)
    state.money[state.seat] += face + 1


@inlined
def use_for_cards(state: State, face):
    """Use a die to draw cards (ROMA 4.4)."""
    general.use_die(state, face)
    state.left = face + 1
    draw_next(state)


@inlined
def draw_next(state: State):
    """Draw the next card, unless all have been drawn or none is left (ROMA 2.3, 4.4)."""
    refill_pile(state)
    if state.left == 0 or state.pile_size == 0:
        state.left = 0
        state.phase = PHASE_KEEP
    else:
        state.phase = PHASE_DRAW


@inlined
def refill_pile(state: State):
    """Make the discard pile the pile if a card is to be drawn and the pile is empty (ROMA 2.3)."""
    if state.left > 0 and state.pile_size == 0:
        for kind in range(NUM_CARDS):
            state.pile[kind] = state.discard[kind]
            state.discard[kind] = 0
        state.pile_size = state.discard_size
        state.discard_size = 0


@inlined
def take_from_pile(state: State, kind):
    """Remove a card from the pile."""
    state.pile[kind] -= 1
    state.pile_size -= 1


@inlined
def draw_card(state: State, kind):
    """Put the drawn card aside (ROMA 4.4); if it was the last of the pile, both seats can infer all cards (9.2 d)."""
    take_from_pile(state, kind)
    general.put_aside(state, state.seat, kind)
    know_all_if_pile_is_empty(state)
    state.drawn += 1
    state.left -= 1
    draw_next(state)


@inlined
def open_keep(state: State):
    """Allow keeping any of the drawn cards (ROMA 4.4)."""
    for kind in range(NUM_CARDS):
        if state.aside[state.seat, kind] > 0:
            allow(state, KEEP + kind)


@inlined
def choose_keep(state: State, action):
    """Keep one card and discard the others (ROMA 4.4, 9.2 e)."""
    general.take_from_aside(state, state.seat, action - KEEP)
    general.add_to_hand(state, state.seat, action - KEEP)
    for kind in range(NUM_CARDS):
        while state.aside[state.seat, kind] > 0:
            general.take_from_aside(state, state.seat, kind)
            drop_known(state, state.seat, kind)
            general.discard(state, kind)
    state.phase = PHASE_MAIN


@inlined
def end_turn(state: State):
    """End the turn (ROMA 4.5); after turn 200 the game ends (7.2)."""
    for face in range(NUM_FACES):
        state.dice[face] = 0
    state.essedum = 0
    for disc in range(NUM_DISCS):
        state.blocked[state.seat, disc] = 0
    if state.turn == LAST_TURN:
        state.phase = PHASE_OVER
    else:
        start_turn(state, state.turn + 1)
