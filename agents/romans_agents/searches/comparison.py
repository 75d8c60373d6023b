"""Comparisons of a seat's choices by the estimates of a search, on which the review of a game is based."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from romans_env import View

BATCHES = 8
"""Number of independent estimates of each choice."""


class ActionComparison(NamedTuple):
    """The choices that a seat had, with estimates of their values.

    Attributes:
        choices: the action ids of each choice, in the order of play. Most choices consist of one action; the plan of a
            whole round consists of several. The first choice is the one that was played.
        shares: estimates of the seat's expected share of the win after each choice: float64, shape ``(n,
            num_choices)``, n even. Rows are independent; within a row, all choices are estimated from the same samples
            (common random numbers).
        bonus: an addition to the mean estimate of each choice, in shares of the win: float64, shape ``(num_choices,)``.
            It adds other evidence, such as a policy's probability of the choice, because the estimates can be wrong in
            positions that the policy never reaches. The agent chooses by the sum of mean estimate and bonus.
    """

    choices: list[tuple[int, ...]]
    shares: npt.NDArray[np.float64]
    bonus: npt.NDArray[np.float64]

    @property
    def best(self) -> int:
        """The index of the choice that the agent would make."""
        return int((self.shares.mean(axis=0) + self.bonus).argmax())

    @property
    def loss(self) -> tuple[float, float]:
        """The loss of the choice that was played, and the loss's standard error, both in shares of the win.

        The loss is the value of the agent's choice minus the value of the choice that was played. To avoid selection
        bias, the agent's choice is found with one half of the estimates and valued with the other half. So the expected
        loss is 0 for a player who chooses as well as the estimates can tell.
        """
        shares, count = self.shares, len(self.shares)
        halves = shares.reshape(2, count // 2, -1).mean(axis=1)
        best = np.repeat((halves[::-1] + self.bonus).argmax(axis=1), count // 2)
        differences = shares[np.arange(count), best] - shares[:, 0]
        return float(differences.mean()), float(differences.std(ddof=1) / np.sqrt(count))


@runtime_checkable
class Comparing(Protocol):
    """An agent that can compare a seat's choices; `Agent.seed` seeds the random numbers that it uses for this."""

    def compare(self, view: View, played: Sequence[int]) -> ActionComparison:
        """Estimate the values of the choice that a seat made and of its alternatives.

        Args:
            view: the view of the seat before its choice.
            played: ids of the consecutive actions that the seat played from this view on, at least one. The choice to
                compare is the first of these actions, or the first few if a choice takes several actions.
        """
        ...


def share_of_return(returns: npt.NDArray[np.float64], num_players: int) -> npt.NDArray[np.float64]:
    """Convert expected returns into shares of the win.

    A return of 1 is a share of 1; a return of 0 is an even share, 1 / num_players.

    Args:
        returns: expected returns, float64, any shape, from -1 to 1.
        num_players: the number of players.

    Returns:
        Shares of the win, float64, of the same shape.
    """
    return _even_share(num_players) + share_of_difference(returns, num_players)


def return_of_share(share: float, num_players: int) -> float:
    """Convert a share of the win into an expected return: the inverse of `share_of_return`."""
    return difference_of_share(share - _even_share(num_players), num_players)


def share_of_difference(returns: npt.NDArray[np.float64], num_players: int) -> npt.NDArray[np.float64]:
    """Convert differences of expected returns into differences of shares of the win: float64, the same shape."""
    return (1.0 - _even_share(num_players)) * returns


def difference_of_share(share: float, num_players: int) -> float:
    """Convert a difference of shares of the win into a difference of expected returns."""
    return share / (1.0 - _even_share(num_players))


def _even_share(num_players: int) -> float:
    # A single player either wins or loses, so an even share is one half.
    return 1.0 / max(2, num_players)
