"""The opening (STRUGGLE 3.1, 3.2): figures, gold and grain, and a pasture card for each seat."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.struggle import geography, material
from romans_env.struggle.actions import forbid_all
from romans_env.struggle.general import add_pasture_card, expect_pasture_card
from romans_env.struggle.rounds import start_round
from romans_env.struggle.state import STAGE_SETUP, State


@jitted
def set_up(state: State):
    """Overwrite the record, its settings excepted, with the start of a game; the first draw comes next."""
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
    state.victim = material.NONE
    state.city = material.NONE
    state.offer = material.NONE
    state.target = material.NONE
    state.diplomacy = material.NONE
    state.viewer = material.NONE
    state.legion = geography.legion_at_start(geography.land_of(state))
    for kind in range(material.NUM_BANK):
        state.bank[kind] = material.COPIES[kind]
    for kind in range(material.NUM_PASTURE):
        state.pile[kind] = material.COPIES[material.NUM_BANK + kind]
    state.discard[:] = 0
    state.num_events[:] = 0
    set_up_board(state)
    state.due[:] = 0
    state.points[:] = 0
    state.hand[:] = 0
    state.development[:] = 0
    state.development_size[:] = 0
    state.played[:] = 0
    state.substituted[:] = 0
    state.kingdom[:] = 0
    state.num_cities[:] = 0
    state.box[:] = 0
    for seat in range(material.MAX_SEATS):
        set_up_seat(state, seat)
    expect_pasture_card(state, 0, STAGE_SETUP)


@inlined
def set_up_board(state: State):
    """Set up cities, counters and the deck; with three players the cities marked III are neutral (STRUGGLE 3.1)."""
    land = geography.land_of(state)
    state.deck_size = material.DECK_SIZE
    for kind in range(material.NUM_DEVELOPMENT):
        state.deck[kind] = geography.copies_of_development(land, kind)
    for province in range(material.NUM_PROVINCES):
        for counter in range(material.NUM_COUNTERS):
            state.counters[province, counter] = geography.copies_of_counter(land, province, counter)
    for city in range(material.NUM_CITIES):
        is_neutral = geography.is_three(land, city) and state.num_players < material.MAX_SEATS
        state.owner[city] = material.NEUTRAL if is_neutral else material.NONE
        state.has_counter[city] = not is_neutral
        state.tribe[city] = material.NONE


@inlined
def set_up_seat(state: State, seat):
    """Set up a seat's figures, gold and grain (STRUGGLE 3.1); all zeros for a seat without a player."""
    plays = np.int64(seat < state.num_players)
    state.gold[seat] = material.GOLD_AT_START * plays
    state.hand[seat, material.GRAIN] = material.GRAIN_AT_START * plays
    state.bank[material.GRAIN] -= material.GRAIN_AT_START * plays
    state.reserve[seat, material.WAGON] = (material.WAGONS - material.NUM_TRIBES) * plays
    for tribe in range(material.NUM_TRIBES):
        state.at[seat, tribe] = geography.start_of(geography.land_of(state), seat, tribe) if plays else material.NONE
        state.army[seat, tribe] = plays
        state.wagons[seat, tribe] = plays
        # One figure is on the board, one in the box.
        state.reserve[seat, tribe] = (material.FIGURES - 2) * plays


@inlined
def deal_pasture_card(state: State, kind):
    """Add a seat's first pasture card to its hand; after the last seat, round 1 begins (STRUGGLE 3.2)."""
    add_pasture_card(state, kind)
    seat = np.int64(state.seat) + 1
    if seat < state.num_players:
        expect_pasture_card(state, seat, STAGE_SETUP)
    else:
        start_round(state, 1, 0)
