"""Positions of recent games, at which a share of the games to come begin."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import States

_KEPT, _DRAWS = 0, 1
"""Places in the counts: positions that were kept, and draws, so far."""
PER_GAME = 8
"""Positions that are kept, for each game of a batch."""
ONE_IN = 32
"""A step of a batch gives a position of one game in so many, so that a full buffer is of the last 256 steps or more."""


class StartStateBuffer:
    """A bounded number of positions, the oldest of which are overwritten.

    Args:
        states: the games of the batch that the positions are of: shape (n,).
        share: of the games that begin at a position, below 1.
        seed: decides which games those are, and which positions are kept and drawn.
    """

    def __init__(self, states: States, share: float, seed: int):
        self.share, self._num_games, self._seed = share, len(states), seed
        self._positions = np.zeros(PER_GAME * len(states), dtype=states.dtype)
        # Both numbers are one array, as checkpoints have them; unsigned, so that those of a forged one are valid, too.
        self._counts = np.zeros(2, dtype=np.uint64)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return everything that changes, by name."""
        return {"positions": self._positions, "position_counts": self._counts}

    def some_games(self) -> npt.NDArray[np.int64]:
        """Draw the games of which positions are to be kept after a step."""
        return self._rng().integers(self._num_games, size=-(-self._num_games // ONE_IN))

    def keep(self, positions: States) -> None:
        """Keep positions, copies of the records."""
        first = int(self._counts[_KEPT]) % len(self._positions)
        self._positions[(first + np.arange(len(positions))) % len(self._positions)] = positions
        self._count(_KEPT, len(positions))

    def draw(self, count: int) -> tuple[npt.NDArray[np.bool_], States]:
        """Draw which of some games begin at a position: bool, shape (count,); and a position for each that does."""
        rng = self._rng()
        kept = min(int(self._counts[_KEPT]), len(self._positions))
        begins = rng.random(count) < (self.share if kept else 0.0)
        drawn = rng.integers(max(1, kept), size=np.count_nonzero(begins))
        return begins, self._positions[drawn]

    def _rng(self) -> np.random.Generator:
        self._count(_DRAWS, 1)
        return np.random.default_rng([self._seed, int(self._counts[_DRAWS])])

    def _count(self, place: int, more: int) -> None:
        # Of an array, which begins again at 0 after the largest number; a single one would warn.
        self._counts[place : place + 1] += np.uint64(more)
