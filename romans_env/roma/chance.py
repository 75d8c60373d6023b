"""Chance events (ROMA 2): their outcomes, their keys, and how compiled loops draw them.

An event's key follows from its turn and from its place in the turn: which throw and which die, the how-manieth battle,
the how-manieth card drawn; in the opening, the seat and the card. So the same chance words bring both seatings of a
duplicate deal the same dice in the same turn, whatever the players choose.
"""

from __future__ import annotations

import numpy as np

from romans_env.engine.chance import event_below
from romans_env.engine.compiled import inlined
from romans_env.roma.material import NUM_CARDS, NUM_FACES
from romans_env.roma.state import FIRST_DECISION, PHASE_BATTLE, PHASE_DICE

_TURNS = 256
_KINDS_OF_EVENT = 3


@inlined
def is_chance_next(state):
    """Whether a chance event comes next."""
    return state.phase < FIRST_DECISION


@inlined
def is_die_next(state):
    """Whether that event is a die; otherwise it is a card."""
    return (state.phase == PHASE_DICE) | (state.phase == PHASE_BATTLE)


@inlined
def event_key(state):
    """The key of the event that comes next: no other event of the game has it."""
    if state.phase == PHASE_DICE:
        kind, number = 0, np.int64(state.thrown)
    elif state.phase == PHASE_BATTLE:
        kind, number = 1, np.int64(state.battles)
    else:
        # In the opening, turn 0, the first four cards are player_0's, the next four player_1's.
        kind, number = 2, np.int64(state.drawn)
    return np.int64(kind) + _KINDS_OF_EVENT * (np.int64(state.turn) + _TURNS * number)


@inlined
def draw_outcome(state, words, k):
    """The outcome of the event that comes next, as `apply_outcome` takes it.

    It is the one that `romans_env.chance.draw_outcome` gives.

    Args:
        state: the record.
        words: chance words of games, int64, shape (n, 4).
        k: the row of the words that is the game's.
    """
    key = event_key(state)
    if is_die_next(state):
        return np.int64(event_below(words, k, key, np.int64(NUM_FACES))) + 1
    left = np.int64(event_below(words, k, key, np.int64(state.pile_size)))
    for kind in range(NUM_CARDS):
        left -= state.pile[kind]
        if left < 0:
            return np.int64(kind)
    return np.int64(NUM_CARDS)
