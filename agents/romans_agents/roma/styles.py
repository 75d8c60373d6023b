"""How the scripted agents differ: what each thinks a card on a disc is worth, and how it weighs its plans.

- `forum-runner` gathers points: forums with basilicas and templa, tribunes and legates.
- `raider` attacks the rival's cards.
- `denier` fills its own discs, and empties the rival's, so that the rival pays for them.
"""

from __future__ import annotations

import numpy as np

FORUM_RUNNER, RAIDER, DENIER = range(3)

_GENERAL = [1.5, 1.0, 0.2, 1.5, 1.8, 1.2, 0.3, 1.5, 1.5, 0.5, 1.0, 1.2, 1.0, 1.2, 0.4, 1.6, 1.8]
_GENERAL += [0.8, 1.0, 0.2, 3.0, 1.0, 1.4, 0.9, 1.2]
"""What a card of each kind is worth on a disc (ROMA 1.2), in points or so."""


def _with(changes):
    worth = np.array(_GENERAL)
    for kind, by in changes.items():
        worth[kind] += by
    return worth


CARD_WORTH = np.stack(
    [
        _with({20: 1.5, 18: 1.2, 23: 1.0, 15: 0.8, 3: 0.5}),
        _with({0: 1.5, 4: 1.5, 7: 1.2, 8: 1.5, 13: 1.5, 14: 0.8, 16: 1.5, 22: 1.5}),
        _with({3: 1.5, 0: 1.0, 4: 1.0, 24: 1.0, 23: 0.5}),
    ]
)
GAIN = np.array([1.5, 1.0, 1.0])
"""Points that are gained now."""
ATTACK = np.array([0.7, 2.0, 1.3])
"""Cards that the rival loses."""
FILL = np.array([1.5, 1.2, 3.0])
"""A free disc that is filled."""
COVER = np.array([0.8, 0.5, 1.0])
"""A card that is lost under another."""
SESTERTIUS = np.array([0.5, 0.5, 0.6])
DRAWN = np.array([2.0, 2.0, 2.0])
"""A card that is drawn."""
