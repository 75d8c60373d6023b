"""Parts of a picture that are kept: from one decision to the next most of them stay as they were."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

from romans_env.render.svg import Element

Parts = tuple[Element, ...]


def kept(draw: Callable[..., Parts]) -> Callable[..., Parts]:
    """Decorate a function that draws facts, which are JSON-able, with other hashable arguments after them."""

    @functools.lru_cache(maxsize=256)
    def drawn(text: str, *others: Any) -> Parts:
        return draw(json.loads(text), *others)

    @functools.wraps(draw)
    def looked_up(facts: Any, *others: Any) -> Parts:
        return drawn(json.dumps(facts), *others)

    return looked_up
