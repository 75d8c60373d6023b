"""Distributions over the plans of a seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.romans_go_home.actions import DISCARD, PLACE
from romans_env.romans_go_home.material import HAND_SIZE, NUM_WARRIORS
from romans_env.romans_go_home.state import States

Cards = npt.NDArray[np.int8]
"""Kinds of warriors: a hand, shape (hand size,), or plans (`romans_agents.romans_go_home.plans`), shape (n, 7)."""
Floats = npt.NDArray[np.float64]


class Plans(NamedTuple):
    """A distribution over the plans of a seat.

    Attributes:
        plans: the line and then the warrior set aside, as in `romans_agents.romans_go_home.plans`: int8, shape (n, 7).
        weights: their probabilities: float64, shape (n,), of sum 1.
    """

    plans: Cards
    weights: Floats

    def of_hand(self, hand: Cards) -> Plans:
        """Those of one hand, as of `hand_of`, of sum 1; none, where the hand has none."""
        held = np.sort(self.plans[:, : len(hand)], axis=1)
        rows = (held == hand).all(axis=1)
        return Plans(self.plans[rows], self.weights[rows] / self.weights[rows].sum())


def hand_of(root: States, seat: int) -> Cards:
    """Return a seat's hand as kinds, ascending: int8, shape (hand size,)."""
    return np.repeat(np.arange(NUM_WARRIORS, dtype=np.int8), root[0]["hand"][seat])


def actions_of(plan: Cards, hand_size: int) -> tuple[int, ...]:
    """Return the actions that lay a plan; where one kind of warrior is left, nothing is asked any more."""
    line = plan[: hand_size - 1].tolist()
    asked = [warrior for slot, warrior in enumerate(line) if len(set(line[slot:])) > 1]
    return DISCARD + int(plan[hand_size - 1]), *(PLACE + warrior for warrior in asked)


def plan_of(actions: Sequence[int], hand: Cards) -> Cards:
    """Return the plan that a seat lays by its first actions of a round: int8, shape (7,).

    Args:
        actions: what it plays, from the warrior that it sets aside on; further ones do not matter.
        hand: as of `hand_of`.
    """
    laid = [action - PLACE for action in takewhile(range(PLACE, PLACE + NUM_WARRIORS).__contains__, actions[1:])]
    aside = actions[0] - DISCARD
    rest = Counter(hand.tolist()) - Counter([aside, *laid])
    plan = np.zeros(HAND_SIZE, dtype=np.int8)
    plan[: len(hand)] = [*laid, *rest.elements(), aside]
    return plan
