"""Boxes with bounds of their own for every entry, whose ``repr`` fits into a line."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces


def bounded_box(low: npt.NDArray[Any], high: npt.NDArray[Any]) -> spaces.Box[Any]:
    """Return the space of arrays between two arrays, of their shape and dtype; its ``repr`` has the bounds' range.

    Gymnasium's own lists the bounds of all entries, which are hundreds. Whether two spaces are equal does not depend on
    the ``repr``.
    """
    space = spaces.Box(low, high, dtype=low.dtype.type)
    space.low_repr, space.high_repr = _range_of(low), _range_of(high)
    return space


def _range_of(bounds: npt.NDArray[Any]) -> str:
    lowest, highest = np.min(bounds), np.max(bounds)
    return str(lowest) if lowest == highest else f"{lowest}..{highest}"
