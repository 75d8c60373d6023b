"""Batches of games saved as arrays by name, and restored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[Any]]


class SavedGamesError(ValueError):
    """Saved games that do not fit the batch they shall be restored into."""


def restore_arrays(arrays: Arrays, saved: Any) -> None:
    """Copy saved arrays into those of the same names; nothing is changed when they do not fit.

    Args:
        arrays: written in place.
        saved: arrays of the same shapes and dtypes, by name.

    Raises:
        SavedGamesError: other names, shapes or dtypes.
    """
    if not isinstance(saved, Mapping) or set(saved) != set(arrays):
        raise SavedGamesError(f"saved games are arrays with the names {', '.join(arrays)}")
    for name, array in arrays.items():
        other = saved[name]
        if not isinstance(other, np.ndarray) or other.shape != array.shape:
            shape = getattr(other, "shape", None)
            raise SavedGamesError(f"the saved games' {name} have the shape {shape}, this batch has {array.shape}")
        if other.dtype != array.dtype:
            raise SavedGamesError(f"the saved games' {name} are of another version, or another game")
    for name, array in arrays.items():
        array[...] = saved[name]
