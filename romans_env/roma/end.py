"""The end of a game (ROMA 7.3, 7.4); it is brought about in `general.check_end` (7.1) and `turn.end_turn` (7.2)."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined
from romans_env.roma.state import State


@inlined
def wins(state: State, seat):
    """Return whether a seat wins, alone or sharing the win."""
    return state.points[seat] >= state.points[1 - seat]


@inlined
def return_of(state: State, seat):
    """Return the return of a seat: +1 for the winner, -1 for the loser, 0 for both if the win is shared (ROMA 7.4)."""
    own, other = state.points[seat], state.points[1 - seat]
    if own > other:
        return 1.0
    if own < other:
        return -1.0
    return 0.0
