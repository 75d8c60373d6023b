"""What variance reduction asks of a game: its control variates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from romans_agents.batches.arena import Watcher


class ControlVariates(Watcher, Protocol):
    """Sees games while they are played, and computes their control variates.

    A control variate is a number that is known of a played game and has the expectation zero: for an event whose
    probabilities are known, the expected value over what might have happened less the value of what did. The expected
    value may be estimated from draws that are independent of what happened.
    """

    @property
    def names(self) -> Sequence[str]:
        """Of the variates."""
        ...

    def values(self) -> npt.NDArray[np.float64]:
        """Return the variates of the games, once they have been played: float64, shape (games, players, variates)."""
        ...
