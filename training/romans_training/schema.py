"""A small schema language for JSON values from untrusted files."""

from __future__ import annotations

import math
from typing import Any


def fits(value: Any, kind: Any) -> bool:
    """Return whether a JSON value matches a schema.

    Args:
        value: the value, as `json.loads` returns it.
        kind: the schema, one of:

            - a type; float matches all finite numbers, and int does not match booleans;
            - a range, which matches the integers in it;
            - a tuple of alternatives;
            - a list with a schema for each item, or ``[kind, ...]`` for any number of items of one kind;
            - a dictionary with a schema for each name that an object must have (it may have others);
            - a predicate, a function of the value;
            - any other value, which matches itself only.
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
