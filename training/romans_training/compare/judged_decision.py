"""A choice that a review has judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

DOUBTFUL, WRONG = 0.02, 0.05
"""Losses from which on a choice is doubtful or wrong, if they are more than twice their standard error, too."""
Actions = tuple[str, ...]


@dataclass(frozen=True)
class Decision:
    """A choice that a player made, and what it was worth.

    Attributes:
        action: the number of its first action in the record.
        player: who chose.
        played: the names of its actions: most choices are one, the plan of a round is several.
        best: the choice that the reviewer would make.
        share: the share of the win that the player could expect with that, from 0 to 1 but for the noise of samples.
        loss: what the choice was worth less, a share of the win; without bias, so it may be below 0.
        error: the standard error of the loss.
        shares: the share of the win by choice.
        words: what was played, and the best choices, in words.
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
    """Return the choices that were wrong, those that cost most first."""
    return sorted((one for one in decisions if one.grade == "wrong"), key=lambda one: -one.loss)
