"""The material (RULES 1.1, 1.2): names, values and copies of warriors and forts.

Throughout the rules a warrior or a fort is the index of its kind in these tables. A clan's two Ch'ariotts are the
same kind: cards are counted, not distinguished.
"""

from __future__ import annotations

import numpy as np

WARRIORS = ("qween", "druhid", "zvord", "axx", "archr", "filchy", "horsie", "chariott")
QWEEN, DRUHID, ZVORD, AXX, ARCHR, FILCHY, HORSIE, CHARIOTT = range(8)
NUM_WARRIORS = len(WARRIORS)

STRENGTH = np.array([1, 2, 3, 4, 5, 6, 7, 9], dtype=np.int64)
"""Strength of each warrior (RULES 1.1), ascending: a lower index is a weaker warrior."""

COPIES = np.array([1, 1, 1, 1, 1, 1, 1, 2], dtype=np.int64)
"""Number of copies of each warrior in a clan, nine in all (RULES 1.1)."""

WHOLE_CLAN = tuple(name for name, copies in zip(WARRIORS, COPIES, strict=True) for _ in range(copies))
"""The nine warriors of a clan."""
HAND_SIZE = 7
LINE_SIZE = 6

FORTS = (
    "legion-1",
    "legion-2",
    "legion-3",
    "dinary-1",
    "dinary-3",
    "dinary-4",
    "dinary-5",
    "dinary-6",
    "unwary-2",
    "signal-4",
    "tax-8",
)
UNWARY, SIGNAL, TAX = FORTS.index("unwary-2"), FORTS.index("signal-4"), FORTS.index("tax-8")
NUM_FORTS = len(FORTS)
NUM_LEGION_KINDS = 3
"""Number of kinds of Legion forts; they come first in `FORTS`."""

POINTS = np.array([-1, -2, -3, 1, 3, 4, 5, 6, 2, 4, 8], dtype=np.int64)
"""Points of each fort (RULES 1.2)."""

DEFAULT_FORT_DECK = (
    ("legion-1",) * 2
    + ("legion-2", "legion-3")
    + ("dinary-1",) * 2
    + ("dinary-3",) * 2
    + ("dinary-4",) * 2
    + ("dinary-5",) * 2
    + ("dinary-6",)
    + ("unwary-2",) * 2
    + ("signal-4",) * 2
    + ("tax-8",)
)
"""The default deck of 18 forts. It is a reconstruction, so the deck is a setting (RULES 1.2)."""

DECK_SIZE = 18
NUM_LEGION_FORTS = 4
WALL_SIZE = 6
NUM_ROUNDS = 3
MAX_CLANS = 4

NONE = -1
"""No warrior, no fort, no seat."""
UNKNOWN = -2
"""A card that exists but is hidden from the seat whose private view the record is."""
