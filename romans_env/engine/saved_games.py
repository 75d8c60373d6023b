"""Restores batches of games that were saved as arrays by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[Any]]


class SavedGamesError(ValueError):
    """Saved games do not fit the batch into which they are restored."""


def restore_arrays(arrays: Arrays, saved: Any) -> None:
    """Copy saved arrays into the arrays of the same names.

    Args:
        arrays: the arrays of the batch, by name; overwritten.
        saved: the saved arrays, by name, of the same shapes and dtypes; untrusted.

    Raises:
        SavedGamesError: if names, shapes or dtypes differ; nothing is changed.
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
