"""Founding and expanding kingdoms (STRUGGLE 5.6 to 5.8)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.struggle.development import is_strong_enough, play_traitor_if_needed
from romans_env.struggle.general import tribe_of_turn
from romans_env.struggle.geography import SIDES, cities_within_one_arrow, crossroads_of, land_of, neighbour, towers_of
from romans_env.struggle.material import NONE, NUM_CITIES
from romans_env.struggle.points import count_points, num_colours
from romans_env.struggle.state import State

COLOURS_OF_A_KINGDOM = 3


@inlined
def conquests(state: State):
    """Return the cities that the tribe can conquer, as bits."""
    seat, tribe = state.active, tribe_of_turn(state)
    if state.wagons[seat, tribe] == 0:
        return np.int64(0)
    if state.kingdom[seat, tribe] == 0:
        if num_colours(state, seat, tribe) < COLOURS_OF_A_KINGDOM:
            return np.int64(0)
        return that_can_be_taken(state, beside(state))
    if state.army[seat, tribe] == 0:
        return np.int64(0)
    return that_can_be_taken(state, within_reach(state))


@inlined
def beside(state: State):
    """Return the cities next to the tribe's figure, as bits (STRUGGLE 5.6)."""
    here = np.int64(state.at[state.active, tribe_of_turn(state)])
    cities = np.int64(0)
    for k in range(SIDES):
        city = neighbour(land_of(state), here, k)
        if city >= 0:
            cities |= np.int64(1) << city
    return cities


@inlined
def within_reach(state: State):
    """Return the cities to which the kingdom can expand, as bits (STRUGGLE 5.7)."""
    land = land_of(state)
    cities = np.int64(0)
    for city in range(NUM_CITIES):
        if (state.owner[city] == state.active) & (state.tribe[city] == tribe_of_turn(state)):
            cities |= cities_within_one_arrow(land, city)
    return cities


@inlined
def that_can_be_taken(state: State, cities):
    """Return which of the given cities are free and not too strong for the tribe, as bits."""
    land = land_of(state)
    army = state.army[state.active, tribe_of_turn(state)]
    found = np.int64(0)
    for city in range(NUM_CITIES):
        is_free = ((cities >> np.int64(city)) & np.int64(1) != 0) & (state.owner[city] == NONE)
        if is_free and is_strong_enough(state, army, towers_of(land, city)):
            found |= np.int64(1) << np.int64(city)
    return found


@inlined
def conquer(state: State, city):
    """Give the city to the tribe; its counter leaves the game unseen (STRUGGLE 5.8)."""
    land, seat, tribe = land_of(state), state.active, tribe_of_turn(state)
    play_traitor_if_needed(state, state.army[seat, tribe], towers_of(land, city))
    state.wagons[seat, tribe] -= 1
    if state.kingdom[seat, tribe] == 0:
        state.kingdom[seat, tribe] = 1
        state.at[seat, tribe] = crossroads_of(land, city)
    else:
        state.army[seat, tribe] -= 1
    state.owner[city] = seat
    state.tribe[city] = tribe
    state.has_counter[city] = 0
    state.num_cities[seat, tribe] += 1
    count_points(state)
