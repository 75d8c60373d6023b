"""Chance events (STRUGGLE 2): their outcomes and their keys.

An event's key follows from its kind, the round and phase, the seat, and how many such events the seat had before in its
turn, or in phase 1; dice are the table's. So the same chance words bring all seatings of a duplicate deal the same dice
in the same round, whatever the players choose.
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
"""The outcomes of each kind of event by their numbers; a die has none."""
MOST_OUTCOMES = max(map(len, OUTCOMES))
_EVENTS_OF_A_TURN = 1 << 16


@inlined
def event_of(state: State):
    """Return the kind of the chance event that comes next."""
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
    """Return the seat that a chance event is counted for; a die is counted for seat 0."""
    return np.int64(0) if event == DIE else np.int64(state.seat)


@inlined
def event_key(state: State):
    """Return the key of the chance event that comes next; no other event of the game has the same key."""
    event = event_of(state)
    seat = seat_of_event(state, event)
    number = np.int64(state.num_events[event, seat]) & (_EVENTS_OF_A_TURN - 1)
    clock = LAST_PHASE * np.int64(state.round_number) + np.int64(state.phase)
    if state.stage == game_state.STAGE_SETUP:
        clock = np.int64(0)
    return event + game_state.NUM_EVENTS * (seat + MAX_SEATS * (number + _EVENTS_OF_A_TURN * clock))


@inlined
def count_event(state: State):
    """Count one more chance event of the kind that comes next."""
    event = event_of(state)
    state.num_events[event, seat_of_event(state, event)] += 1


@inlined
def num_copies(state: State, event, outcome):
    """Return how many copies of an outcome can be drawn, by its number; for all events but a die."""
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
    """Return how many copies of all outcomes can be drawn; for all events but a die."""
    total = np.int64(0)
    for outcome in range(MOST_OUTCOMES):
        total += num_copies(state, event, outcome)
    return total
