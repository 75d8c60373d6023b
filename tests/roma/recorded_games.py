"""The recorded games of an independent implementation of the rules."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

GAMES = Path(__file__).parent / "conformance" / "games.jsonl.xz"
PARTS = 10


def recorded_games(part: int) -> list[dict[str, Any]]:
    with lzma.open(GAMES, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for number, line in enumerate(lines) if number % PARTS == part]
