"""The end of a game (RULES 7): points, winners, returns."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.romans_go_home.material import NONE, NUM_FORTS, NUM_LEGION_KINDS, POINTS
from romans_env.romans_go_home.state import State


@inlined
def add_forts(state: State, seat, fort, copies):
    """Give a clan ``copies`` forts of a kind (taken, if negative) and update its points and counts (RULES 1.2)."""
    state.forts[seat, fort] += copies
    state.points[seat] += copies * POINTS[fort]
    state.num_forts[seat] += copies
    if fort < NUM_LEGION_KINDS:
        state.num_legion[seat] += copies


@inlined
def rank_key(state: State, seat):
    """Return an integer that ranks clans by points, forts and best fort; equal keys are a tie (RULES 7.2)."""
    best = np.int64(NONE)
    for fort in range(NUM_FORTS):
        if state.forts[seat, fort] > 0 and (best == NONE or POINTS[fort] > POINTS[best]):
            best = np.int64(fort)
    best_points = POINTS[best] if best != NONE else np.int64(0)
    return np.int64(state.points[seat]) * 4096 + np.int64(state.num_forts[seat]) * 64 + best_points + 16


@inlined
def winners_of(state: State):
    """Return the winning seats as bits (RULES 5.4, 7.2); in a solo game the neutrals are ranked too (7.3)."""
    if state.legion_winner != NONE:
        return np.int64(1) << np.int64(state.legion_winner)
    ranked = state.num_clans if state.num_players == 1 else state.num_players
    best = rank_key(state, 0)
    winners = np.int64(1)
    for seat in range(1, ranked):
        key = rank_key(state, seat)
        if key > best:
            best = key
            winners = np.int64(0)
        if key == best:
            winners |= np.int64(1) << np.int64(seat)
    return winners


@inlined
def wins(state: State, seat):
    """Return 1 if a seat has won, else 0."""
    return (winners_of(state) >> seat) & 1


@inlined
def return_of(state: State, seat):
    """Return a player's return in a finished game (RULES 7.3, 7.4)."""
    winners = winners_of(state)
    count = np.int64(0)
    for other in range(state.num_clans):
        count += (winners >> np.int64(other)) & 1
    won = (winners >> np.int64(seat)) & 1
    if state.num_players == 1:
        if won == 0:
            return -1.0
        return 1.0 if count == 1 else 0.0
    share = won / count
    return (state.num_players * share - 1.0) / (state.num_players - 1.0)
