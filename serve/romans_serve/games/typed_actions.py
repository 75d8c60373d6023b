"""Finds the legal action that a typed word names."""

from __future__ import annotations

from romans_env.core.game import Game
from romans_env.errors import IllegalActionError, shortened


def understood(word: str, game: Game) -> int:
    """Return the legal action that a word names: its full name, or the part after the colon if this is unambiguous.

    Args:
        word: the typed word, such as ``place:axx`` or ``axx``.
        game: the game, at the decision.

    Raises:
        IllegalActionError: if the word names no legal action, or names several.
    """
    names = {game.action_name(action): action for action in game.legal_actions()}
    wanted = word.lower()
    for name, action in names.items():
        if name.lower() == wanted:
            return action
    found = [name for name in names if name.lower().partition(":")[2] == wanted]
    if len(found) == 1:
        return names[found[0]]
    if found:
        raise IllegalActionError(f"{shortened(word)} may mean {', '.join(found)}: write one of them")
    there = ", ".join(list(names)[:40]) + (", ..." if len(names) > 40 else "")
    raise IllegalActionError(f"{shortened(word)} is not legal now; legal actions are {there}")
