"""The start-state buffer, which keeps positions of recent games; a share of new games begin at such positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import States

_KEPT, _DRAWS = 0, 1
"""Indices into the counts: the number of positions kept so far, and the number of random draws so far."""
PER_GAME = 8
"""Capacity of the buffer in positions, per game of the batch."""
ONE_IN = 32
"""Each step adds a position from one in ONE_IN games, so that a full buffer covers at least the last 256 steps."""


class StartStateBuffer:
    """A ring buffer of positions, in which new positions overwrite the oldest.

    Args:
        states: the records of the batch, shape ``(n,)``; they determine the size and dtype of the buffer.
        share: the share of new games that begin at a position, below 1.
        seed: the seed that decides which games begin at a position, and which positions are kept and drawn.
    """

    def __init__(self, states: States, share: float, seed: int):
        self.share, self._num_games, self._seed = share, len(states), seed
        self._positions = np.zeros(PER_GAME * len(states), dtype=states.dtype)
        # One array, because it is stored in checkpoints; unsigned, so that any bits of a forged file are valid.
        self._counts = np.zeros(2, dtype=np.uint64)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays that hold the whole state of the buffer, by name, without copying them.

        Writing to the arrays restores a state. They are the records, shape ``(PER_GAME * n,)``, and two counts, uint64,
        shape ``(2,)``.
        """
        return {"positions": self._positions, "position_counts": self._counts}

    def some_games(self) -> npt.NDArray[np.int64]:
        """Draw the games whose positions are kept after a step.

        Returns:
            The indices of the games, int64, shape ``(ceil(n / ONE_IN),)``.
        """
        return self._rng().integers(self._num_games, size=-(-self._num_games // ONE_IN))

    def keep(self, positions: States) -> None:
        """Copy records, shape ``(k,)``, into the buffer; they overwrite the oldest if the buffer is full."""
        first = int(self._counts[_KEPT]) % len(self._positions)
        self._positions[(first + np.arange(len(positions))) % len(self._positions)] = positions
        self._count(_KEPT, len(positions))

    def draw(self, count: int) -> tuple[npt.NDArray[np.bool_], States]:
        """Decide at random which of ``count`` new games begin at a position, and draw a position for each of these.

        Returns:
            Two arrays: True for the games that begin at a position, bool, shape ``(count,)``; and the positions of
            these games as records, shape ``(number of True,)``.
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
