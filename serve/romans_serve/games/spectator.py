"""The view of a spectator, which contains only what is equal in the private views of all players."""

from __future__ import annotations

from typing import Any

from romans_env.core.protocol import Rules, States

SPECTATOR = "a spectator"
"""Name of a viewer who is not a player. Texts and drawings for this viewer hide everything that is hidden from a
player."""


def spectators_position(rules: Rules, states: States) -> dict[str, Any]:
    """Return the position as a spectator sees it, with None for everything that at least one player does not know.

    Args:
        rules: the rules of the game.
        states: the full state of the game, as an array of state records, shape ``(1,)``.
    """
    views = [rules.position(rules.redacted_for(states, 0, seat), 0) for seat in range(rules.num_players)]
    shown = views[0]
    for view in views[1:]:
        shown = _common(shown, view)
    return shown


def _common(one: Any, other: Any) -> Any:
    """Return the parts that two JSON values share, with None for parts that differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {key: _common(value, other[key]) for key, value in one.items()}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [_common(*pair) for pair in zip(one, other, strict=True)]
    return one if one == other and type(one) is type(other) else None
