"""What variance reduction asks of a game: its control variates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from romans_agents.kernels import Integers
from romans_env.protocol import States


class ControlVariates(Protocol):
    """Sees games while they are played (`romans_agents.arena.Watcher`), and computes their control variates.

    A control variate is a number that is known of a played game and has the expectation zero: for an event whose
    probabilities are known, the expected value over what might have happened less the value of what did. The expected
    value may be estimated from draws that are independent of what happened.
    """

    @property
    def names(self) -> Sequence[str]:
        """Of the variates."""
        ...

    def see(self, states: States, indices: Integers, actions: Integers) -> None:
        """Take note of legal actions that are about to be played in some games."""
        ...

    def values(self) -> npt.NDArray[np.float64]:
        """Return the variates of the games, once they have been played: float64, shape (games, players, variates)."""
        ...
