"""The worth of a city as a target of a tribe: for plundering, founding a kingdom, or expanding one."""

from __future__ import annotations

import numpy as np

from romans_agents.struggle import styles
from romans_agents.struggle.places import yield_at
from romans_agents.struggle.purchases import worth_of_figure, worth_of_wagon
from romans_env.compiling.decorators import inlined, jitted
from romans_env.struggle import material
from romans_env.struggle.geography import cities_within_one_arrow, crossroads_of, land_of, towers_of
from romans_env.struggle.kingdoms import COLOURS_OF_A_KINGDOM
from romans_env.struggle.plundering import GOLD_OF_COUNTER, MOST_OF_A_COLOUR
from romans_env.struggle.points import CITIES_OF_AN_HEIR, POINTS_OF_A_SPECIAL_CARD, num_colours
from romans_env.struggle.state import State

NEVER = -1e6
"""The worth of an impossible action."""
_EASE = np.array([0.0, 0.0, 1.0, 0.7, 0.3, 0.1])
"""The weight of a city that could be taken later, by the number of its towers."""
_MOST_REACH = 4.0


@jitted
def write_plunders(state: State, seat, tribe, army, w, gains):
    """Write the worth of a counter of each colour for a tribe: float64, shape ``(5,)``; NEVER for a full colour."""
    colours = num_colours(state, seat, tribe)
    cost_of_loss = worth_of_figure(state, seat, tribe, army - 1, w) if army > 0 else 0.0
    pasture_card = 0.5 * (w[styles.GOODS + material.CATTLE] + w[styles.GOODS + material.HORSE])
    for province in range(material.NUM_PROVINCES):
        count = state.box[seat, tribe, province]
        if count >= MOST_OF_A_COLOUR:
            gains[province] = NEVER
            continue
        gain, copies = 0.0, 0.0
        for counter in range(material.NUM_COUNTERS):
            number = float(state.counters[province, counter])
            copies += number
            loot = counter % material.NUM_LOOTS
            if loot == material.LOOT_GOLD:
                gain += number * GOLD_OF_COUNTER * w[styles.GOLD]
            elif loot == material.LOOT_PASTURE:
                gain += number * pasture_card
            elif loot == material.LOOT_CARD:
                gain += number * w[styles.CARD]
            if counter >= material.NUM_LOOTS:
                gain -= number * cost_of_loss
        gain = gain / copies if copies > 0.0 else 0.0
        gain += w[styles.GOLD] * float(state.wagons[seat, tribe])
        if count == 0:
            gain += w[styles.COLOUR + min(colours, np.int64(4))]
        gains[province] = gain


@inlined
def worth_of_reach(state: State, city, w):
    """Return the additional worth of a city for the free cities one arrow away, which count less with more towers."""
    land = land_of(state)
    near = cities_within_one_arrow(land, city)
    ease = 0.0
    for other in range(material.NUM_CITIES):
        if (near >> np.int64(other)) & np.int64(1) != 0 and state.owner[other] == material.NONE:
            ease += _EASE[min(towers_of(land, np.int64(other)), np.int64(5))]
    return w[styles.REACH] * min(ease, _MOST_REACH)


@inlined
def worth_of_founding(state: State, seat, tribe, city, w, yields):
    """Return the worth of founding a kingdom in a city (STRUGGLE 5.6); colours and a wagon are not checked."""
    land = land_of(state)
    gain = w[styles.POINT] + w[styles.FOUND] + w[styles.CITY_PLACE] * yield_at(land, crossroads_of(land, city), yields)
    gain += worth_of_reach(state, city, w)
    gain -= worth_of_wagon(state, seat, tribe, np.int64(state.wagons[seat, tribe]) - 1, w)
    colours = num_colours(state, seat, tribe)
    if colours == COLOURS_OF_A_KINGDOM:
        gain -= w[styles.GIVES_UP]
    elif colours < material.NUM_PROVINCES:
        gain -= 2.0 * w[styles.GIVES_UP]
    return gain


@inlined
def worth_of_expanding(state: State, seat, tribe, city, army, w, yields):
    """Return the worth of another city for a kingdom (STRUGGLE 5.7)."""
    land = land_of(state)
    gain = w[styles.POINT] + w[styles.CITY_PLACE] * yield_at(land, crossroads_of(land, city), yields)
    gain += w[styles.TOWER] * towers_of(land, city) + worth_of_reach(state, city, w)
    gain -= worth_of_wagon(state, seat, tribe, np.int64(state.wagons[seat, tribe]) - 1, w)
    gain -= worth_of_figure(state, seat, tribe, army - 1, w)
    if state.num_cities[seat, tribe] == CITIES_OF_AN_HEIR - 1:
        gain += w[styles.HEIR]
        if state.num_cities[seat, 1 - tribe] >= CITIES_OF_AN_HEIR:
            gain += POINTS_OF_A_SPECIAL_CARD * w[styles.POINT]
    return gain
