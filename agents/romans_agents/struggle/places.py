"""The yields of places: the expected cards that the dice of a round bring there (STRUGGLE 4.1, 4.2)."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from romans_agents.struggle.styles import GOODS
from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.chance import NUM_FACES
from romans_env.struggle import geography
from romans_env.struggle.material import CATTLE, FIELD, HORSE, MOUNTAIN, NUM_MARKERS, PASTURE, SUMS
from romans_env.struggle.state import State


def _chances() -> npt.NDArray[np.float64]:
    """Return the probability that each sum of two dice is among the four sums of a round: float64, shape (13,)."""
    ways = np.array([max(0, NUM_FACES - abs(NUM_FACES + 1 - total)) for total in range(SUMS)]) / NUM_FACES**2
    chances = np.zeros(SUMS)
    for four in itertools.permutations(range(2, SUMS), NUM_MARKERS):
        probability, left = 1.0, 1.0
        for total in four:
            probability *= ways[total] / left
            left -= ways[total]
        chances[list(four)] += probability
    return chances


CHANCE = _chances()
"""The probability that each sum of two dice is among the four sums of a round: float64, shape ``(13,)``."""


@jitted
def write_yields(state: State, w, yields):
    """Write the yield of each hex per round, in cards, for a place that touches it: float64, shape ``(num_hexes,)``."""
    land = geography.land_of(state)
    for place in range(geography.num_hexes(land)):
        yields[place] = 0.0
    for number in range(2, SUMS):
        for k in range(geography.first_hex_of_number(land, number), geography.first_hex_of_number(land, number + 1)):
            place = geography.hex_by_number(land, k)
            terrain = geography.terrain_of(land, place)
            if place == state.legion:
                continue
            if terrain == PASTURE:
                yields[place] = CHANCE[number] * 0.5 * (w[GOODS + CATTLE] + w[GOODS + HORSE])
            elif (terrain == FIELD) | (terrain == MOUNTAIN):
                yields[place] = CHANCE[number] * w[GOODS + terrain]


@inlined
def yield_at(land, crossroads, yields):
    """Return the yield of a crossroads per round, in cards; ``yields`` come from `write_yields`."""
    total = 0.0
    for k in range(geography.SIDES):
        place = geography.hex_of_crossroads(land, crossroads, k)
        if place >= 0:
            total += yields[place]
    return total
