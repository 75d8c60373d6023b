"""The weights of the scripted agents, in which they differ: one row per agent.

- `forum-runner` collects points with forums, basilicas, templa, tribunes and legates.
- `raider` attacks the opponent's cards.
- `denier` fills its own discs and empties the opponent's, which then cost the opponent points every turn.
"""

from __future__ import annotations

import numpy as np

from romans_env.roma.material import CARDS

FORUM_RUNNER, RAIDER, DENIER = range(3)

_GENERAL = [1.5, 1.0, 0.2, 1.5, 1.8, 1.2, 0.3, 1.5, 1.5, 0.5, 1.0, 1.2, 1.0, 1.2, 0.4, 1.6, 1.8]
_GENERAL += [0.8, 1.0, 0.2, 3.0, 1.0, 1.4, 0.9, 1.2]
"""The worth of each kind of card (ROMA 1.2) before the changes of each style."""


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
"""The worth of each kind of card on a disc, roughly in points: float64, shape ``(3, 25)``."""
GAIN = np.array([1.5, 1.0, 1.0])
"""Weight of a point gained this turn: float64, shape ``(3,)``, like all weights below."""
ATTACK = np.array([0.7, 2.0, 1.3])
"""Weight of the worth of a card that the opponent loses."""
FILL = np.array([1.5, 1.2, 3.0])
"""Value of filling a free disc, in points."""
COVER = np.array([0.8, 0.5, 1.0])
"""Additional loss, in points, of covering a card."""
SESTERTIUS = np.array([0.5, 0.5, 0.6])
"""Value, in points, of a sestertius that is still lacking for a card of the hand."""
DRAWN = np.array([2.0, 2.0, 2.0])
"""Value, in points, of a card that is drawn into an empty hand."""
