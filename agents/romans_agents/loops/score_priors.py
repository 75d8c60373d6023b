"""Softmax functions for compiled code, and the priors that evaluators compute from the scores of actions."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined


@inlined
def exponentiate(values, count, scale):
    """Replace ``values[:count]`` by ``exp((value - max) / scale)``, so that the largest becomes 1.

    Args:
        values: float64, shape ``(count,)`` or longer; changed in place.
        count: the number of values, at least 1.
        scale: the temperature, above 0.

    Returns:
        The sum of the new values. The new values divided by this sum are the softmax.
    """
    highest = -np.inf
    for k in range(count):
        highest = max(highest, values[k])
    total = 0.0
    for k in range(count):
        values[k] = np.exp((values[k] - highest) / scale)
        total += values[k]
    return total


@inlined
def write_score_priors(scores, count, even):
    """Turn the scores of actions into prior probabilities: a softmax mixed with the uniform distribution.

    Args:
        scores: float64, shape ``(count,)`` or longer; changed in place.
        count: the number of actions, at least 1.
        even: the weight of the uniform distribution, from 0 to 1.
    """
    total = exponentiate(scores, count, 1.0)
    for k in range(count):
        scores[k] = even / count + (1.0 - even) * scores[k] / total
