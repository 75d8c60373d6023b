"""Checks of seeds, which are the same everywhere: integers of at least 0, or None for fresh chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.engine.random_stream import seed_number, streams_from_seeds


def as_seed(seed: Any) -> int | None:
    """Return a seed as a Python int or None.

    Args:
        seed: an integer of any type, or None.

    Raises:
        TypeError: if the seed is not an integer; booleans are not.
        ValueError: if the seed is negative.
    """
    return None if seed is None else seed_number(seed)


def seeds_of_games(seed: int | Sequence[int | None] | None, num_games: int) -> list[int | None]:
    """Return a seed for each game.

    Args:
        seed: an integer (game i gets ``seed + i``), a sequence or array with a seed or None for each game, or None.
        num_games: number of games.

    Raises:
        TypeError: if a seed is not an integer.
        ValueError: if a seed is negative, or the number of seeds is wrong.
    """
    if (isinstance(seed, Sequence) and not isinstance(seed, str)) or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != num_games:
            raise ValueError(f"give one seed for each of the {num_games} games, not {len(seed)}")
        return [as_seed(one) for one in seed]
    first = as_seed(seed)
    return [None if first is None else first + i for i in range(num_games)]


def deal_and_play_streams(
    sequences: Sequence[np.random.SeedSequence],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return two random streams for each game, one for its deals and one for the choices made in it.

    Args:
        sequences: a seed sequence for each game; each spawns two.

    Returns:
        The streams of the deals and those of the choices, each int64, shape ``(n, 4)``.
    """
    pairs = [sequence.spawn(2) for sequence in sequences]
    return streams_from_seeds([deal for deal, _ in pairs]), streams_from_seeds([play for _, play in pairs])
