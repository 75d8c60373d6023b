"""A choice that a review has judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

DOUBTFUL, WRONG = 0.02, 0.05
"""Losses from which a choice is doubtful or wrong, provided that they are more than twice their standard error."""
Actions = tuple[str, ...]


@dataclass(frozen=True)
class Decision:
    """A choice of a player, and its value compared with the best one.

    Attributes:
        action: the index in the record of the choice's first action.
        player: the player who chose.
        played: the names of its actions: usually one, several for the plan of a round.
        best: the choice that the reviewer would make.
        share: the win share that the player could expect from the best choice, from 0 to 1 except for sampling noise.
        loss: the difference to the win share expected from the choice played; unbiased, so it may be negative.
        error: the standard error of the loss.
        shares: the expected win share of every choice compared.
        words: the choice played and the best ones, in words.
    """

    action: int
    player: str
    played: Actions
    best: Actions
    share: float
    loss: float
    error: float
    shares: Mapping[Actions, float]
    words: Mapping[Actions, str]

    @property
    def grade(self) -> str:
        """``good``, ``doubtful`` or ``wrong``."""
        if self.loss < DOUBTFUL or self.loss <= 2 * self.error:
            return "good"
        return "doubtful" if self.loss < WRONG else "wrong"


def mistakes_in(decisions: Iterable[Decision]) -> list[Decision]:
    """Return the wrong choices, costliest first."""
    return sorted((one for one in decisions if one.grade == "wrong"), key=lambda one: -one.loss)
