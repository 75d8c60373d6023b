"""`hoarder`: saves up for the big fort.

It looks for the most valuable fort of the wall. Its weakest warriors go before that fort, so that little is captured
there and their strength stays face-up (RULES 4.11); Filchy, who never captures, goes first of all. On the big fort goes
the strongest warrior; what follows is laid by value.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.fort_worth import fort_value
from romans_agents.romans_go_home.plans import match_by_strength
from romans_env.engine.compiled import inlined
from romans_env.romans_go_home.cards import LINE_SIZE


@inlined
def save_up(state, seat, cards, num_cards, first):
    """Arrange ``cards`` in place from slot ``first`` on."""
    worths = np.empty(LINE_SIZE)
    target = first
    for slot in range(first, state.line_size):
        worths[slot] = fort_value(state, seat, state.wall[slot])
        if worths[slot] >= worths[target]:
            target = slot
    for slot in range(first, target):
        worths[slot] = -100.0 + slot
    match_by_strength(cards, num_cards, worths, first, state.line_size - first)
