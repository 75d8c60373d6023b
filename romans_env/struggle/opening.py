"""The opening (STRUGGLE 3.1, 3.2): figures, gold and grain are set up, and every seat draws a pasture card."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.struggle.actions import forbid_all
from romans_env.struggle.general import add_pasture_card, expect_pasture_card
from romans_env.struggle.geography import (
    copies_of_counter,
    copies_of_development,
    is_three,
    land_of,
    legion_at_start,
    start_of,
)
from romans_env.struggle.material import (
    COPIES,
    DECK_SIZE,
    FIGURES,
    GOLD_AT_START,
    GRAIN,
    GRAIN_AT_START,
    MAX_SEATS,
    NEUTRAL,
    NONE,
    NUM_BANK,
    NUM_CITIES,
    NUM_COUNTERS,
    NUM_DEVELOPMENT,
    NUM_PASTURE,
    NUM_PROVINCES,
    NUM_RESOURCES,
    NUM_TRIBES,
    WAGON,
    WAGONS,
)
from romans_env.struggle.rounds import start_round
from romans_env.struggle.state import NUM_EVENTS, STAGE_SETUP


@jitted
def set_up(state):
    """Set up the material before the first card is drawn, overwriting all of the record but its setup."""
    forbid_all(state)
    state.round_number = 1
    state.phase = 1
    state.first = 0
    state.active = 0
    state.offers = 0
    state.moved = 0
    state.card_played = 0
    state.final = 0
    state.markers = 0
    state.die = 0
    state.victim = NONE
    state.city = NONE
    state.offer = NONE
    state.target = NONE
    state.diplomacy = NONE
    state.viewer = NONE
    state.legion = legion_at_start(land_of(state))
    for kind in range(NUM_BANK):
        state.bank[kind] = COPIES[kind]
    for kind in range(NUM_PASTURE):
        state.pile[kind] = COPIES[NUM_BANK + kind]
        state.discard[kind] = 0
    set_up_board(state)
    for seat in range(MAX_SEATS):
        for event in range(NUM_EVENTS):
            state.num_events[event, seat] = 0
        set_up_seat(state, seat)
    expect_pasture_card(state, 0, STAGE_SETUP)


@inlined
def set_up_board(state):
    """Set up cities, counters and the deck; with three players some cities are neutral (STRUGGLE 3.1)."""
    land = land_of(state)
    state.deck_size = DECK_SIZE
    for kind in range(NUM_DEVELOPMENT):
        state.deck[kind] = copies_of_development(land, kind)
    for province in range(NUM_PROVINCES):
        for counter in range(NUM_COUNTERS):
            state.counters[province, counter] = copies_of_counter(land, province, counter)
    for city in range(NUM_CITIES):
        is_neutral = is_three(land, city) and state.num_players < MAX_SEATS
        state.owner[city] = NEUTRAL if is_neutral else NONE
        state.has_counter[city] = not is_neutral
        state.tribe[city] = NONE


@inlined
def set_up_seat(state, seat):
    """Set up a seat's figures, gold and grain (STRUGGLE 3.1); all are zero where nobody sits."""
    plays = np.int64(seat < state.num_players)
    state.gold[seat] = GOLD_AT_START * plays
    state.due[seat] = 0
    state.points[seat] = 0
    state.development_size[seat] = 0
    state.substituted[seat] = 0
    for kind in range(NUM_RESOURCES):
        state.hand[seat, kind] = 0
    for kind in range(NUM_DEVELOPMENT):
        state.development[seat, kind] = 0
        state.played[seat, kind] = 0
    state.hand[seat, GRAIN] = GRAIN_AT_START * plays
    state.bank[GRAIN] -= GRAIN_AT_START * plays
    state.reserve[seat, WAGON] = (WAGONS - NUM_TRIBES) * plays
    for tribe in range(NUM_TRIBES):
        state.at[seat, tribe] = start_of(land_of(state), seat, tribe) if plays else NONE
        state.kingdom[seat, tribe] = 0
        state.num_cities[seat, tribe] = 0
        state.army[seat, tribe] = plays
        state.wagons[seat, tribe] = plays
        # One figure is on the board, one in the box.
        state.reserve[seat, tribe] = (FIGURES - 2) * plays
        for province in range(NUM_PROVINCES):
            state.box[seat, tribe, province] = 0


@inlined
def deal_pasture_card(state, kind):
    """Add a seat's first pasture card to its hand; after the last seat round 1 begins (STRUGGLE 3.2)."""
    add_pasture_card(state, kind)
    seat = np.int64(state.seat) + 1
    if seat < state.num_players:
        expect_pasture_card(state, seat, STAGE_SETUP)
    else:
        start_round(state, 1, 0)
