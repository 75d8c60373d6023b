"""The deals of measurements: a seed and an index decide a deal, so that all agents get the same ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.core.chance import start_game
from romans_env.core.protocol import Rules, States
from romans_env.engine.random_stream import streams_from_seeds


class StartedGames(NamedTuple):
    """Games that have been started.

    Attributes:
        states: records of the games, shape ``(n,)``.
        words: random streams of the games' chance: int64, shape ``(n, 4)``.
    """

    states: States
    words: npt.NDArray[np.int64]

    def repeated(self, count: int) -> StartedGames:
        """Return each game ``count`` times in a row, with the same deal and the same future chance."""
        return StartedGames(np.repeat(self.states, count), np.repeat(self.words, count, axis=0))


def deal_seed(seed: int, deal: int) -> np.random.SeedSequence:
    """Return the seed of a deal; ``Game(rules, seed=...)`` with it plays the same deal."""
    return np.random.SeedSequence([seed, 0, deal])


def deal_games(rules: Rules, deals: range, seed: int) -> StartedGames:
    """Start a game for each deal in a range of indices."""
    states = rules.new_states(len(deals))
    words = streams_from_seeds([deal_seed(seed, deal) for deal in deals])
    for i in range(len(deals)):
        start_game(rules, states, i, words, i)
    return StartedGames(states, words)
