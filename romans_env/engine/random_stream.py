"""The engine's random number generator: Chris Doty-Humphrey's sfc32 (Small Fast Counter), with four 32-bit words.

The words are stored as int64 and never exceed 32 bits, so that compiled and interpreted code compute the same numbers
without overflow. Each game has its own stream, so results do not depend on the size of a batch or on the threads.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.compiling.decorators import inlined
from romans_env.errors import shortened

WORDS = 4
_MASK = 0xFFFFFFFF

Streams = npt.NDArray[np.int64]
"""Random streams: int64, shape ``(n, 4)``, each word in [0, 2**32)."""


def streams_from_seeds(seeds: Any) -> Streams:
    """Return a random stream for each seed.

    Args:
        seeds: n integers >= 0, or numpy SeedSequences.

    Returns:
        The streams, int64, shape ``(n, 4)``. Streams of different seeds are independent, as numpy's SeedSequence mixes
        the seeds.

    Raises:
        TypeError: if a seed is not an integer.
        ValueError: if a seed is negative.
    """
    words = [sequence_of(seed).generate_state(WORDS, np.uint32) for seed in seeds]
    return np.array(words, dtype=np.int64).reshape(-1, WORDS)


def sequence_of(seed: Any) -> np.random.SeedSequence:
    """Return the SeedSequence of a seed, or a SeedSequence as it is; raises the errors of `streams_from_seeds`."""
    if isinstance(seed, np.random.SeedSequence):
        return seed
    return np.random.SeedSequence(seed_number(seed))


def seed_number(seed: Any) -> int:
    """Return a seed as a Python int; raises the errors of `streams_from_seeds`."""
    try:
        if isinstance(seed, (bool, np.bool_)):  # most likely a mistake
            raise TypeError
        number = operator.index(seed)
    except TypeError:
        raise TypeError(f"a seed is an integer >= 0, not {shortened(seed)}") from None
    if number < 0:
        raise ValueError(f"a seed is an integer >= 0, not {shortened(seed)}")
    return number


@inlined
def next_word(streams, i):
    """Return the next 32 random bits of stream i, which advances; ``streams`` are int64, shape ``(n, 4)``."""
    a, b, c = streams[i, 0], streams[i, 1], streams[i, 2]
    counter = streams[i, 3]
    result = (a + b + counter) & _MASK
    streams[i, 3] = (counter + 1) & _MASK
    streams[i, 0] = b ^ (b >> 9)
    streams[i, 1] = (c + (c << 3)) & _MASK
    streams[i, 2] = ((((c << 21) & _MASK) | (c >> 11)) + result) & _MASK
    return result


@inlined
def below(streams, i, bound):
    """Return a uniform integer in [0, bound) from stream i; for small bounds, as the bias is up to bound / 2**32."""
    return (next_word(streams, i) * bound) >> 32


@inlined
def uniform(streams, i):
    """Return a uniform float64 in [0, 1) from stream i."""
    return next_word(streams, i) * (1.0 / 4294967296.0)
