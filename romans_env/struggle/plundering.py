"""Plundering a city (STRUGGLE 5.5)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.struggle import general
from romans_env.struggle.development import is_strong_enough, play_traitor_if_needed
from romans_env.struggle.geography import SIDES, land_of, neighbour, province_of, towers_of
from romans_env.struggle.material import LOOT_CARD, LOOT_GOLD, LOOT_PASTURE, NONE, NUM_LOOTS
from romans_env.struggle.points import count_points
from romans_env.struggle.rounds import end_turn
from romans_env.struggle.state import STAGE_COUNTER, STAGE_LOOT_CARD, STAGE_LOOT_PASTURE, State

MOST_OF_A_COLOUR = 2
GOLD_OF_COUNTER = 2


@inlined
def plunders(state: State):
    """Return the cities that a tribe without a kingdom can plunder, as bits."""
    land, seat, tribe = land_of(state), state.active, general.tribe_of_turn(state)
    cities = np.int64(0)
    for k in range(SIDES):
        city = neighbour(land, np.int64(state.at[seat, tribe]), k)
        if (
            city >= 0
            and state.has_counter[city] != 0
            and state.box[seat, tribe, province_of(land, city)] < MOST_OF_A_COLOUR
            and is_strong_enough(state, state.army[seat, tribe], towers_of(land, city))
        ):
            cities |= np.int64(1) << city
    return cities


@inlined
def plunder(state: State, city):
    """Plunder the city; its counter is drawn next."""
    play_traitor_if_needed(
        state, state.army[state.active, general.tribe_of_turn(state)], towers_of(land_of(state), city)
    )
    state.city = city
    state.seat = state.active
    state.stage = STAGE_COUNTER


@inlined
def reveal(state: State, counter):
    """Carry out the drawn counter."""
    seat, tribe = state.active, general.tribe_of_turn(state)
    state.counters[province_of(land_of(state), np.int64(state.city)), counter] -= 1
    state.has_counter[state.city] = 0
    if counter >= NUM_LOOTS and state.army[seat, tribe] > 0:
        state.army[seat, tribe] -= 1
        state.reserve[seat, tribe] += 1
    loot = counter % NUM_LOOTS
    if loot == LOOT_PASTURE and general.pasture_left(state) > 0:
        general.expect_pasture_card(state, seat, STAGE_LOOT_PASTURE)
    elif loot == LOOT_CARD and state.deck_size > 0:
        general.expect_development_card(state, STAGE_LOOT_CARD)
    else:
        state.gold[seat] += GOLD_OF_COUNTER * np.int64(loot == LOOT_GOLD)
        carry_off(state)


@inlined
def add_looted_pasture(state: State, kind):
    """Add the pasture card won by the counter to the hand."""
    general.add_pasture_card(state, kind)
    carry_off(state)


@inlined
def add_looted_card(state: State, kind):
    """Add the development card won by the counter to the hand."""
    general.add_development_card(state, kind)
    carry_off(state)


@inlined
def carry_off(state: State):
    """Give the player gold for the wagons, put the counter into the tribe's box, and end the turn."""
    seat, tribe = state.active, general.tribe_of_turn(state)
    state.gold[seat] += state.wagons[seat, tribe]
    state.box[seat, tribe, province_of(land_of(state), np.int64(state.city))] += 1
    state.city = NONE
    count_points(state)
    end_turn(state)
