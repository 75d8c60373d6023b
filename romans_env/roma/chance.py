"""Chance events (ROMA 2): their outcomes and keys.

The key of an event is derived from its turn and its place in the turn: the number of dice thrown, battles fought or
cards drawn before it (in the opening, cards drawn by both seats). So in duplicate deals, the same chance words bring
both seatings the same dice in the same turn, whatever the players choose.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.engine.chance import DIE
from romans_env.roma.material import CARDS, NUM_CARDS
from romans_env.roma.state import PHASE_BATTLE, PHASE_DICE, State

EVENT_CARD = 1
OUTCOMES = ((), CARDS)
"""The names of the outcomes of each kind of event; none for a die."""
MOST_OUTCOMES = NUM_CARDS
_TURNS = 256
_KINDS_OF_EVENT = 3


@inlined
def event_of(state: State):
    """Return the kind of the next chance event."""
    event = EVENT_CARD
    if (state.phase == PHASE_DICE) | (state.phase == PHASE_BATTLE):
        event = DIE
    return np.int64(event)


@inlined
def num_copies(state: State, event, outcome):
    """Return the weight of an outcome: the number of copies of that card in the pile."""
    return np.int64(state.pile[outcome])


@inlined
def num_left(state: State, event):
    """Return the number of cards that can be drawn."""
    return np.int64(state.pile_size)


@inlined
def event_key(state: State):
    """Return the key of the next chance event; it is unique within a game."""
    if state.phase == PHASE_DICE:
        kind, number = 0, np.int64(state.thrown)
    elif state.phase == PHASE_BATTLE:
        kind, number = 1, np.int64(state.battles)
    else:
        # In the opening, turn 0, the first four cards are player_0's, the next four player_1's.
        kind, number = 2, np.int64(state.drawn)
    return np.int64(kind) + _KINDS_OF_EVENT * (np.int64(state.turn) + _TURNS * number)
