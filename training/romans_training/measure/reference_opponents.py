"""The opponents of ``reference_opponents.json``, read without importing the modules that play."""

from __future__ import annotations

import functools
import json
from importlib.resources import files
from typing import Any

from romans_env.core.games import spec_of
from romans_env.core.protocol import Setup


@functools.cache
def reference_opponents() -> dict[str, dict[str, Any]]:
    """Return the fields of every `BenchmarkProtocol` by its name; the first one of a game is its default."""
    fields: dict[str, dict[str, Any]] = json.loads(
        (files("romans_training.measure") / "reference_opponents.json").read_text(encoding="utf-8")
    )
    return fields


def weak_half(game: str, setup: Setup) -> tuple[str, ...]:
    """Return the weaker half of a protocol's opponents as agent specs, from weak to strong.

    If their number is odd, the middle one is included. The protocol is the game's first one with this setup, or else
    the game's first one. For a game without a protocol the result is empty.
    """
    protocols = [fields for fields in reference_opponents().values() if fields["game"] == game]
    with_setup = [fields for fields in protocols if spec_of(game).make_setup(**fields["settings"]) == setup]
    opponents = list((with_setup or protocols)[0]["opponents"]) if protocols else []
    return tuple(opponents[: (len(opponents) + 1) // 2])
