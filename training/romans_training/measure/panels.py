"""The panels of ``panels.json``, which are read without importing what plays their games."""

from __future__ import annotations

import functools
import json
from importlib.resources import files
from typing import Any

from romans_env.core.games import spec_of
from romans_env.core.protocol import Setup


@functools.cache
def panels() -> dict[str, dict[str, Any]]:
    """Return the fields of every `protocols.Protocol` by its name; the first of a game is its usual one."""
    fields: dict[str, dict[str, Any]] = json.loads(
        (files("romans_training.measure") / "panels.json").read_text(encoding="utf-8")
    )
    return fields


def weak_half(game: str, setup: Setup) -> tuple[str, ...]:
    """Return the weaker half of a panel as agent specs, weak to strong, with the middle one of an odd number.

    It is the panel of the protocol with this setup, else of the game's first; none where the game has no protocol.
    """
    of_game = [fields for fields in panels().values() if fields["game"] == game]
    fitting = [fields for fields in of_game if spec_of(game).make_setup(**fields["settings"]) == setup]
    panel = [*(fitting or of_game)[0]["panel"]] if of_game else []
    return tuple(panel[: (len(panel) + 1) // 2])
