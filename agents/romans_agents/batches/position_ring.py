"""Positions of recent games, at which a share of the games to come begin."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import States

PER_GAME = 8
"""Positions that are kept, for each game of a batch."""
ONE_IN = 32
"""A step of a batch gives a position of one game in so many, so that a full ring is of the last 256 steps or more."""


class PositionRing:
    """A bounded number of positions, the oldest of which are overwritten.

    Args:
        states: the games of the batch that the positions are of: shape (n,).
        share: of the games that begin at a position, below 1.
        seed: decides which games those are, and which positions are kept and drawn.
    """

    def __init__(self, states: States, share: float, seed: int):
        self.share, self._num_games, self._seed = share, len(states), seed
        self._positions = np.zeros(PER_GAME * len(states), dtype=states.dtype)
        self._counts = np.zeros(2, dtype=np.uint64)  # positions and draws so far; what a forged file says can be one

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return everything that changes, by name."""
        return {"positions": self._positions, "position_counts": self._counts}

    def some_games(self) -> npt.NDArray[np.int64]:
        """Draw the games of which positions are to be kept after a step."""
        return self._rng().integers(self._num_games, size=-(-self._num_games // ONE_IN))

    def keep(self, positions: States) -> None:
        """Keep positions, copies of the records."""
        first = int(self._counts[0]) % len(self._positions)
        self._positions[(first + np.arange(len(positions))) % len(self._positions)] = positions
        self._counts[:1] += np.uint64(len(positions))

    def draw(self, count: int) -> tuple[npt.NDArray[np.bool_], States]:
        """Draw which of some games begin at a position: bool, shape (count,); and a position for each that does."""
        rng, kept = self._rng(), min(int(self._counts[0]), len(self._positions))
        begins = rng.random(count) < (self.share if kept else 0.0)
        return begins, self._positions[rng.integers(max(1, kept), size=np.count_nonzero(begins))]

    def _rng(self) -> np.random.Generator:
        self._counts[1:] += np.uint64(1)
        return np.random.default_rng([self._seed, int(self._counts[1])])
