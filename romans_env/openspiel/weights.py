"""Integer weights of chance outcomes, from OpenSpiel's probabilities."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

_LARGEST_DENOMINATOR = 1_000_000
MOST = 2**30
"""The approximate largest sum of weights: chance events are drawn with 32 bits."""


@functools.lru_cache(maxsize=10_000)
def weights_of(probabilities: tuple[float, ...]) -> tuple[int, ...]:
    """Return integer weights of at least 1 in proportion to probabilities.

    They are exact if the probabilities are fractions with a common denominator of up to 2**30, as for cards and dice;
    others are rounded to multiples of 2**-30.
    """
    total = math.fsum(probabilities)
    fractions = [Fraction(one / total).limit_denominator(_LARGEST_DENOMINATOR) for one in probabilities]
    common = math.lcm(*(one.denominator for one in fractions))
    weights = [int(one * common) for one in fractions]
    is_exact = all(abs(w / common - p / total) < 1e-12 for w, p in zip(weights, probabilities, strict=True))
    if common > MOST or not is_exact:
        weights = [max(1, round(one / total * MOST)) for one in probabilities]
    return tuple(weights)
