"""The material (ROMA 1): cards, discs and points.

Throughout the rules a card is the index of its kind in these tables, a disc is its number less 1, and a die is its
value less 1. Cards of one kind are counted, never told apart (ROMA 1.2).
"""

from __future__ import annotations

import numpy as np

CARDS = (
    "sicarius",
    "architectus",
    "consiliarius",
    "legat",
    "gladiator",
    "mercator",
    "consul",
    "legionarius",
    "nero",
    "praetorianus",
    "scaenicus",
    "haruspex",
    "senator",
    "velites",
    "essedum",
    "tribunus",
    "centurio",
    "aesculapinum",
    "basilica",
    "machina",
    "forum",
    "mercatus",
    "onager",
    "templum",
    "turris",
)
"""Names of the 25 kinds, characters first (ROMA 1.2)."""
(
    SICARIUS,
    ARCHITECTUS,
    CONSILIARIUS,
    LEGAT,
    GLADIATOR,
    MERCATOR,
    CONSUL,
    LEGIONARIUS,
    NERO,
    PRAETORIANUS,
    SCAENICUS,
    HARUSPEX,
    SENATOR,
    VELITES,
    ESSEDUM,
    TRIBUNUS,
    CENTURIO,
    AESCULAPINUM,
    BASILICA,
    MACHINA,
    FORUM,
    MERCATUS,
    ONAGER,
    TEMPLUM,
    TURRIS,
) = range(25)
NUM_CARDS = len(CARDS)
NUM_CHARACTERS = 17
"""Number of kinds of characters; they come first, then the buildings (ROMA 1.2)."""

COPIES = np.array([1, 2, 2, 2, 2, 1, 2, 3, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 6, 2, 2, 2, 2], dtype=np.int64)
"""Number of copies of each kind, 52 cards in all (ROMA 1.2)."""
COST = np.array([9, 3, 4, 5, 6, 7, 3, 4, 8, 4, 8, 4, 3, 5, 6, 5, 9, 5, 6, 4, 5, 6, 5, 2, 6], dtype=np.int64)
"""Cost of each kind, in sestertii (ROMA 1.2)."""
DEFENCE = np.array([2, 4, 4, 2, 5, 2, 3, 5, 9, 4, 3, 3, 3, 3, 3, 5, 5, 2, 5, 4, 5, 3, 4, 2, 6], dtype=np.int64)
"""Defence of each kind (ROMA 1.2)."""
DECK_SIZE = 52

NUM_SEATS = 2
NUM_DISCS = 6
NUM_FACES = 6
NUM_DICE = 3
HAND_SIZE = 4
"""Number of cards that a seat draws in the opening (ROMA 3.1)."""
NUM_GIVEN = 2
"""Number of cards that a seat gives to its rival (ROMA 3.2)."""
POINTS_AT_START = 10
STOCK_AT_START = 16
LAST_TURN = 200
"""The turn after which the game ends (ROMA 7.2)."""

NONE = -1
"""No card, no disc."""
UNKNOWN = -2
"""A card that exists but is hidden from the seat whose private view the record is."""
