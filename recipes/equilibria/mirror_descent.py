"""Two-player zero-sum games with types, solved by magnetic mirror descent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import numpy as np

from romans_agents.romans_go_home.rounds.matrix_game import BayesianPlayer, Floats, matched

STEP, DECAY = 20.0, 0.25
"""The first step of mirror descent, for returns from -1 to 1, and the power of the number of iterations that divides
it, in a game as large as a round."""
TEMPERATURE = 0.1
"""The weight of entropy in the first iteration. It is divided by the rest of the first power, so that the pull towards
even mixtures goes on to count, and what the mixtures were at first is forgotten."""
LEAST = 1e-7
"""Probabilities below it are 0 to the other player: to add up what is hardly ever played takes most of the time."""


def mirror_descent(
    values_of: Callable[[int, Floats], Floats], sides: tuple[BayesianPlayer, BayesianPlayer], decay: float = DECAY
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the mixtures of both players after each iteration, without end; the last ones are the best.

    Magnetic mirror descent towards even mixtures, with less and less pull (Sokota et al. 2023, A Unified Approach to
    Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games, ICLR).

    Args:
        values_of, sides: as for `regret_matching`.
        decay: the power by which steps shrink, from 0 to 1. In a game with few strategies long steps go round the
            equilibrium: 0.5 reaches it.
    """
    logits = [np.zeros(len(side.types)) for side in sides]
    mixes = [_softmax(one, side) for one, side in zip(logits, sides, strict=True)]
    for iteration in count(1):
        step, pull = STEP / iteration**decay, TEMPERATURE / iteration ** (1.0 - decay)
        for k, side in enumerate(sides):
            other = sides[1 - k]
            values = values_of(k, other.chances[other.types] * mixes[1 - k])
            logits[k] = (logits[k] + step * values) / (1.0 + step * pull)
            mixes[k] = _softmax(logits[k], side)
        yield mixes[0], mixes[1]


def _softmax(logits: Floats, side: BayesianPlayer) -> Floats:
    highest = np.full(len(side.chances), -np.inf)
    np.maximum.at(highest, side.types, logits)
    mix = matched(np.exp(logits - highest[side.types]), side)
    return matched(np.where(mix < LEAST, 0.0, mix), side)
