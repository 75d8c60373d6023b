"""A cache for parts of a picture: most of them do not change from one decision to the next."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

from romans_env.render.svg import Element

Parts = tuple[Element, ...]


def kept(draw: Callable[..., Parts]) -> Callable[..., Parts]:
    """Cache a drawing function by its arguments: JSON-able facts, then hashable ones."""

    @functools.lru_cache(maxsize=256)
    def drawn(text: str, *others: Any) -> Parts:
        return draw(json.loads(text), *others)

    @functools.wraps(draw)
    def looked_up(facts: Any, *others: Any) -> Parts:
        return drawn(json.dumps(facts), *others)

    return looked_up
