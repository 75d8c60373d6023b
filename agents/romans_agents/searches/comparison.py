"""What choices are worth to a seat, by the estimate of an agent that searches: what a review of a game asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from romans_env import View

BATCHES = 8
"""Estimates of each choice by rollouts."""


class ActionComparison(NamedTuple):
    """Choices of a seat, and what each is worth.

    Attributes:
        choices: the actions of each, as ids, in the order in which they are played: most are one action, a plan of a
            round is several. The first choice is the one that was played.
        shares: the share of the win that the seat may expect: float64, shape (n, choices), n even. Every row has
            samples of its own, the same for all choices (common random numbers).
        bonus: what else speaks for each choice, as a share of the win, such as a policy that rates it likely: the agent
            chooses by both, as the samples may err where a policy never goes. float64, shape (choices,).
    """

    choices: list[tuple[int, ...]]
    shares: npt.NDArray[np.float64]
    bonus: npt.NDArray[np.float64]

    @property
    def best(self) -> int:
        """The number of the choice that the agent would make."""
        return int((self.shares.mean(axis=0) + self.bonus).argmax())

    @property
    def loss(self) -> tuple[float, float]:
        """What the choice that was played is worth less than the one that the agent would make, and the standard error.

        The agent's choice by one half of the estimates is compared by the other half, so that it does not profit from
        the luck by which it was found: the mean is 0 for a player who chooses as well as the estimates can tell.
        """
        shares, count = self.shares, len(self.shares)
        halves = shares.reshape(2, count // 2, -1).mean(axis=1)
        best = np.repeat((halves[::-1] + self.bonus).argmax(axis=1), count // 2)
        differences = shares[np.arange(count), best] - shares[:, 0]
        return float(differences.mean()), float(differences.std(ddof=1) / np.sqrt(count))


@runtime_checkable
class Comparing(Protocol):
    """An agent that compares choices; `Agent.seed` sets the chance of its samples."""

    def compare(self, view: View, played: Sequence[int]) -> ActionComparison:
        """Return the value of the choice that a seat made, and of its alternatives.

        Args:
            view: the view of the seat.
            played: the seat's consecutive actions from this view on, one or more. The choice judged is the first of
                them, or the first few, where one choice takes several actions.
        """
        ...


def share_of_return(returns: npt.NDArray[np.float64], num_players: int) -> npt.NDArray[np.float64]:
    """Return the share of the win of an expected return: 1 for a return of 1, and an even share for a return of 0."""
    return _even_share(num_players) + share_of_difference(returns, num_players)


def return_of_share(share: float, num_players: int) -> float:
    """Return the return of a share of the win, the inverse of `share_of_return`."""
    return difference_of_share(share - _even_share(num_players), num_players)


def share_of_difference(returns: npt.NDArray[np.float64], num_players: int) -> npt.NDArray[np.float64]:
    """Return the share of the win that a difference of expected returns makes."""
    return (1.0 - _even_share(num_players)) * returns


def difference_of_share(share: float, num_players: int) -> float:
    """Return the difference of expected returns that a share of the win makes."""
    return share / (1.0 - _even_share(num_players))


def _even_share(num_players: int) -> float:
    # Who plays alone wins or does not.
    return 1.0 / max(2, num_players)
