"""Phase 1 (STRUGGLE 4.1 to 4.3): throwing dice until four numbers bear a marker, and producing for each number."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import cached_jit, inlined
from romans_env.engine.bits import num_bits
from romans_env.engine.state_fields import Records
from romans_env.struggle import general, geography
from romans_env.struggle.material import CATTLE, MAX_SEATS, NUM_BANK, NUM_MARKERS, NUM_PASTURE, NUM_TRIBES, SEVEN
from romans_env.struggle.rounds import BUILDING, start_phase
from romans_env.struggle.state import STAGE_DICE, STAGE_LEGION, STAGE_PRODUCE, State


@inlined
def throw_on(state: State):
    """Throw the next two dice, or end the phase if enough numbers bear a marker (STRUGGLE 4.1)."""
    if num_bits(np.int64(state.markers)) < NUM_MARKERS:
        state.seat = state.active
        state.stage = STAGE_DICE
    else:
        start_phase(state, BUILDING)


@inlined
def add_die(state: State, value):
    """Record the value of a die; with the second one, carry out the sum (STRUGGLE 4.1)."""
    if state.die == 0:
        state.die = value
        return
    number = np.int64(state.die) + value
    state.die = 0
    marker = np.int64(1) << number
    if state.markers & marker != 0:
        throw_on(state)
        return
    state.markers |= marker
    if number == SEVEN:
        state.stage = STAGE_LEGION
    else:
        produce(state, number)


@inlined
def seats_at_hex(state: State, place):
    """Return the seats that have a place touching a hex, as bits (STRUGGLE 3.4)."""
    land = geography.land_of(state)
    seats = np.int64(0)
    for k in range(geography.CORNERS):
        city = geography.city_of_hex(land, place, k)
        if city >= 0 and state.owner[city] >= 0:
            seats |= np.int64(1) << np.int64(state.owner[city])
    for seat in range(state.num_players):
        for tribe in range(NUM_TRIBES):
            if state.kingdom[seat, tribe] == 0 and geography.touches(land, np.int64(state.at[seat, tribe]), place):
                seats |= np.int64(1) << np.int64(seat)
    return seats


@inlined
def due_for(state: State, number):
    """Return what a number brings the seats: int64, shape ``(NUM_BANK + 1, MAX_SEATS)``; pasture is the last row."""
    land = geography.land_of(state)
    due = np.zeros((NUM_BANK + 1, MAX_SEATS), dtype=np.int64)
    for k in range(geography.first_hex_of_number(land, number), geography.first_hex_of_number(land, number + 1)):
        place = geography.hex_by_number(land, k)
        if place != state.legion:
            seats = seats_at_hex(state, place)
            for seat in range(state.num_players):
                due[geography.terrain_of(land, place), seat] += (seats >> np.int64(seat)) & np.int64(1)
    return due


@cached_jit
def due_in(states: Records[State], i, number):
    """Return `due_for` of ``states[i]``, for calls from Python: int64, shape ``(NUM_BANK + 1, MAX_SEATS)``."""
    return due_for(states[i], number)


@inlined
def produce(state: State, number):
    """Give each seat what it is due for a number: grain, ore, then pasture cards one by one (STRUGGLE 4.2)."""
    due = due_for(state, number)
    for kind in range(NUM_BANK):
        give_out(state, due, kind)
    pasture = NUM_BANK
    total = np.int64(0)
    for seat in range(MAX_SEATS):
        state.due[seat] = due[pasture, seat]
        total += due[pasture, seat]
    if total > general.pasture_left(state):
        for seat in range(state.num_players):
            for kind in range(NUM_PASTURE):
                discard_half(state, seat, CATTLE + kind)
    state.seat = state.first
    draw_next(state)


@inlined
def discard_half(state: State, seat, kind):
    """Discard half of a seat's cards of a kind, rounded down (STRUGGLE 4.3)."""
    general.spend(state, seat, kind, np.int64(state.hand[seat, kind]) // 2)


@inlined
def give_out(state: State, due, kind):
    """Give out grain or ore clockwise from the first player; on a shortage all discard half first (STRUGGLE 4.3)."""
    if due[kind].sum() > state.bank[kind]:
        for seat in range(state.num_players):
            discard_half(state, seat, kind)
    for k in range(state.num_players):
        seat = general.seat_after(state, state.first, k)
        general.take_from_bank(state, seat, kind, min(due[kind, seat], np.int64(state.bank[kind])))


@inlined
def draw_next(state: State):
    """Draw the next pasture card due, from ``state.seat`` on; if none, go on with the dice (STRUGGLE 4.2, 2.3)."""
    seat = np.int64(state.seat)
    while state.due[seat] == 0:
        seat = general.next_seat(state, seat)
        if seat == state.first:
            break
    if state.due[seat] == 0 or general.pasture_left(state) == 0:
        for other in range(MAX_SEATS):
            state.due[other] = 0
        throw_on(state)
    else:
        general.expect_pasture_card(state, seat, STAGE_PRODUCE)


@inlined
def add_due_card(state: State, kind):
    """Add a drawn pasture card to the hand of the seat that it is due to."""
    general.add_pasture_card(state, kind)
    state.due[state.seat] -= 1
    draw_next(state)
