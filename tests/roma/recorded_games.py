"""The recorded games of an independent implementation of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.tools import recorded

PARTS = 10


def recorded_games(part: int) -> list[dict[str, Any]]:
    return recorded(Path(__file__).parent / "conformance" / "games.jsonl.xz", part, PARTS)
