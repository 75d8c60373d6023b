"""Choices that a player may take back, in every game: those that showed the player nothing new.

A choice can be taken back as long as no other player has decided, no chance event has happened, and no information has
been revealed since.
"""

from __future__ import annotations

import numpy as np

from romans_env.core.game import Game

SAMPLES = 64
"""Determinizations with which it is tested whether a view was known beforehand."""
_NOTHING = "you have not chosen anything yet"
_OTHERS = "another player has decided since your last choice"
_CHANCE = "chance has decided since your last choice"
_REVEALED = "your last choice showed you something new"


class Undo:
    """The choices that can be taken back, the latest last."""

    def __init__(self) -> None:
        self._kept: list[tuple[Game, str]] = []
        self.why_empty = _NOTHING
        """Why there is nothing to take back, where there is nothing."""

    def chosen(self, before: Game, action: int, phrase: str, after: Game) -> bool:
        """Note a choice; return whether it can be taken back.

        Args:
            before: a copy of the game at the decision.
            action: what was chosen.
            phrase: the choice in words.
            after: the game where it goes on.
        """
        why = why_final(before, action, after)
        if why is None:
            self._kept.append((before, phrase))
        else:
            self._kept, self.why_empty = [], why
        return why is None

    def take_back(self) -> tuple[Game, str] | None:
        """Return the game before the latest choice, and the choice in words; None if there is nothing to take back."""
        return self._kept.pop() if self._kept else None


def why_final(before: Game, action: int, after: Game) -> str | None:
    """Return why a choice cannot be taken back; None if it can be.

    Args:
        before: the game at the decision.
        action: the action that was chosen.
        after: the game after it.
    """
    seat = before.seat_to_act
    assert seat is not None
    if after.seat_to_act != seat:
        return _OTHERS
    if len(after.outcomes) > len(before.outcomes):
        return _CHANCE
    return None if _was_known(before, action, after, seat) else _REVEALED


def _was_known(before: Game, action: int, after: Game, seat: int) -> bool:
    """Return whether the view after an action is the same in every determinization of the view before it."""
    view, seen = before.view(seat), after.view(seat).states.tobytes()
    rng = np.random.default_rng(0)
    for _ in range(SAMPLES):
        sampled = view.sample_game(rng)
        if sampled.act(action) != seat or sampled.view(seat).states.tobytes() != seen:
            return False
    return True
