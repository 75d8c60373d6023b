"""The weights of the scripted agents: a row each, in resource cards, which are worth about 1.

The numbers of `chieftain` were found by an evolution strategy over games among perturbed copies of it.
"""

from __future__ import annotations

import numpy as np

WEIGHTS = {
    # -- points and what leads to them
    "point": 12.48,  # of a city
    "colour_1": 5.10,  # of the first counter of a tribe in a colour of its own, then the second, …
    "colour_2": 5.04,
    "colour_3": 4.06,
    "colour_4": 11.02,
    "colour_5": 12.09,
    "found": 1.61,  # of a kingdom, besides its city
    "gives_up": 3.79,  # of a kingdom that is founded with two colours missing; twice as much with one
    "heir": 6.03,  # of the fourth city of a tribe
    "tower": 0.37,  # of each tower of a city that a kingdom takes: strong ones first, while there is army
    "reach": 0.42,  # of a city of two towers that the new one can expand to; less of stronger ones
    # -- places
    "place": 0.84,  # of a card that a figure's place yields in a round
    "city_place": 3.60,  # the same of a city
    "future": 0.48,  # of the best that the tribe can do in its next turn
    "fare": 0.34,  # of a gold that a way costs
    "rest": -0.18,  # of resting, besides its card
    # -- figures and wagons: the next one, where a box has 0, 1, …
    "army_0": 4.40,
    "army_1": 2.32,
    "army_2": 1.85,
    "army_3": 1.26,
    "army_4": 0.53,
    "army_5": 0.37,
    "kingdom_army_0": 3.73,
    "kingdom_army_1": 1.83,
    "kingdom_army_2": 1.76,
    "kingdom_army_3": 0.97,
    "kingdom_army_4": 0.63,
    "kingdom_army_5": 0.34,
    "wagon_0": 5.49,
    "wagon_1": 2.49,
    "wagon_2": 1.31,
    "wagon_3": 1.44,
    "wagons_early": 1.01,  # times the worth of a wagon, of a tribe with less than two colours
    "wagons_late": 1.32,  # the same with more
    "wagons_kingdom": 1.19,  # and of a kingdom
    # -- development cards
    "card": 2.19,
    "traitor": 0.98,  # of one that is played
    "diplomacy": 3.58,  # of playing one
    "treasure": 4.76,
    # -- goods
    "grain": 0.50,
    "ore": 0.53,
    "cattle": 0.61,
    "horse": 0.76,
    "gold": 0.40,
    "falls": 0.69,  # a card of a kind is worth this much of the one before
    # -- exchange
    "bank": 0.11,  # the least gain of three cards for one
    "offer": 0.14,  # of an offer
    "accept": 0.08,  # of accepting one
    "rival": 0.19,  # of what a rival gains by it
    # -- the legionnaire
    "harm": 0.77,  # of a card that a rival loses
    "leader": 0.22,  # more of it for each point of the rival
}
"""The weights that the styles start from, and what each is for."""

NAMES = tuple(WEIGHTS)
POINT, COLOUR, FOUND, GIVES_UP, HEIR, TOWER, REACH = (
    NAMES.index(name) for name in ("point", "colour_1", "found", "gives_up", "heir", "tower", "reach")
)
PLACE, CITY_PLACE, FUTURE, FARE, REST_MORE = (
    NAMES.index(name) for name in ("place", "city_place", "future", "fare", "rest")
)
ARMY, KINGDOM_ARMY, WAGON = (NAMES.index(name) for name in ("army_0", "kingdom_army_0", "wagon_0"))
WAGONS_EARLY, WAGONS_LATE, WAGONS_KINGDOM = (
    NAMES.index(name) for name in ("wagons_early", "wagons_late", "wagons_kingdom")
)
CARD, TRAITOR, PLAY_DIPLOMACY_WORTH, PLAY_TREASURE_WORTH = (
    NAMES.index(name) for name in ("card", "traitor", "diplomacy", "treasure")
)
GOODS, GOLD, FALLS = (NAMES.index(name) for name in ("grain", "gold", "falls"))
BANK_GAIN, OFFER_GAIN, LEAST_GAIN, RIVAL = (NAMES.index(name) for name in ("bank", "offer", "accept", "rival"))
HARM, LEADER = (NAMES.index(name) for name in ("harm", "leader"))
"""Places of the weights; COLOUR, ARMY, KINGDOM_ARMY, WAGON and GOODS begin runs of them."""
CHIEFTAIN, PLUNDERER, KINGDOM_BUILDER, TRADER = range(4)


def _row(**other: float) -> list[float]:
    return [{**WEIGHTS, **other}[name] for name in NAMES]


STYLES = np.array(
    [
        _row(),
        _row(colour_4=14.0, colour_5=18.0, gives_up=15.0),
        _row(colour_4=0.5, colour_5=1.0, found=6.0, gives_up=0.0, heir=12.0),
        _row(offer=0.0, accept=0.0, rival=0.0),
    ]
)
"""The weights of each style: float64, shape (4, number of weights)."""
