"""General rules (ROMA 5): laying cards, defence, lost battles, payments of points.

*The player* is ``state.seat``, whose turn it is; ``1 - state.seat`` is the rival.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.roma.material import DEFENCE, NONE, NUM_CHARACTERS, NUM_DISCS, TURRIS
from romans_env.roma.state import PHASE_MAIN, PHASE_OVER, State


@inlined
def is_character(kind):
    """Return whether ``kind``, a card or NONE, is a character (ROMA 1.2)."""
    return (kind >= 0) & (kind < NUM_CHARACTERS)


@inlined
def is_building(kind):
    """Return whether ``kind``, a card or NONE, is a building (ROMA 1.2)."""
    return kind >= NUM_CHARACTERS


@inlined
def use_die(state: State, face):
    """Remove a die from the unused ones."""
    state.dice[face] -= 1


@inlined
def has_dice(state: State):
    """Return whether any die is unused."""
    dice = np.int64(0)
    for face in range(len(state.dice)):
        dice += state.dice[face]
    return dice > 0


# -- cards


@inlined
def add_to_hand(state: State, seat, kind):
    """Add a card to a seat's hand."""
    state.hand[seat, kind] += 1
    state.hand_size[seat] += 1


@inlined
def take_from_hand(state: State, seat, kind):
    """Remove a card from a seat's hand."""
    state.hand[seat, kind] -= 1
    state.hand_size[seat] -= 1


@inlined
def put_aside(state: State, seat, kind):
    """Put a card aside for a seat until it decides about it."""
    state.aside[seat, kind] += 1
    state.aside_size[seat] += 1


@inlined
def take_from_aside(state: State, seat, kind):
    """Remove a card from those that a seat has put aside."""
    state.aside[seat, kind] -= 1
    state.aside_size[seat] -= 1


@inlined
def discard(state: State, kind):
    """Put a card on the discard pile."""
    state.discard[kind] += 1
    state.discard_size += 1


@inlined
def discard_from(state: State, seat, disc):
    """Move the card on a seat's disc to the discard pile."""
    discard(state, state.discs[seat, disc])
    state.discs[seat, disc] = NONE


@inlined
def lay_card(state: State, kind, disc):
    """Lay a card on the player's disc and discard the card it covers, if any (ROMA 5.1)."""
    if state.discs[state.seat, disc] != NONE:
        discard(state, state.discs[state.seat, disc])
    state.discs[state.seat, disc] = kind


# -- defence (ROMA 5.5)


@inlined
def defence(state: State, disc):
    """Return the defence of the rival's card on a disc (ROMA 5.5)."""
    rival = 1 - state.seat
    total = DEFENCE[state.discs[rival, disc]] - 2 * np.int64(state.essedum)
    for other in range(NUM_DISCS):
        if other != disc and state.discs[rival, other] == TURRIS:
            total += 1
    return total


# -- points (ROMA 5.7, 7.1)


@inlined
def check_end(state: State):
    """End the game if a seat has no points or the stock is empty after a payment (ROMA 7.1)."""
    if (state.points[0] == 0) | (state.points[1] == 0) | (state.stock == 0):
        state.phase = PHASE_OVER


@inlined
def pay_to_stock(state: State, points):
    """Move points from the player to the stock; if he has fewer, all he has (ROMA 4.2)."""
    paid = min(np.int64(points), np.int64(state.points[state.seat]))
    state.points[state.seat] -= paid
    state.stock += paid
    check_end(state)


@inlined
def get_from_stock(state: State, points):
    """Give the player points from the stock in full, even if the stock has fewer (ROMA 5.7)."""
    state.points[state.seat] += points
    state.stock -= min(np.int64(points), np.int64(state.stock))
    check_end(state)


@inlined
def take_from_rival(state: State, points):
    """Move points from the rival to the player; if the rival has fewer, all he has (ROMA 5.7)."""
    rival = 1 - state.seat
    taken = min(np.int64(points), np.int64(state.points[rival]))
    state.points[rival] -= taken
    state.points[state.seat] += taken
    check_end(state)


# -- effects


@inlined
def finish_effect(state: State):
    """Finish the current effect; the turn goes on unless the game has ended."""
    if state.phase != PHASE_OVER:
        state.phase = PHASE_MAIN
    state.effect = NONE
    state.disc = NONE
    state.target = NONE
    state.value = 0
