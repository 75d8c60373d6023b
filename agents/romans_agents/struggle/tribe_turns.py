"""Scores of a tribe's actions in its turn (STRUGGLE 5.3 to 5.7): resting, moving, taking cities.

The worth of a crossroads is the worth of the tribe's best action there in this turn, plus the yield of the place, plus
a fraction of the worth of its best action from there in the next turn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.struggle.places import write_yields, yield_at
from romans_agents.struggle.purchases import hand_of, worth_of_goods
from romans_agents.struggle.styles import FARE, FUTURE, GOODS, PLACE, REST_MORE, TRAITOR
from romans_agents.struggle.targets import NEVER, worth_of_expanding, worth_of_founding, write_plunders
from romans_env.compiling.decorators import inlined, jitted
from romans_env.compiling.tables import entry
from romans_env.struggle import geography, material
from romans_env.struggle.actions import CONQUER, END, LEGION, PLAY_GREAT_WARRIOR, PLUNDER, REST, first_move, may_move_to
from romans_env.struggle.development import may_play
from romans_env.struggle.general import tribe_of_turn
from romans_env.struggle.kingdoms import COLOURS_OF_A_KINGDOM, within_reach
from romans_env.struggle.material import TRAITOR as TRAITOR_CARD
from romans_env.struggle.points import num_colours
from romans_env.struggle.state import State
from romans_env.struggle.tribes import GOLD_OF_REST

_FOUNDING = material.NUM_PROVINCES
"""Index of founding a kingdom, after those of the colours."""
_TARGETS = material.NUM_PROVINCES + 1
_BONUS = 0.01
"""Bonus for playing a great warrior."""


class Outlook(NamedTuple):
    """The worths of the targets of a tribe without a kingdom.

    Attributes:
        yields: the yields of hexes, from `places.write_yields`: float64, shape ``(num_hexes,)``.
        plunders: the worths of counters by colour, from `targets.write_plunders`: float64, shape ``(5,)``.
        kingdoms: the worth of a kingdom in each city, NEVER where none can be founded: float64, shape ``(40,)``.
        ahead: the worth of the best action in the next turn from each region, by its target (a counter of each colour,
            or a kingdom): float64, shape ``(num_regions, 6)``.
    """

    yields: npt.NDArray[np.float64]
    plunders: npt.NDArray[np.float64]
    kingdoms: npt.NDArray[np.float64]
    ahead: npt.NDArray[np.float64]


@jitted
def outlook_of(state: State, seat, tribe, army, w):
    """Return the `Outlook` of a tribe without a kingdom, as if it had ``army`` figures."""
    land = geography.land_of(state)
    yields = np.empty(geography.num_hexes(land))
    write_yields(state, w, yields)
    plunders = np.empty(material.NUM_PROVINCES)
    write_plunders(state, seat, tribe, army, w, plunders)
    kingdoms = np.full(material.NUM_CITIES, NEVER)
    # A missing wagon does not matter here: the tribe may still get one.
    if state.kingdom[seat, tribe] == 0 and num_colours(state, seat, tribe) >= COLOURS_OF_A_KINGDOM:
        for city in range(material.NUM_CITIES):
            if state.owner[city] == material.NONE:
                kingdoms[city] = worth_of_founding(state, seat, tribe, np.int64(city), w, yields)
    return Outlook(yields, plunders, kingdoms, what_is_ahead(state, army, plunders, kingdoms, w))


@jitted
def what_is_ahead(state: State, army, plunders, kingdoms, w):
    """Return ``ahead`` of an `Outlook`: float64, shape ``(num_regions, 6)``.

    The tribe is assumed to get one more figure, and to pay gold for every arrow of its way except the first.
    """
    land = geography.land_of(state)
    regions = geography.num_regions(land)
    ahead = np.zeros((regions, _TARGETS))
    for city in range(material.NUM_CITIES):
        if geography.towers_of(land, np.int64(city)) > army + 1:
            continue
        province = geography.province_of(land, np.int64(city))
        plunder = plunders[province] if state.has_counter[city] != 0 else NEVER
        kingdom = kingdoms[city]
        if plunder <= 0.0 and kingdom <= 0.0:
            continue
        for region in range(regions):
            gold = geography.fare_to(land, region, np.int64(city))
            if gold < geography.UNREACHABLE:
                fare = w[FARE] * gold
                ahead[region, province] = max(ahead[region, province], plunder - fare)
                ahead[region, _FOUNDING] = max(ahead[region, _FOUNDING], kingdom - fare)
    return ahead


@inlined
def future_at(land, place, outlook, taken, w):
    """Return the worth of a place for the tribe's next turn, without the target ``taken`` in this turn."""
    region = geography.region_of(land, place)
    best = 0.0
    for target in range(_TARGETS):
        if target != taken:
            best = max(best, outlook.ahead[region, target])
    return w[FUTURE] * best


@inlined
def stay_at(land, place, outlook, taken, w):
    """Return the worth of standing on a crossroads after this turn."""
    return w[PLACE] * yield_at(land, place, outlook.yields) + future_at(land, place, outlook, taken, w)


@inlined
def plunder_from(state: State, place, city, army, outlook, w):
    """Return the worth of plundering a city from a crossroads next to it; NEVER if that is not possible."""
    land = geography.land_of(state)
    province = geography.province_of(land, city)
    gain = outlook.plunders[province] + price_of_strength(state, city, army, w)
    if state.has_counter[city] == 0 or gain <= 0.5 * NEVER:
        return NEVER
    return gain + stay_at(land, place, outlook, province, w)


@inlined
def found_at(state: State, city, army, outlook, w):
    """Return the worth of founding a kingdom in a city; NEVER if that is not possible."""
    if outlook.kingdoms[city] <= 0.5 * NEVER or state.wagons[state.active, tribe_of_turn(state)] == 0:
        return NEVER
    return outlook.kingdoms[city] + price_of_strength(state, city, army, w)


@inlined
def price_of_strength(state: State, city, army, w):
    """Return the (negative) worth of overcoming a city's towers.

    It is 0 if the army is large enough, minus the worth of a traitor if one can be played, and otherwise NEVER.
    """
    if army >= geography.towers_of(geography.land_of(state), city):
        return 0.0
    return -w[TRAITOR] if may_play(state, TRAITOR_CARD) else NEVER


@jitted
def best_at(state: State, place, army, outlook, w):
    """Return the worth of the tribe's best choice on a crossroads in this turn: to take a city, or to stay."""
    land = geography.land_of(state)
    best = stay_at(land, place, outlook, np.int64(material.NONE), w)
    for k in range(geography.SIDES):
        city = geography.neighbour(land, place, k)
        if city >= 0:
            best = max(best, plunder_from(state, place, city, army, outlook, w))
            best = max(best, found_at(state, city, army, outlook, w))
    return best


@inlined
def price_of_way(state: State, place, w):
    """Return the worth of the grain and gold of the cheapest fare to a crossroads (STRUGGLE 5.4)."""
    land, seat = geography.land_of(state), np.int64(state.active)
    here = np.int64(state.at[seat, tribe_of_turn(state)])
    best = -NEVER
    for grain in range(min(np.int64(state.hand[seat, material.GRAIN]), np.int64(material.MAX_GRAIN_PAID)) + 1):
        gold = entry(land, geography.fares_from(land, here, np.int64(grain)) + place)
        if gold <= state.gold[seat]:
            best = min(best, w[FARE] * gold + w[GOODS] * grain)
        if gold == 0:
            break
    return best


@jitted
def best_of_turn(state: State, army, outlook, w):
    """Return the worth of the best way for a tribe without a kingdom to complete its turn, except for resting."""
    land = geography.land_of(state)
    best = best_at(state, np.int64(state.at[state.active, tribe_of_turn(state)]), army, outlook, w)
    if state.moved == 0:
        for place in range(geography.num_crossroads(land)):
            if may_move_to(state, place):
                there = best_at(state, np.int64(place), army, outlook, w) - price_of_way(state, np.int64(place), w)
                best = max(best, there)
    return best


@jitted
def best_expansion(state: State, army, w, yields):
    """Return the worth of the best city to which a kingdom can expand with ``army`` figures; 0 if there is none."""
    land, seat, tribe = geography.land_of(state), state.active, tribe_of_turn(state)
    best = 0.0
    if state.wagons[seat, tribe] == 0:
        return best
    cities = within_reach(state)
    for city in range(material.NUM_CITIES):
        is_near = (cities >> np.int64(city)) & np.int64(1) != 0
        if is_near and state.owner[city] == material.NONE and geography.towers_of(land, np.int64(city)) <= army:
            best = max(best, worth_of_expanding(state, seat, tribe, np.int64(city), army, w, yields))
    return best


@jitted
def write_tribe_scores(state: State, w, actions, count, scores):
    """Write the scores of the legal actions of `tribe`, as `romans_agents.struggle.heuristics.write_scores` does."""
    land, seat, tribe = geography.land_of(state), state.active, tribe_of_turn(state)
    army = np.int64(state.army[seat, tribe])
    if state.kingdom[seat, tribe] != 0:
        write_kingdom_scores(state, w, actions, count, scores)
        return
    outlook = outlook_of(state, seat, tribe, army, w)
    here = np.int64(state.at[seat, tribe])
    staying = stay_at(land, here, outlook, np.int64(material.NONE), w)
    for k in range(count):
        action = actions[k]
        if action >= LEGION:
            place = action - first_move(land)
            scores[k] = best_at(state, place, army, outlook, w) - price_of_way(state, place, w)
        elif action >= CONQUER:
            scores[k] = found_at(state, action - CONQUER, army, outlook, w)
        elif action >= PLUNDER:
            scores[k] = plunder_from(state, here, action - PLUNDER, army, outlook, w)
        elif action == END:
            scores[k] = staying
        elif action >= REST:
            scores[k] = staying + worth_of_resting(state, action - REST, w)
        elif action == PLAY_GREAT_WARRIOR:
            state.card_played = 1
            stronger = outlook_of(state, seat, tribe, army + 1, w)
            scores[k] = best_of_turn(state, army + 1, stronger, w) + _BONUS
            state.card_played = 0
        else:
            scores[k] = staying - 1.0


@jitted
def write_kingdom_scores(state: State, w, actions, count, scores):
    """Write the scores of the legal actions of `tribe` for a tribe with a kingdom, as `write_tribe_scores` does."""
    land, seat, tribe = geography.land_of(state), state.active, tribe_of_turn(state)
    army = np.int64(state.army[seat, tribe])
    yields = np.empty(geography.num_hexes(land))
    write_yields(state, w, yields)
    for k in range(count):
        action = actions[k]
        if action >= CONQUER:
            city = action - CONQUER
            scores[k] = worth_of_expanding(state, seat, tribe, city, army, w, yields)
            scores[k] += price_of_strength(state, city, army, w)
        elif action == END:
            scores[k] = 0.0
        elif action >= REST:
            scores[k] = worth_of_resting(state, action - REST, w)
        elif action == PLAY_GREAT_WARRIOR:
            scores[k] = best_expansion(state, army + 1, w, yields) + _BONUS
        else:
            scores[k] = -1.0


@jitted
def worth_of_resting(state: State, choice, w):
    """Return the worth that the card or the gold of a rest adds to the hand."""
    worths, goods = hand_of(state, state.active, w)
    deck = np.int64(state.deck_size)
    before = worth_of_goods(worths, goods, True, deck, 0, 0)
    if choice == 0:
        goods[material.GOLD] += GOLD_OF_REST
    elif choice <= 2:
        goods[choice - 1] += 1
    else:
        return w[REST_MORE] + worth_of_a_pasture_card(state, worths, goods, True) - before
    return w[REST_MORE] + worth_of_goods(worths, goods, True, deck, 0, 0) - before


@jitted
def worth_of_a_pasture_card(state: State, worths, goods, may_replace):
    """Return the expected worth of goods, int64, shape ``(5,)``, with another pasture card, which is drawn."""
    cattle, horses = float(state.pile[0]), float(state.pile[1])
    if cattle + horses == 0.0:
        cattle, horses = float(state.discard[0]), float(state.discard[1])
    deck = np.int64(state.deck_size)
    if cattle + horses == 0.0:
        cattle = 1.0
    goods[material.CATTLE] += 1
    total = cattle * worth_of_goods(worths, goods, may_replace, deck, 0, 0)
    goods[material.CATTLE] -= 1
    goods[material.HORSE] += 1
    total += horses * worth_of_goods(worths, goods, may_replace, deck, 0, 0)
    goods[material.HORSE] -= 1
    return total / (cattle + horses)
