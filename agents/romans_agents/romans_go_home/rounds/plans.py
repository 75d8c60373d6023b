"""Distributions over the plans of a seat."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.romans_go_home.material import NUM_WARRIORS
from romans_env.romans_go_home.state import States


class Plans(NamedTuple):
    """A distribution over the plans of a seat.

    Attributes:
        plans: the line and then the warrior set aside, as in `romans_agents.romans_go_home.plans`: int8, shape (n, 7).
        weights: their probabilities: float64, shape (n,), of sum 1.
    """

    plans: npt.NDArray[np.int8]
    weights: npt.NDArray[np.float64]

    def of_hand(self, hand: npt.NDArray[np.int8]) -> Plans:
        """Those of one hand, as of `hand_of`, of sum 1; none, where the hand has none."""
        held = np.sort(self.plans[:, : len(hand)], axis=1)
        rows = (held == hand).all(axis=1)
        return Plans(self.plans[rows], self.weights[rows] / self.weights[rows].sum())


def hand_of(root: States, seat: int) -> npt.NDArray[np.int8]:
    """A seat's hand as kinds, ascending: int8, shape (hand size,)."""
    return np.repeat(np.arange(NUM_WARRIORS, dtype=np.int8), root[0]["hand"][seat])
