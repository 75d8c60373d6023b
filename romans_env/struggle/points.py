"""Points while the game runs (STRUGGLE 7.1, 7.2)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.struggle.material import DIPLOMACY, NONE, NUM_PROVINCES, NUM_TRIBES, POINTS_TO_WIN
from romans_env.struggle.state import State

POINTS_OF_A_SPECIAL_CARD = 2
CARDS_FOR_DIPLOMACY = 3
CITIES_OF_AN_HEIR = 4


@inlined
def num_colours(state: State, seat, tribe):
    """Return the number of colours of which a tribe has counters."""
    colours = np.int64(0)
    for province in range(NUM_PROVINCES):
        colours += np.int64(state.box[seat, tribe, province] > 0)
    return colours


@inlined
def points_of(state: State, seat):
    """Return the points of a seat while the game runs (STRUGGLE 7.1)."""
    specials = np.int64(state.diplomacy == seat)
    heirs = np.int64(0)
    cities = np.int64(0)
    for tribe in range(NUM_TRIBES):
        specials += np.int64(num_colours(state, seat, tribe) == NUM_PROVINCES)
        heirs += np.int64(state.num_cities[seat, tribe] >= CITIES_OF_AN_HEIR)
        cities += state.num_cities[seat, tribe]
    specials += np.int64(heirs == NUM_TRIBES)
    return cities + POINTS_OF_A_SPECIAL_CARD * specials


@jitted
def count_points(state: State):
    """Write the points of all seats into the record; the game is final if one has enough (STRUGGLE 7.2)."""
    for seat in range(state.num_players):
        state.points[seat] = points_of(state, seat)
        if state.points[seat] >= POINTS_TO_WIN:
            state.final = 1


@inlined
def award_diplomacy(state: State, seat):
    """Give the Diplomacy card to a seat that has just played a diplomacy, if it has earned it (STRUGGLE 7.1)."""
    played = state.played[seat, DIPLOMACY]
    if state.diplomacy == NONE:
        if played >= CARDS_FOR_DIPLOMACY:
            state.diplomacy = seat
    elif played > state.played[state.diplomacy, DIPLOMACY]:
        state.diplomacy = seat
    count_points(state)
