"""The panels of ``reference_opponents.json``, which are read without importing what plays their games."""

from __future__ import annotations

import functools
import json
from importlib.resources import files
from typing import Any

from romans_env.core.games import spec_of
from romans_env.core.protocol import Setup


@functools.cache
def reference_opponents() -> dict[str, dict[str, Any]]:
    """Return the fields of every `BenchmarkProtocol` by its name; the first one of a game is the usual one."""
    fields: dict[str, dict[str, Any]] = json.loads(
        (files("romans_training.measure") / "reference_opponents.json").read_text(encoding="utf-8")
    )
    return fields


def weak_half(game: str, setup: Setup) -> tuple[str, ...]:
    """Return the weaker half of a panel as agent specs, from weak to strong; of an odd number, the middle one is in it.

    The panel is that of the first protocol of the game with this setup, or of the game's first protocol where none has
    it. A game without a protocol has no panel: the result is empty.
    """
    protocols = [fields for fields in reference_opponents().values() if fields["game"] == game]
    with_setup = [fields for fields in protocols if spec_of(game).make_setup(**fields["settings"]) == setup]
    panel = list((with_setup or protocols)[0]["panel"]) if protocols else []
    return tuple(panel[: (len(panel) + 1) // 2])
