"""The material (STRUGGLE 1): names and numbers of cards, counters, tribes and provinces.

Throughout the rules a card, a counter, a tribe or a province is its index in these tables, and a city is its index in
the board file. Cards of one kind are counted, never told apart.
"""

from __future__ import annotations

import numpy as np

MAX_SEATS = 4
NONE = -1
"""No seat, city or crossroads, or a field without a value."""
NEUTRAL = -2
"""The owner of a neutral city (STRUGGLE 3.1)."""

RESOURCES = ("grain", "ore", "cattle", "horse")
"""Kinds of resource cards (STRUGGLE 1.6); gold is the next number where it is traded like them (5.2)."""
GRAIN, ORE, CATTLE, HORSE, GOLD = (np.int64(kind) for kind in range(5))
NUM_RESOURCES = len(RESOURCES)
NUM_BANK = 2
"""Number of kinds in the bank, grain and ore; the kinds after them are pasture cards."""
NUM_PASTURE = 2
COPIES = np.array([14, 14, 10, 10], dtype=np.int64)

TRIBES = ("horseman", "warrior")
HORSEMAN, WARRIOR, WAGON = (np.int64(kind) for kind in range(3))
NUM_TRIBES = len(TRIBES)
FIGURES, WAGONS = 8, 10
"""Number of figures of each kind, and of wagons, that a seat owns (STRUGGLE 1.2)."""
NUM_SUPPLIES = 3
"""Number of columns of a reserve: figures of both kinds, and wagons."""

DEVELOPMENT = ("diplomacy", "traitor", "treasure", "great_warrior", "culture")
"""Kinds of development cards (STRUGGLE 6)."""
DIPLOMACY, TRAITOR, TREASURE, GREAT_WARRIOR, CULTURE = (np.int64(kind) for kind in range(5))
NUM_DEVELOPMENT = len(DEVELOPMENT)
DECK_SIZE = 30

PROVINCES = ("germania", "gallia", "hispania", "italia_superus", "italia_inferus")
"""The provinces with cities, and the colours of counters (STRUGGLE 1.4)."""
NUM_PROVINCES = len(PROVINCES)
CITIES_OF_PROVINCE = 8
NUM_CITIES = NUM_PROVINCES * CITIES_OF_PROVINCE

COUNTERS = ("gold", "pasture", "card", "none", "gold_loss", "pasture_loss", "card_loss", "none_loss")
"""Kinds of plunder counters (STRUGGLE 1.3, 5.5)."""
NUM_COUNTERS = len(COUNTERS)
LOOT_GOLD, LOOT_PASTURE, LOOT_CARD, LOOT_NONE = (np.int64(loot) for loot in range(4))
NUM_LOOTS = 4
"""Number of kinds of loot; a counter's number is its loot, plus NUM_LOOTS if an army is lost."""

TERRAINS = ("field", "mountain", "pasture", "forest")
"""Terrains, in the order in which their products are given out (STRUGGLE 4.2): grain, ore, pasture cards, nothing."""
FIELD, MOUNTAIN, PASTURE, FOREST = (np.int64(terrain) for terrain in range(4))

SUMS = 13
"""Upper bound (exclusive) of the sum of two dice."""
SEVEN = 7
NUM_MARKERS = 4
"""Number of markers placed in a round (STRUGGLE 4.1)."""

GOLD_AT_START, GRAIN_AT_START = 5, 1
POINTS_TO_WIN = 10
PRICE_OF_CARD = 3
"""Gold paid instead of a card (STRUGGLE 5.1), and cards paid for one at the bank."""
MAX_GRAIN_PAID = 9
"""Most land arrows that can be paid in grain in one move (STRUGGLE 5.4)."""
NUM_FARES = MAX_GRAIN_PAID + 1
