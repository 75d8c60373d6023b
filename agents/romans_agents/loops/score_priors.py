"""Softmaxes: of the scores of actions, as priors for the evaluators of searches, and of any other values."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined


@inlined
def exponentiate(values, count, scale):
    """Turn ``values[:count]`` into exp(value / scale), in place, all but for a factor by which the largest is 1.

    Returns:
        Their sum: divided by it, they are a softmax.
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
    """Turn the scores of ``count`` actions into prior probabilities, in place: a softmax, mixed with even chance.

    Args:
        scores: float64, shape (count,) or longer; changed.
        count: how many there are, at least 1.
        even: the share of the prior that all actions have alike, from 0 to 1.
    """
    total = exponentiate(scores, count, 1.0)
    for k in range(count):
        scores[k] = even / count + (1.0 - even) * scores[k] / total
