"""The value of a position for each seat: a softmax of the seats' assets and prospects, in resource cards."""

from __future__ import annotations

import numpy as np

from romans_agents.loops.score_priors import exponentiate
from romans_agents.struggle import purchases
from romans_agents.struggle.places import write_yields, yield_at
from romans_agents.struggle.styles import CARD, CITY_PLACE, COLOUR, FOUND, GIVES_UP, HEIR, POINT
from romans_agents.struggle.targets import worth_of_reach
from romans_agents.struggle.tribe_turns import outlook_of, stay_at
from romans_env.compiling.decorators import jitted
from romans_env.struggle.end import return_of
from romans_env.struggle.geography import crossroads_of, land_of, num_hexes
from romans_env.struggle.kingdoms import COLOURS_OF_A_KINGDOM
from romans_env.struggle.material import CULTURE, NONE, NUM_CITIES, NUM_PROVINCES, NUM_TRIBES
from romans_env.struggle.points import CITIES_OF_AN_HEIR, num_colours
from romans_env.struggle.state import STAGE_OVER, State

TEMPERATURE = 15.0
"""The lead, in resource cards, that makes a seat e times as likely to win as another seat."""


@jitted
def standing_of(state: State, seat, w):
    """Return the worth of all that a seat has, in resource cards.

    It includes points and progress towards them, figures, wagons, places, cards and gold. A culture card in hand counts
    as a point, because it gives one at the end (STRUGGLE 7.3).
    """
    culture = float(state.development[seat, CULTURE])
    total = w[POINT] * (float(state.points[seat]) + culture)
    total += w[CARD] * (float(state.development_size[seat]) - culture)
    for tribe in range(NUM_TRIBES):
        # The fifth colour is already counted by its points.
        for k in range(min(num_colours(state, seat, tribe), np.int64(NUM_PROVINCES - 1))):
            total += w[COLOUR + k]
        for k in range(state.army[seat, tribe]):
            total += purchases.worth_of_figure(state, seat, tribe, np.int64(k), w)
        for k in range(state.wagons[seat, tribe]):
            total += purchases.worth_of_wagon(state, seat, tribe, np.int64(k), w)
        total += prospects_of(state, seat, tribe, w)
    worths, goods = purchases.hand_of(state, seat, w)
    return total + purchases.worth_of_goods(worths, goods, True, np.int64(state.deck_size), 0, 0)


@jitted
def prospects_of(state: State, seat, tribe, w):
    """Return the worth of a tribe's place, or of its kingdom without the points of its cities."""
    land = land_of(state)
    if state.kingdom[seat, tribe] == 0:
        outlook = outlook_of(state, seat, tribe, np.int64(state.army[seat, tribe]), w)
        return stay_at(land, np.int64(state.at[seat, tribe]), outlook, np.int64(NONE), w)
    total = w[FOUND]
    colours = num_colours(state, seat, tribe)
    if colours == COLOURS_OF_A_KINGDOM:
        total -= w[GIVES_UP]
    elif colours < NUM_PROVINCES:
        total -= 2.0 * w[GIVES_UP]
    if state.num_cities[seat, tribe] >= CITIES_OF_AN_HEIR:
        total += w[HEIR]
    yields = np.empty(num_hexes(land))
    write_yields(state, w, yields)
    for city in range(NUM_CITIES):
        if (state.owner[city] == seat) & (state.tribe[city] == tribe):
            total += w[CITY_PLACE] * yield_at(land, crossroads_of(land, np.int64(city)), yields)
            total += worth_of_reach(state, np.int64(city), w)
    return total


@jitted
def write_values(state: State, w, returns):
    """Write the expected return of every seat, which sum to 0; the actual returns if the game is over.

    Args:
        state: the record.
        w: the weights of a style: float64.
        returns: written, in [-1, 1]: float64, shape ``(players,)``.
    """
    seats = np.int64(state.num_players)
    if state.stage == STAGE_OVER:
        for seat in range(seats):
            returns[seat] = return_of(state, seat)
        return
    for seat in range(seats):
        returns[seat] = standing_of(state, seat, w)
    total = exponentiate(returns, seats, TEMPERATURE)
    for seat in range(seats):
        returns[seat] = (seats * returns[seat] / total - 1.0) / (seats - 1.0)
