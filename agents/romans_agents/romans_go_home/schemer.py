"""`schemer`: thinks about what its rivals will do, and plans against that.

It draws some dozens of plans for itself and as many for its rivals, plays each against each, and lays the one that does
best on the average: a best response to players who plan much like `greedy`. Against somebody who foresees it in turn it
has no defence.
"""

from __future__ import annotations

from romans_env.engine.compiled import inlined


@inlined
def best_row(payoffs):
    """The row that wins most on the average; payoffs are float64, shape (n, m)."""
    best = 0
    most = payoffs[0].sum()
    for k in range(1, payoffs.shape[0]):
        total = payoffs[k].sum()
        if total > most:
            most = total
            best = k
    return best
