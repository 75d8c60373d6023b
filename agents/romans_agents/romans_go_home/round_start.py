"""The start of a round as one seat knows it, where plans are evaluated.

Plans are hidden and simultaneous, although seats act one after the other (RULES 3.2). So a player that evaluates its
plan goes back to the start of the round: it knows its own seven warriors, and no other seat has planned yet.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.plans import lay_plan
from romans_env.compiling.decorators import cached_jit, inlined
from romans_env.romans_go_home.material import LINE_SIZE, NONE
from romans_env.romans_go_home.planning import open_discard, start_planning
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, State


@inlined
def is_planning(state: State):
    """Return whether a game is in the planning phase (RULES 3.1)."""
    return state.phase == PHASE_DISCARD or state.phase == PHASE_PLACE


@inlined
def undo_planning(state: State, seat):
    """Take a planning seat's redacted record back to the start of the round, with all its warriors in hand."""
    for slot in range(LINE_SIZE):
        warrior = state.line[seat, slot]
        if warrior >= 0:
            state.hand[seat, warrior] += 1
    aside = state.set_aside[state.round_index, seat]
    if aside != NONE:
        state.hand[seat, aside] += 1
    for player in range(state.num_players):
        state.set_aside[state.round_index, player] = NONE
        for slot in range(LINE_SIZE):
            state.line[player, slot] = NONE
    start_planning(state)
    state.legal = open_discard(state) if state.seat == seat else np.int64(0)


@cached_jit
def undo_planning_in(views, i, seat):
    """Take the record ``views[i]`` back to the start of the round: `undo_planning`, to be called from Python."""
    undo_planning(views[i], seat)


@inlined
def lay_plans(state: State, plans):
    """Play the plans of all players at the start of a round: integers, shape ``(players, 7)`` or more rows."""
    for seat in range(state.num_players):
        lay_plan(state, seat, plans[seat], 0)
