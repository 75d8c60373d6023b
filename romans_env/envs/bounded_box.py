"""Box spaces with individual bounds for each entry and a ``repr`` that fits on a line."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces


def bounded_box(low: npt.NDArray[Any], high: npt.NDArray[Any]) -> spaces.Box[Any]:
    """Return a Box space whose ``repr`` shows the range of its bounds instead of hundreds of single bounds.

    Args:
        low: lower bounds, of the shape ``(size,)`` and the dtype of the space.
        high: upper bounds, of the same shape and dtype.
    """
    space = spaces.Box(low, high, dtype=low.dtype.type)
    space.low_repr, space.high_repr = _range_of(low), _range_of(high)
    return space


def _range_of(bounds: npt.NDArray[Any]) -> str:
    lowest, highest = np.min(bounds), np.max(bounds)
    return str(lowest) if lowest == highest else f"{lowest}..{highest}"
