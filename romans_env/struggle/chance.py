"""Chance events (STRUGGLE 2): their outcomes and keys.

The key of an event is derived from its kind, the round and phase, its seat, and the number of such events that the seat
had before in its turn (in phase 1, in the round); dice are not counted by seat. So in duplicate deals, the same chance
words bring all seatings the same dice in the same round, whatever the players choose.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.engine.chance import DIE
from romans_env.struggle import state as game_state
from romans_env.struggle.geography import land_of, province_of
from romans_env.struggle.material import (
    COUNTERS,
    DEVELOPMENT,
    MAX_SEATS,
    NUM_BANK,
    NUM_DEVELOPMENT,
    NUM_RESOURCES,
    RESOURCES,
)
from romans_env.struggle.rounds import LAST_PHASE
from romans_env.struggle.state import State

EVENT_PASTURE, EVENT_THEFT, EVENT_CARD, EVENT_COUNTER = range(DIE + 1, game_state.NUM_EVENTS)
OUTCOMES: tuple[tuple[str, ...], ...] = ((), RESOURCES, RESOURCES, DEVELOPMENT, COUNTERS)
"""The names of the outcomes of each kind of event; none for a die."""
MOST_OUTCOMES = max(map(len, OUTCOMES))
_EVENTS_OF_A_TURN = 1 << 16


@inlined
def event_of(state: State):
    """Return the kind of the next chance event."""
    stage = state.stage
    event = EVENT_PASTURE
    if stage == game_state.STAGE_DICE:
        event = DIE
    elif stage == game_state.STAGE_THEFT:
        event = EVENT_THEFT
    elif (stage == game_state.STAGE_BUY_CARD) | (stage == game_state.STAGE_LOOT_CARD):
        event = EVENT_CARD
    elif stage == game_state.STAGE_COUNTER:
        event = EVENT_COUNTER
    return np.int64(event)


@inlined
def seat_of_event(state: State, event):
    """Return the seat for which a chance event is counted; dice count for seat 0."""
    return np.int64(0) if event == DIE else np.int64(state.seat)


@inlined
def event_key(state: State):
    """Return the key of the next chance event; it is unique within a game."""
    event = event_of(state)
    seat = seat_of_event(state, event)
    number = np.int64(state.num_events[event, seat]) & (_EVENTS_OF_A_TURN - 1)
    clock = LAST_PHASE * np.int64(state.round_number) + np.int64(state.phase)
    if state.stage == game_state.STAGE_SETUP:
        clock = np.int64(0)
    return event + game_state.NUM_EVENTS * (seat + MAX_SEATS * (number + _EVENTS_OF_A_TURN * clock))


@inlined
def count_event(state: State):
    """Count the next chance event."""
    event = event_of(state)
    state.num_events[event, seat_of_event(state, event)] += 1


@inlined
def num_copies(state: State, event, outcome):
    """Return the weight of an outcome, given by its index: the copies that can be drawn; not called for dice."""
    copies = np.int64(0)
    if event == EVENT_PASTURE:
        if NUM_BANK <= outcome < NUM_RESOURCES:
            copies = np.int64(state.pile[outcome - NUM_BANK])
    elif event == EVENT_THEFT:
        if outcome < NUM_RESOURCES:
            copies = np.int64(state.hand[state.victim, outcome])
    elif event == EVENT_CARD:
        if outcome < NUM_DEVELOPMENT:
            copies = np.int64(state.deck[outcome])
    else:
        copies = np.int64(state.counters[province_of(land_of(state), np.int64(state.city)), outcome])
    return copies


@inlined
def num_left(state: State, event):
    """Return the sum of the weights of all outcomes; not called for dice."""
    total = np.int64(0)
    for outcome in range(MOST_OUTCOMES):
        total += num_copies(state, event, outcome)
    return total
