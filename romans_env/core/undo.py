"""Undo for human players, in every game.

A choice can be taken back as long as no other player has acted, no chance event has occurred, and the player has
learned nothing new since.
"""

from __future__ import annotations

import numpy as np

from romans_env.core.game import Game

SAMPLES = 64
"""The number of determinizations used to test whether a choice revealed anything."""
_NOTHING = "you have not chosen anything yet"
_OTHERS = "another player has decided since your last choice"
_CHANCE = "chance has decided since your last choice"
_REVEALED = "your last choice showed you something new"


class Undo:
    """A stack of the choices that can be taken back."""

    def __init__(self) -> None:
        self._kept: list[tuple[Game, str]] = []
        self.why_empty = _NOTHING
        """The reason why there is nothing to take back, for a message; valid while the stack is empty."""

    def chosen(self, before: Game, action: int, phrase: str, after: Game) -> bool:
        """Push a choice if it can be taken back, otherwise clear the stack; return whether it can be.

        Args:
            before: a copy of the game at the decision.
            action: the id of the chosen action.
            phrase: the choice in words.
            after: the game after the action.
        """
        why = why_final(before, action, after)
        if why is None:
            self._kept.append((before, phrase))
        else:
            self._kept, self.why_empty = [], why
        return why is None

    def take_back(self) -> tuple[Game, str] | None:
        """Pop the latest choice; return the game before it and the choice in words, or None if the stack is empty."""
        return self._kept.pop() if self._kept else None


def why_final(before: Game, action: int, after: Game) -> str | None:
    """Return the reason why a choice cannot be taken back; None if it can be.

    Args:
        before: the game at the decision.
        action: the id of the chosen action.
        after: the game after the action.
    """
    seat = before.seat_to_act
    assert seat is not None
    if after.seat_to_act != seat:
        return _OTHERS
    if len(after.outcomes) > len(before.outcomes):
        return _CHANCE
    return None if _was_known(before, action, after, seat) else _REVEALED


def _was_known(before: Game, action: int, after: Game, seat: int) -> bool:
    """Return whether the view after an action is the same in all sampled determinizations of the view before it."""
    view, seen = before.view(seat), after.view(seat).states.tobytes()
    rng = np.random.default_rng(0)
    for _ in range(SAMPLES):
        sampled = view.sample_game(rng)
        if sampled.act(action) != seat or sampled.view(seat).states.tobytes() != seen:
            return False
    return True
