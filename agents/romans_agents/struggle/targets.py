"""What taking a city is worth to a tribe: to plunder it, to found a kingdom there, or to expand to it."""

from __future__ import annotations

import numpy as np

from romans_agents.struggle.places import yield_at
from romans_agents.struggle.purchases import worth_of_figure, worth_of_wagon
from romans_agents.struggle.styles import (
    CARD,
    CITY_PLACE,
    COLOUR,
    FOUND,
    GIVES_UP,
    GOLD,
    GOODS,
    HEIR,
    POINT,
    REACH,
    TOWER,
)
from romans_env.compiling.decorators import inlined, jitted
from romans_env.struggle.geography import cities_within_one_arrow, crossroads_of, land_of, towers_of
from romans_env.struggle.kingdoms import COLOURS_OF_A_KINGDOM
from romans_env.struggle.material import (
    CATTLE,
    HORSE,
    LOOT_CARD,
    LOOT_GOLD,
    LOOT_PASTURE,
    NONE,
    NUM_CITIES,
    NUM_COUNTERS,
    NUM_LOOTS,
    NUM_PROVINCES,
)
from romans_env.struggle.plundering import GOLD_OF_COUNTER, MOST_OF_A_COLOUR
from romans_env.struggle.points import CITIES_OF_AN_HEIR, POINTS_OF_A_SPECIAL_CARD, num_colours

NEVER = -1e6
"""The worth of what cannot be done."""
_EASE = np.array([0.0, 0.0, 1.0, 0.7, 0.3, 0.1])
"""How much a city counts that could be taken later, by its towers."""
_MOST_REACH = 4.0


@jitted
def write_plunders(state, seat, tribe, army, w, gains):
    """Write what a counter of each colour is worth to a tribe: float64, shape (5,); NEVER where it may take no more."""
    colours = num_colours(state, seat, tribe)
    cost_of_loss = worth_of_figure(state, seat, tribe, army - 1, w) if army > 0 else 0.0
    pasture_card = 0.5 * (w[GOODS + CATTLE] + w[GOODS + HORSE])
    for province in range(NUM_PROVINCES):
        count = state.box[seat, tribe, province]
        if count >= MOST_OF_A_COLOUR:
            gains[province] = NEVER
            continue
        gain, copies = 0.0, 0.0
        for counter in range(NUM_COUNTERS):
            number = float(state.counters[province, counter])
            copies += number
            loot = counter % NUM_LOOTS
            if loot == LOOT_GOLD:
                gain += number * GOLD_OF_COUNTER * w[GOLD]
            elif loot == LOOT_PASTURE:
                gain += number * pasture_card
            elif loot == LOOT_CARD:
                gain += number * w[CARD]
            if counter >= NUM_LOOTS:
                gain -= number * cost_of_loss
        gain = gain / copies if copies > 0.0 else 0.0
        gain += w[GOLD] * float(state.wagons[seat, tribe])
        if count == 0:
            gain += w[COLOUR + min(colours, np.int64(4))]
        gains[province] = gain


@inlined
def worth_of_reach(state, city, w):
    """Return what the free cities are worth that a kingdom can expand to from a city."""
    land = land_of(state)
    near = cities_within_one_arrow(land, city)
    ease = 0.0
    for other in range(NUM_CITIES):
        if (near >> np.int64(other)) & np.int64(1) != 0 and state.owner[other] == NONE:
            ease += _EASE[min(towers_of(land, np.int64(other)), np.int64(5))]
    return w[REACH] * min(ease, _MOST_REACH)


@inlined
def worth_of_founding(state, seat, tribe, city, w, yields):
    """Return what a kingdom is worth whose first city this is (STRUGGLE 5.6); it needs colours and a wagon."""
    land = land_of(state)
    gain = w[POINT] + w[FOUND] + w[CITY_PLACE] * yield_at(land, crossroads_of(land, city), yields)
    gain += worth_of_reach(state, city, w)
    gain -= worth_of_wagon(state, seat, tribe, np.int64(state.wagons[seat, tribe]) - 1, w)
    colours = num_colours(state, seat, tribe)
    if colours == COLOURS_OF_A_KINGDOM:
        gain -= w[GIVES_UP]
    elif colours < NUM_PROVINCES:
        gain -= 2.0 * w[GIVES_UP]
    return gain


@inlined
def worth_of_expanding(state, seat, tribe, city, army, w, yields):
    """Return what one more city is worth to a kingdom (STRUGGLE 5.7)."""
    land = land_of(state)
    gain = w[POINT] + w[CITY_PLACE] * yield_at(land, crossroads_of(land, city), yields)
    gain += w[TOWER] * towers_of(land, city) + worth_of_reach(state, city, w)
    gain -= worth_of_wagon(state, seat, tribe, np.int64(state.wagons[seat, tribe]) - 1, w)
    gain -= worth_of_figure(state, seat, tribe, army - 1, w)
    if state.num_cities[seat, tribe] == CITIES_OF_AN_HEIR - 1:
        gain += w[HEIR]
        if state.num_cities[seat, 1 - tribe] >= CITIES_OF_AN_HEIR:
            gain += POINTS_OF_A_SPECIAL_CARD * w[POINT]
    return gain


@inlined
def may_found(state, seat, tribe, colours_more, wagons_more):
    """Return whether a tribe would have the colours and a wagon for a kingdom with so many more of them."""
    has_colours = num_colours(state, seat, tribe) + colours_more >= COLOURS_OF_A_KINGDOM
    return (state.kingdom[seat, tribe] == 0) & has_colours & (np.int64(state.wagons[seat, tribe]) + wagons_more > 0)
