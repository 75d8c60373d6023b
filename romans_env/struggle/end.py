"""The end of the game, winners and returns (STRUGGLE 7.3, 7.4)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.struggle.development import GOLD_OF_TREASURE, put_on_table
from romans_env.struggle.material import CULTURE, TREASURE
from romans_env.struggle.state import STAGE_OVER, State


@inlined
def finish(state: State):
    """Finish the game: each seat plays its treasures and cultures (STRUGGLE 7.3)."""
    for seat in range(state.num_players):
        while state.development[seat, TREASURE] > 0:
            put_on_table(state, seat, TREASURE)
            state.gold[seat] += GOLD_OF_TREASURE
        while state.development[seat, CULTURE] > 0:
            put_on_table(state, seat, CULTURE)
            state.points[seat] += 1
    state.stage = STAGE_OVER


@inlined
def is_ahead(state: State, seat, other):
    """Return whether a seat has more points than another, or equal points and more gold (STRUGGLE 7.3)."""
    if state.points[seat] != state.points[other]:
        return state.points[seat] > state.points[other]
    return state.gold[seat] > state.gold[other]


@inlined
def wins(state: State, seat):
    """Return whether a seat wins, alone or sharing the win: no other seat is ahead of it."""
    best = True
    for other in range(state.num_players):
        best &= not is_ahead(state, other, seat)
    return best


@inlined
def return_of(state: State, seat):
    """Return the return of a seat, in [-1, 1] (STRUGGLE 7.4)."""
    winners = np.int64(0)
    for other in range(state.num_players):
        winners += np.int64(wins(state, other))
    share = np.int64(wins(state, seat)) / winners
    return (state.num_players * share - 1.0) / (state.num_players - 1.0)
