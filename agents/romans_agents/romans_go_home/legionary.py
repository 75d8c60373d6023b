"""`legionary`: goes for three Legion forts, which win at once (RULES 5.4).

As long as it can still hold three, its strongest warriors go where Legion forts are, and the others by value. Once it
cannot, Legion forts only cost points, and it plays for the rest.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.fort_worth import fort_value, legion_within_reach
from romans_agents.romans_go_home.plans import match_by_strength
from romans_env.engine.compiled import inlined
from romans_env.romans_go_home.cards import LINE_SIZE, NONE, NUM_LEGION_KINDS


@inlined
def march_on_legions(state, seat, cards, num_cards, first):
    """Arrange ``cards`` in place from slot ``first`` on."""
    worths = np.empty(LINE_SIZE)
    can_hold_three = np.int64(state.num_legion[seat]) + legion_within_reach(state) >= 3
    for slot in range(first, state.line_size):
        fort = state.wall[slot]
        worths[slot] = fort_value(state, seat, fort)
        if can_hold_three and fort != NONE and fort < NUM_LEGION_KINDS:
            worths[slot] = 100.0
    match_by_strength(cards, num_cards, worths, first, state.line_size - first)
