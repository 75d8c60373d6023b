"""`schemer`: thinks about what its rivals will do, and plans against that.

It draws some dozens of plans for itself and as many for its rivals, plays each against each, and lays the one that does
best on the average: a best response to players who plan much like `greedy`. Against somebody who foresees it in turn it
has no defence.
"""

from __future__ import annotations

import numpy as np

from agents.romans_go_home.round_lab import draw_candidates, try_plans
from romans_env.romans_go_home.cards import HAND_SIZE
from romans_env.romans_go_home.compiled import shared

NUM_PLANS = 32
NUM_DRAWS = 32


@shared
def scheme(records, seat, plan, streams, i):
    """Write the plan of a planning seat; ``records[0]`` is hidden for it, all of them are scratch."""
    plans = np.empty((NUM_PLANS, HAND_SIZE), dtype=np.int64)
    payoffs = np.empty((NUM_PLANS, NUM_DRAWS))
    draw_candidates(records[0], seat, plans, streams, i)
    try_plans(records, seat, plans, payoffs, streams, i)
    best = 0
    most = payoffs[0].sum()
    for k in range(1, NUM_PLANS):
        total = payoffs[k].sum()
        if total > most:
            most = total
            best = k
    plan[:] = plans[best]
