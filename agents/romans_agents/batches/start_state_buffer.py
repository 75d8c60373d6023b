"""The start-state buffer: positions of recent games, at which a share of new games begin."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import States

_KEPT, _DRAWS = 0, 1
"""Indices into the counts: positions kept, and random draws made, so far."""
PER_GAME = 8
"""Capacity of the buffer, for each game of the batch."""
ONE_IN = 32
"""Each step adds a position from one in ONE_IN games, so that a full buffer covers at least the last 256 steps."""


class StartStateBuffer:
    """A ring buffer of positions, in which new ones overwrite the oldest.

    Args:
        states: the records of the batch, shape ``(n,)``; they determine the size and dtype of the buffer.
        share: the share of new games that begin at a position, below 1.
        seed: decides which games these are, and which positions are kept and drawn.
    """

    def __init__(self, states: States, share: float, seed: int):
        self.share, self._num_games, self._seed = share, len(states), seed
        self._positions = np.zeros(PER_GAME * len(states), dtype=states.dtype)
        # One array, because it is stored in checkpoints; unsigned, so that any bits of a forged file are valid.
        self._counts = np.zeros(2, dtype=np.uint64)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays that hold the whole state, by name; they are not copied, and writing to them restores it.

        They are the records, shape ``(PER_GAME * n,)``, and two counts, uint64, shape ``(2,)``.
        """
        return {"positions": self._positions, "position_counts": self._counts}

    def some_games(self) -> npt.NDArray[np.int64]:
        """Draw the games whose positions are to be kept after a step: indices, int64, shape ``(ceil(n / ONE_IN),)``."""
        return self._rng().integers(self._num_games, size=-(-self._num_games // ONE_IN))

    def keep(self, positions: States) -> None:
        """Copy records into the buffer, shape ``(k,)``, overwriting the oldest if it is full."""
        first = int(self._counts[_KEPT]) % len(self._positions)
        self._positions[(first + np.arange(len(positions))) % len(self._positions)] = positions
        self._count(_KEPT, len(positions))

    def draw(self, count: int) -> tuple[npt.NDArray[np.bool_], States]:
        """Draw which of ``count`` new games begin at a position, and their positions.

        Returns:
            True for games that begin at a position, bool, shape ``(count,)``; and a record for each of these, shape
            ``(number of True,)``.
        """
        rng = self._rng()
        kept = min(int(self._counts[_KEPT]), len(self._positions))
        begins = rng.random(count) < (self.share if kept else 0.0)
        drawn = rng.integers(max(1, kept), size=np.count_nonzero(begins))
        return begins, self._positions[drawn]

    def _rng(self) -> np.random.Generator:
        self._count(_DRAWS, 1)
        return np.random.default_rng([self._seed, int(self._counts[_DRAWS])])

    def _count(self, place: int, more: int) -> None:
        # A slice, because integer arrays wrap around silently, while a numpy scalar would warn.
        self._counts[place : place + 1] += np.uint64(more)
