"""Checks that the rules have all members that the library needs, with consistent sizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from romans_env.core.protocol import Rules, methods_lacking

_DERIVED = ("players", "seats", "observation_size", "observation_scale", "num_actions")
"""Members that are derived from others."""
_BOUNDS = (("observation_low", "observation_high"), ("global_state_low", "global_state_high"))


def of_class(rules: Any) -> Iterator[str]:
    """Check that the class has all methods of `romans_env.core.protocol.Rules`."""
    yield from _none_of(methods_lacking(rules))


def of_object(rules: Any) -> Iterator[str]:
    """Check that the rules have all other members, with a lower and an upper bound for each entry."""
    lacking = [name for name in Rules.__annotations__ if name not in _DERIVED and not hasattr(rules, name)]
    yield from _none_of(lacking)
    for names in _BOUNDS if not lacking else ():
        low, high = (getattr(rules, name) for name in names)
        if not (isinstance(low, np.ndarray) and isinstance(high, np.ndarray) and low.ndim == 1):
            yield f"{' and '.join(names)} must be one-dimensional numpy arrays"
        elif low.shape != high.shape or low.dtype != high.dtype:
            yield (
                f"{names[0]} is {low.dtype} of shape {low.shape}, but {names[1]} is {high.dtype} of shape {high.shape}"
            )


def _none_of(lacking: list[str]) -> Iterator[str]:
    if lacking:
        yield f"the rules have no {', '.join(lacking)}"
