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
"""Kinds of warriors: a hand, shape ``(hand_size,)``, or plans (`romans_agents.romans_go_home.plans`), shape ``(n,
7)``."""
Floats = npt.NDArray[np.float64]


class Plans(NamedTuple):
    """A distribution over the plans of a seat.

    Attributes:
        plans: the plans, as in `romans_agents.romans_go_home.plans`: int8, shape ``(n, 7)``.
        weights: their probabilities: float64, shape ``(n,)``; they sum to 1.
    """

    plans: Cards
    weights: Floats

    def of_hand(self, hand: Cards) -> Plans:
        """Return the plans of one hand, renormalised; empty if there are none.

        Args:
            hand: the hand, as `hand_of` returns it: int8, shape ``(hand_size,)``.
        """
        held = np.sort(self.plans[:, : len(hand)], axis=1)
        rows = (held == hand).all(axis=1)
        return Plans(self.plans[rows], self.weights[rows] / self.weights[rows].sum())


def hand_of(root: States, seat: int) -> Cards:
    """Return a seat's hand as ascending kinds of warriors: int8, shape ``(hand_size,)``.

    Args:
        root: a record, full or redacted for the seat, shape ``(1,)``.
        seat: the seat.
    """
    return np.repeat(np.arange(NUM_WARRIORS, dtype=np.int8), root[0]["hand"][seat])


def actions_of(plan: Cards, hand_size: int) -> tuple[int, ...]:
    """Return the actions that lay a plan: int8, shape ``(7,)``.

    There are no actions for the last warriors once they are all of one kind, because the rules lay them.
    """
    line = plan[: hand_size - 1].tolist()
    asked = [warrior for slot, warrior in enumerate(line) if len(set(line[slot:])) > 1]
    return DISCARD + int(plan[hand_size - 1]), *(PLACE + warrior for warrior in asked)


def plan_of(actions: Sequence[int], hand: Cards) -> Cards:
    """Return the plan that a seat lays by its first actions of a round.

    Args:
        actions: its actions, beginning with the warrior that it sets aside; actions after the plan are ignored.
        hand: its hand, as `hand_of` returns it: int8, shape ``(hand_size,)``.

    Returns:
        The plan: int8, shape ``(7,)``.
    """
    laid = [action - PLACE for action in takewhile(range(PLACE, PLACE + NUM_WARRIORS).__contains__, actions[1:])]
    aside = actions[0] - DISCARD
    rest = Counter(hand.tolist()) - Counter([aside, *laid])
    plan = np.zeros(HAND_SIZE, dtype=np.int8)
    plan[: len(hand)] = [*laid, *rest.elements(), aside]
    return plan
