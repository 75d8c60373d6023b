"""The setups of a game to measure."""

from __future__ import annotations

import contextlib
from typing import Any

from romans_env.core.games import GameSpec
from romans_env.core.protocol import Rules


def rules_by_players(spec: GameSpec) -> list[Rules]:
    """Return the rules of a game with its default settings, and with two to four players if it supports these."""
    found: dict[str, Rules] = {}
    for num_players in (None, 2, 3, 4):
        with contextlib.suppress(ValueError):
            rules = spec.make_rules(num_players=num_players)
            found.setdefault(str(rules.setup), rules)
    return list(found.values())


def solo_settings(spec: GameSpec) -> dict[str, Any] | None:
    """Return the settings of a solo setup without the number of players; None if the game has none."""
    names = spec.part("command_line").names
    if names is None:
        return None
    for name in names.every:
        settings = names.settings(name, {})
        if settings.pop("num_players", None) == 1:
            return dict(settings)
    return None
