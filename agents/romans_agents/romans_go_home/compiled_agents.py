"""The compiled players (`romans_agents.loops.parts`): they get a private view of the record, as every agent does."""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.plan_search import NUM_RECORDS, make_plan
from romans_agents.romans_go_home.plans import lay_plan
from romans_agents.romans_go_home.styles import FIRST_PLANNING, planned_order, scripted_action
from romans_env.compiling.decorators import cached_jit, inlined, ir_inlined
from romans_env.romans_go_home.game_flow import apply
from romans_env.romans_go_home.knowledge import hide
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.state import PHASE_DISCARD

__all__ = ["FIRST_PLANNING", "NUM_RECORDS", "choose", "plan", "play", "waits"]


@inlined
def waits(states, i):
    return states[i].phase == PHASE_DISCARD


@ir_inlined
def play(code, states, i, scratch, streams, words):
    """Let a scripted player decide. A plan is made once and laid at a stretch."""
    state = states[i]
    seat = np.int64(state.seat)
    scratch[0] = state
    hide(scratch[0], seat)
    if state.phase == PHASE_DISCARD:
        plan = np.empty(HAND_SIZE, dtype=np.int64)
        planned_order(code, scratch[0], seat, plan, np.int64(0))
        lay_plan(state, seat, plan, 0)
    else:
        apply(state, scripted_action(code, scratch[0], seat))


@ir_inlined
def plan(code, states, i, records, streams):
    """Make and lay the plan for which a player waits."""
    seat = np.int64(states[i].seat)
    records[0] = states[i]
    hide(records[0], seat)
    order = np.empty(HAND_SIZE, dtype=np.int64)
    make_plan(np.int64(code), records, seat, order, streams, i)
    lay_plan(states[i], seat, order, 0)


@cached_jit
def choose(views, code):
    """`scripted_action` of the seat that decides in ``views[0]``, a private view that may be used as scratch."""
    return np.int64(scripted_action(code, views[0], np.int64(views[0].seat)))
