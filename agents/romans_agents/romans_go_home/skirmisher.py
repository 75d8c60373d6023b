"""`skirmisher`: keeps out of Legion forts, and plays Filchy on them.

Legion forts have negative points (RULES 1.2). Filchy cannot capture (4.4) and leaves her strength face-up, so she goes
where the worst fort is, the next weakest where the next worst is; the strong fight for points.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.plans import match_by_strength
from romans_env.engine.compiled import inlined
from romans_env.romans_go_home.cards import LINE_SIZE, NONE, POINTS


@inlined
def keep_out(state, seat, cards, num_cards, first):
    """Arrange ``cards`` in place from slot ``first`` on."""
    worths = np.empty(LINE_SIZE)
    for slot in range(first, state.line_size):
        fort = state.wall[slot]
        worths[slot] = float(POINTS[fort]) if fort != NONE else 0.0
    match_by_strength(cards, num_cards, worths, first, state.line_size - first)
