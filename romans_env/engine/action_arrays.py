"""Checks of the actions that callers pass for many games."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def as_actions(actions: Any, num_games: int) -> npt.NDArray[np.int64]:
    """Return actions as compiled code needs them: int64, contiguous, shape ``(num_games,)``.

    Args:
        actions: integers of any dtype, shape ``(num_games,)``.
        num_games: number of games.

    Raises:
        TypeError: if the actions are not integers.
        ValueError: if their shape is wrong.
    """
    actions = np.asarray(actions)
    if actions.dtype.kind not in "iu":
        raise TypeError(f"actions are integers, not {actions.dtype}")
    if actions.shape != (num_games,):
        raise ValueError(
            f"give one action for each of the {num_games} games: shape ({num_games},), not {actions.shape}"
        )
    return np.ascontiguousarray(actions, dtype=np.int64)
