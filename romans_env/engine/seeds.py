"""Seeds as they are given, the same everywhere: integers of at least 0, or None for fresh chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.engine.random_stream import seed_number, streams_from_seeds


def as_seed(seed: Any) -> int | None:
    """Return a seed as None or an integer of Python, whichever kind of integer it is given as.

    Raises:
        TypeError: a seed that is no integer; True and False are none.
        ValueError: a negative one.
    """
    return None if seed is None else seed_number(seed)


def seeds_of_games(seed: int | Sequence[int | None] | None, num_games: int) -> list[int | None]:
    """Return a seed for each game: an integer gives game i ``seed + i``.

    Raises:
        TypeError: a seed that is no integer.
        ValueError: a negative one, or a wrong number of them.
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
    """Return for each game a stream of its deals and one of the choices made in it: int64, shape (n, 4) each."""
    pairs = [sequence.spawn(2) for sequence in sequences]
    return streams_from_seeds([deal for deal, _ in pairs]), streams_from_seeds([play for _, play in pairs])
