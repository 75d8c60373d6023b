"""The weights of the scripted agents, one row per agent, in resource cards.

The weights of `chieftain` were found by an evolution strategy, in games between perturbed copies of it.
"""

from __future__ import annotations

import numpy as np

WEIGHTS = {
    # -- points and progress towards them
    "point": 12.48,  # a point, such as that of a city
    "colour_1": 5.10,  # a tribe's counter of its first colour; below, of its second, third, … colour
    "colour_2": 5.04,
    "colour_3": 4.06,
    "colour_4": 11.02,
    "colour_5": 12.09,
    "found": 1.61,  # a kingdom, in addition to its city
    "gives_up": 3.79,  # loss from founding a kingdom with two colours missing; twice as much with one missing
    "heir": 6.03,  # the fourth city of a tribe
    "tower": 0.37,  # each tower of a city that a kingdom takes: strong cities first, while the army is large
    "reach": 0.42,  # a city with two towers to which the new city can expand; stronger cities count less
    # -- places
    "place": 0.84,  # a card per round from the place of a figure
    "city_place": 3.60,  # a card per round from the place of a city
    "future": 0.48,  # factor for the worth of the tribe's best action in its next turn
    "fare": 0.34,  # a gold paid for a move
    "rest": -0.18,  # resting, in addition to its card
    # -- figures and wagons: the next one, if the tribe has 0, 1, … already
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
    "wagons_early": 1.01,  # factor for the wagons of a tribe with fewer than two colours
    "wagons_late": 1.32,  # factor for the wagons of a tribe with more colours
    "wagons_kingdom": 1.19,  # factor for the wagons of a kingdom
    # -- development cards
    "card": 2.19,
    "traitor": 0.98,  # cost of playing it
    "diplomacy": 3.58,  # gain of playing it
    "treasure": 4.76,
    # -- goods
    "grain": 0.50,
    "ore": 0.53,
    "cattle": 0.61,
    "horse": 0.76,
    "gold": 0.40,
    "falls": 0.69,  # each further card of a kind is worth this fraction of the one before
    # -- exchange
    "bank": 0.11,  # least gain for an exchange with the bank
    "offer": 0.14,  # least gain for making an offer
    "accept": 0.08,  # least gain for accepting an offer
    "rival": 0.19,  # factor for an opponent's gain, which is subtracted
    # -- the legionnaire
    "harm": 0.77,  # a card that an opponent loses
    "leader": 0.22,  # addition to it for each point of the opponent
}
"""The weights of `chieftain`, from which the other styles differ."""

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
"""Indices of the weights; COLOUR, ARMY, KINGDOM_ARMY, WAGON and GOODS are those of the first of several weights."""
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
"""The weights of each style: float64, shape ``(4, num_weights)``."""
