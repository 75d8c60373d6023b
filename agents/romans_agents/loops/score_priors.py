"""Prior probabilities from the scores of actions, for the guides of searches."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined


@inlined
def write_score_priors(scores, count, even):
    """Turn the scores of ``count`` actions into prior probabilities, in place: a softmax, mixed with even chance.

    Args:
        scores: float64, shape (count,) or longer; changed.
        count: how many there are, at least 1.
        even: the share of the prior that all actions have alike, from 0 to 1.
    """
    highest = -np.inf
    for k in range(count):
        highest = max(highest, scores[k])
    total = 0.0
    for k in range(count):
        scores[k] = np.exp(scores[k] - highest)
        total += scores[k]
    for k in range(count):
        scores[k] = even / count + (1.0 - even) * scores[k] / total
