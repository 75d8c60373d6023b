"""What a value of JSON that may come from anywhere shall be, and whether it is."""

from __future__ import annotations

import math
from typing import Any


def fits(value: Any, kind: Any) -> bool:
    """Return whether a value of JSON is of a kind.

    Args:
        value: the value, as `json.loads` returns it.
        kind: a type, of which float takes all finite numbers, and int no truth values; a range of integers; a tuple of
            several kinds; a list of a kind for each item, ``[kind, ...]`` for any number of one kind; an object of a
            kind for each name that it must have; a function that says; or the value itself.
    """
    if isinstance(kind, type):
        if kind is float:
            return fits(value, int) or (isinstance(value, float) and math.isfinite(value))
        return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if isinstance(kind, range):
        return fits(value, int) and value in kind
    if isinstance(kind, tuple):
        return any(fits(value, one) for one in kind)
    if isinstance(kind, list):
        kinds = kind[:1] * len(value) if isinstance(value, list) and kind[1:] == [...] else kind
        return isinstance(value, list) and len(value) == len(kinds) and all(map(fits, value, kinds))
    if isinstance(kind, dict):
        return isinstance(value, dict) and all(name in value and fits(value[name], kind[name]) for name in kind)
    return bool(kind(value)) if callable(kind) else type(value) is type(kind) and bool(value == kind)
