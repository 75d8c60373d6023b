"""What a spectator may see: that on which the views of all players agree."""

from __future__ import annotations

from typing import Any

from romans_env.core.protocol import Rules, States

SPECTATOR = "a spectator"
"""The viewer's name where no player looks on; words and drawings keep from it whatever is kept from any player."""


def spectators_position(rules: Rules, states: States) -> dict[str, Any]:
    """Return the position with None for whatever some player does not know.

    Args:
        rules: the rules of the game.
        states: the record of the game, shape (1,).
    """
    views = [rules.position(rules.redacted_for(states, 0, seat), 0) for seat in range(rules.num_players)]
    shown = views[0]
    for view in views[1:]:
        shown = _common(shown, view)
    return shown


def _common(one: Any, other: Any) -> Any:
    """Return the parts of two values that are equal, None in the place of others."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {key: _common(value, other[key]) for key, value in one.items()}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [_common(*pair) for pair in zip(one, other, strict=True)]
    return one if one == other and type(one) is type(other) else None
