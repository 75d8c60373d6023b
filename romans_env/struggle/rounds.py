"""The order of rounds, phases and turns (STRUGGLE 3.3, 9.2)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.struggle.end import finish
from romans_env.struggle.general import next_seat
from romans_env.struggle.material import MAX_SEATS
from romans_env.struggle.state import NUM_EVENTS, STAGE_BUILD, STAGE_DICE, STAGE_TRIBE, State

LAST_PHASE = 4
BUILDING = 2
"""The phase of `build` decisions (STRUGGLE 5.1); the later phases are turns of tribes."""


@inlined
def start_round(state: State, number, first):
    """Start a round with phase 1 and no markers (STRUGGLE 4.1, 9.2)."""
    state.round_number = number
    state.phase = 1
    state.first = first
    state.markers = 0
    state.die = 0
    for seat in range(MAX_SEATS):
        state.substituted[seat] = 0
    begin_turn(state, first)
    for seat in range(MAX_SEATS):
        forget_events(state, seat)
    state.stage = STAGE_DICE


@inlined
def begin_turn(state: State, seat):
    """Begin a seat's turn (STRUGGLE 5, 9.2)."""
    state.active = seat
    state.seat = seat
    state.moved = 0
    state.card_played = 0
    state.offers = 0
    forget_events(state, seat)
    state.stage = STAGE_BUILD if state.phase == BUILDING else STAGE_TRIBE


@inlined
def forget_events(state: State, seat):
    """Reset the counts of a seat's chance events to 0."""
    for event in range(NUM_EVENTS):
        state.num_events[event, seat] = 0


@inlined
def start_phase(state: State, phase):
    """Start a phase of turns with the turn of the first player (STRUGGLE 3.3)."""
    state.phase = phase
    begin_turn(state, state.first)


@inlined
def end_turn(state: State):
    """End the turn; the next turn, phase or round follows, or the end of the game (STRUGGLE 3.3)."""
    seat = next_seat(state, state.active)
    if seat != state.first:
        begin_turn(state, seat)
    elif state.phase < LAST_PHASE:
        start_phase(state, np.int64(state.phase) + 1)
    elif state.final | (state.round_number >= state.max_rounds):
        finish(state)
    else:
        start_round(state, np.int64(state.round_number) + 1, next_seat(state, state.first))
