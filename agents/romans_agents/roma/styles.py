"""How the scripted agents differ: the worth of each card on a disc, and the weights of their aims; a row each.

- `forum-runner` gathers points: forums with basilicas and templa, tribunes and legates.
- `raider` attacks the rival's cards.
- `denier` fills its own discs, and empties the rival's, which then cost it points every turn.
"""

from __future__ import annotations

import numpy as np

from romans_env.roma.material import CARDS

FORUM_RUNNER, RAIDER, DENIER = range(3)

_GENERAL = [1.5, 1.0, 0.2, 1.5, 1.8, 1.2, 0.3, 1.5, 1.5, 0.5, 1.0, 1.2, 1.0, 1.2, 0.4, 1.6, 1.8]
_GENERAL += [0.8, 1.0, 0.2, 3.0, 1.0, 1.4, 0.9, 1.2]
"""The worth by kind (ROMA 1.2) that the styles start from."""


def _worth(**more):
    worth = np.array(_GENERAL)
    for name, value in more.items():
        worth[CARDS.index(name)] += value
    return worth


_RAIDERS = {"gladiator": 1.5, "legionarius": 1.2, "nero": 1.5, "velites": 1.5, "essedum": 0.8, "centurio": 1.5}
CARD_WORTH = np.stack(
    [
        _worth(forum=1.5, basilica=1.2, templum=1.0, tribunus=0.8, legat=0.5),
        _worth(sicarius=1.5, onager=1.5, **_RAIDERS),
        _worth(legat=1.5, sicarius=1.0, gladiator=1.0, turris=1.0, templum=0.5),
    ]
)
"""What a card of each kind is worth on a disc: float64, shape (3, 25), in points, roughly."""
GAIN = np.array([1.5, 1.0, 1.0])
"""Of a point that is gained this turn."""
ATTACK = np.array([0.7, 2.0, 1.3])
"""Of the worth of a card that the rival loses."""
FILL = np.array([1.5, 1.2, 3.0])
"""Of a free disc that is filled, in points; as are those below."""
COVER = np.array([0.8, 0.5, 1.0])
"""Of a card that is lost under another, besides its worth."""
SESTERTIUS = np.array([0.5, 0.5, 0.6])
"""Of a sestertius that a card of the hand still lacks."""
DRAWN = np.array([2.0, 2.0, 2.0])
"""Of a card that is drawn into an empty hand."""
