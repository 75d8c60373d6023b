"""Hidden information: the private view of a seat.

`hide` turns a record into a redacted record by overwriting everything that one seat may not know. Views, positions
for a seat and determinizations are made from such a record, never from the full state, so they cannot leak. A seat
knows the wall, all captured and lost forts, all revealed warriors, and its own cards. It does not know the others'
hands, hidden lines and set-aside warriors (those of earlier rounds included), nor the forts and cards to come (RULES
3.1).
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.romans_go_home.material import HAND_SIZE, NONE, NUM_WARRIORS, UNKNOWN
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, PHASE_ZVORD, State


@inlined
def hide(state: State, viewer):
    """Overwrite everything in the record that the seat ``viewer`` may not know."""
    for k in range((state.round_index + 1) * state.line_size, state.num_rounds * state.line_size):
        state.fort_order[k] = UNKNOWN
    for seat in range(state.num_clans):
        for round_index in range(state.round_index + 1, state.num_rounds):
            hide_cards(state, round_index, seat)
        if seat >= state.num_players:
            for slot in range(state.turn, state.line_size):
                state.line[seat, slot] = UNKNOWN
                state.dealt[state.round_index, seat, slot] = UNKNOWN
        elif seat != viewer:
            hide_player(state, seat)
    if state.seat != viewer:
        state.legal = 0


@inlined
def hide_player(state: State, seat):
    """Overwrite what a player hides from the others."""
    for warrior in range(NUM_WARRIORS):
        state.hand[seat, warrior] = 0
    for slot in range(state.turn, state.line_size):
        if state.line[seat, slot] != NONE:
            state.line[seat, slot] = UNKNOWN
    for round_index in range(state.round_index):
        hide_set_aside(state, round_index, seat)
    hide_cards(state, state.round_index, seat)
    if state.set_aside[state.round_index, seat] != NONE:
        state.set_aside[state.round_index, seat] = UNKNOWN


@inlined
def hide_set_aside(state: State, round_index, seat):
    """Hide which warrior was set aside in a past round; the six revealed ones stay known, sorted by kind."""
    counts = np.int64(0)  # three bits per kind
    for k in range(state.line_size + 1):
        counts += 1 << (3 * np.int64(state.dealt[round_index, seat, k]))
    counts -= 1 << (3 * np.int64(state.set_aside[round_index, seat]))
    n = 0
    for warrior in range(NUM_WARRIORS):
        for _ in range((counts >> (3 * warrior)) & 7):
            state.dealt[round_index, seat, n] = warrior
            n += 1
    state.dealt[round_index, seat, n] = UNKNOWN
    state.set_aside[round_index, seat] = UNKNOWN


@inlined
def hide_cards(state: State, round_index, seat):
    """Overwrite the cards dealt to a seat in a round."""
    for k in range(HAND_SIZE):
        if state.dealt[round_index, seat, k] != NONE:
            state.dealt[round_index, seat, k] = UNKNOWN


@inlined
def hand_size(state: State, seat):
    """Return the number of warriors in a player's hand, which is public."""
    if seat >= state.num_players:
        return np.int64(0)
    if (state.phase == PHASE_DISCARD and seat >= state.seat) or (state.phase == PHASE_PLACE and seat > state.seat):
        return np.int64(state.line_size) + 1
    if (state.phase == PHASE_PLACE or state.phase == PHASE_ZVORD) and seat == state.seat:
        return np.int64(state.line_size) - state.slot
    return np.int64(0)
