"""The recorded games of an independent implementation of the rules."""

from __future__ import annotations

import hashlib
import json
import lzma
from pathlib import Path
from typing import Any

GAMES = Path(__file__).parent / "conformance" / "games.jsonl.xz"
PARTS = 11


def recorded_games(part: int, parts: int = PARTS) -> list[dict[str, Any]]:
    """Every ``parts``-th game, from a part on."""
    with lzma.open(GAMES, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for number, line in enumerate(lines) if number % parts == part]


def digest_of(data: Any) -> str:
    """The digest by which the recorded games name positions and their board."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
