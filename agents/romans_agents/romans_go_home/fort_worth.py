"""The value of forts to each clan, as all scripted players estimate it."""

from __future__ import annotations

import numpy as np

from romans_env.engine.compiled import inlined
from romans_env.romans_go_home.cards import NONE, NUM_LEGION_KINDS, POINTS, TAX, UNWARY

# Chosen from eight variants by the win rate against `random` on 2+0, 2+1, 4+0 and in 1+2, 4 000 games or more each.
# Higher values win more on 2+0 (93 % for 6, 12, 40) and less with three rivals; with none at all 2+0 falls to 26 %.
LEGION_VALUES = np.array([4.0, 10.0, 40.0, 40.0])
"""What a Legion fort is worth, in points, to a player who holds so many and can still reach three."""


@inlined
def fort_value(state, seat, fort):
    """What a fort is worth to a clan now, in points."""
    if fort == NONE:
        return 0.0
    if fort < NUM_LEGION_KINDS and seat < state.num_players:
        held = np.int64(state.num_legion[seat])
        if held + legion_within_reach(state) >= 3:
            return LEGION_VALUES[min(held, np.int64(3))]
    value = float(POINTS[fort])
    if fort == UNWARY:
        value += 1.0
    elif fort == TAX:
        value -= 1.5
    return value


@inlined
def legion_within_reach(state):
    """How many Legion forts no clan has captured and nobody discarded."""
    count = np.int64(0)
    for fort in range(NUM_LEGION_KINDS):
        count += state.fort_deck[fort] - state.lost_forts[fort]
    for seat in range(state.num_clans):
        count -= np.int64(state.num_legion[seat])
    return count


@inlined
def counts_as_rival(state, seat):
    """Whether what a clan wins can cost the game: players, and neutrals in a solo game (RULES 7.3)."""
    return seat < state.num_players or state.num_players == 1
