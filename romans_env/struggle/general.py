"""Moving cards and figures (STRUGGLE 1.6, 2.3, 2.4).

*The player* is ``state.active``, the seat whose turn it is; in phase 1, the first player (STRUGGLE 5).
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.struggle.material import GOLD, NUM_BANK, NUM_PASTURE, NUM_RESOURCES
from romans_env.struggle.state import State


@inlined
def next_seat(state: State, seat):
    """Return the next seat clockwise (STRUGGLE 1.1)."""
    seat = np.int64(seat) + 1
    return seat - state.num_players * np.int64(seat >= state.num_players)


@inlined
def seat_after(state: State, seat, k):
    """Return the k-th seat clockwise from a seat; k is at most 3."""
    seat = np.int64(seat) + k
    return seat - state.num_players * np.int64(seat >= state.num_players)


# -- resource cards and gold


@inlined
def spend(state: State, seat, kind, count):
    """Move cards from a hand to the bank or to the pasture discard (STRUGGLE 1.6)."""
    state.hand[seat, kind] -= count
    if kind < NUM_BANK:
        state.bank[kind] += count
    else:
        state.discard[kind - NUM_BANK] += count


@inlined
def take_from_bank(state: State, seat, kind, count):
    """Move grain or ore from the bank to a hand."""
    state.bank[kind] -= count
    state.hand[seat, kind] += count


@inlined
def holds(state: State, seat, good, count):
    """Return whether a seat has at least ``count`` cards of a kind, or at least that much gold."""
    if good == GOLD:
        return state.gold[seat] >= count
    return state.hand[seat, good] >= count


@inlined
def hand_over(state: State, giver, taker, good, count):
    """Move cards or gold from one seat to another."""
    if good == GOLD:
        state.gold[giver] -= count
        state.gold[taker] += count
    else:
        state.hand[giver, good] -= count
        state.hand[taker, good] += count


@inlined
def hand_size(state: State, seat):
    """Return the number of resource cards in a seat's hand."""
    size = np.int64(0)
    for kind in range(NUM_RESOURCES):
        size += state.hand[seat, kind]
    return size


# -- pasture cards (STRUGGLE 2.3)


@inlined
def pasture_left(state: State):
    """Return the number of pasture cards that can be drawn, from the pile and the discard."""
    left = np.int64(0)
    for kind in range(NUM_PASTURE):
        left += np.int64(state.pile[kind]) + np.int64(state.discard[kind])
    return left


@inlined
def expect_pasture_card(state: State, seat, stage):
    """Make the draw of a pasture card for a seat the next chance event; one must be left (STRUGGLE 2.3)."""
    pile = np.int64(0)
    for kind in range(NUM_PASTURE):
        pile += state.pile[kind]
    if pile == 0:
        for kind in range(NUM_PASTURE):
            state.pile[kind] = state.discard[kind]
            state.discard[kind] = 0
    state.seat = seat
    state.stage = stage


@inlined
def add_pasture_card(state: State, kind):
    """Add the drawn pasture card to the hand of the seat that draws."""
    state.pile[kind - NUM_BANK] -= 1
    state.hand[state.seat, kind] += 1


# -- development cards (STRUGGLE 2.4)


@inlined
def expect_development_card(state: State, stage):
    """Make the draw of a development card for the player the next chance event; one must be left."""
    state.seat = state.active
    state.stage = stage


@inlined
def add_development_card(state: State, kind):
    """Add the drawn development card to the player's hand."""
    state.deck[kind] -= 1
    state.deck_size -= 1
    state.development[state.active, kind] += 1
    state.development_size[state.active] += 1


# -- figures


@inlined
def enlist(state: State, seat, tribe):
    """Move a figure of the tribe's kind from the reserve to the tribe's box."""
    state.reserve[seat, tribe] -= 1
    state.army[seat, tribe] += 1


@inlined
def tribe_of_turn(state: State):
    """Return the tribe whose turn it is: the horseman's in phase 3, the warrior's in phase 4 (STRUGGLE 5.3)."""
    return np.int64(state.phase) - 3
