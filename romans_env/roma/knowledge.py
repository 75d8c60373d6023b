"""What a seat knows (ROMA 9): its rival's hidden cards that it is certain of, and its private view.

`hide` turns a record into a redacted record by overwriting everything that one seat may not know. Views, positions
for a seat and determinizations are made from such a record, never from the full state, so they cannot leak.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.roma.actions import forbid_all
from romans_env.roma.material import CONSILIARIUS, MACHINA, NONE, NUM_CARDS, NUM_DISCS, UNKNOWN
from romans_env.roma.state import State


@inlined
def is_aside_open(state: State):
    """Return whether cards put aside are open: true for those picked up, false for given or drawn ones (ROMA 9.1)."""
    return (state.effect == CONSILIARIUS) | (state.effect == MACHINA)


@inlined
def num_hidden(state: State, seat):
    """Return the number of a seat's hidden cards: in hand, put aside, and face-down (ROMA 9.1)."""
    count = np.int64(state.hand_size[seat])
    if not is_aside_open(state):
        count += state.aside_size[seat]
    if state.turn == 0:
        for disc in range(NUM_DISCS):
            count += np.int64(state.discs[seat, disc] != NONE)
    return count


@inlined
def is_pile_known(state: State, seat):
    """Return whether a seat is certain of all its rival's hidden cards, and so of the pile (ROMA 10.3)."""
    return state.known_size[1 - seat] == num_hidden(state, 1 - seat)


# -- `known` (ROMA 9.2)


@inlined
def add_known(state: State, seat, kind):
    """Add a card that the rival has seen to the seat's `known` cards (ROMA 9.2 a, b)."""
    state.known[seat, kind] += 1
    state.known_size[seat] += 1


@inlined
def drop_known(state: State, seat, kind):
    """Remove a card that is laid, turned face-up or discarded from the seat's `known` cards (ROMA 9.2 e)."""
    if state.known[seat, kind] > 0:
        state.known[seat, kind] -= 1
        state.known_size[seat] -= 1


@inlined
def know_all(state: State, seat):
    """Mark all hidden cards of a seat as known (ROMA 9.2 c, d); it must have no face-down card."""
    is_open = is_aside_open(state)
    for kind in range(NUM_CARDS):
        state.known[seat, kind] = state.hand[seat, kind]
        if not is_open:
            state.known[seat, kind] += state.aside[seat, kind]
    state.known_size[seat] = num_hidden(state, seat)


@inlined
def know_all_if_pile_is_empty(state: State):
    """Mark the hidden cards of both seats as known if the pile is empty, as all can be inferred (ROMA 9.2 d)."""
    if state.pile_size == 0:
        know_all(state, 0)
        know_all(state, 1)


# -- the private view (ROMA 10.3)


@inlined
def hide(state: State, viewer):
    """Overwrite everything in the record that the seat ``viewer`` may not know."""
    rival = 1 - viewer
    if not is_pile_known(state, viewer):
        for kind in range(NUM_CARDS):
            state.pile[kind] = 0
    is_open = is_aside_open(state)
    for kind in range(NUM_CARDS):
        state.hand[rival, kind] = 0
        if not is_open:
            state.aside[rival, kind] = 0
    if state.turn == 0:
        for disc in range(NUM_DISCS):
            if state.discs[rival, disc] != NONE:
                state.discs[rival, disc] = UNKNOWN
    if state.seat != viewer:
        forbid_all(state)
    state.viewer = viewer
