"""The compiled agents of Romans Go Home! (`romans_env.core.parts.Players`); like all agents, they get private views."""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.plan_search import NUM_RECORDS, make_plan
from romans_agents.romans_go_home.plans import lay_plan
from romans_agents.romans_go_home.styles import MIXER, planned_order, scripted_action
from romans_env.compiling.decorators import cached_jit, ir_inlined, jitted
from romans_env.engine.state_fields import Records
from romans_env.romans_go_home.knowledge import hide
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.state import PHASE_DISCARD, State
from romans_env.romans_go_home.step import apply


@ir_inlined
def play(code, states: Records[State], i, scratch, streams, words):
    """Play a decision of a scripted player in game ``i``; in planning, make and lay the whole plan at once."""
    state = states[i]
    seat = np.int64(state.seat)
    scratch[0] = state
    hide(scratch[0], seat)
    if state.phase == PHASE_DISCARD:
        plan = np.empty(HAND_SIZE, dtype=np.int64)
        if code >= MIXER:
            _search_plan(np.int64(code), scratch, seat, plan, streams, i)
        else:
            planned_order(code, scratch[0], seat, plan, np.int64(0))
        lay_plan(state, seat, plan, 0)
    else:
        apply(state, scripted_action(code, scratch[0], seat))


@jitted
def _search_plan(code, views, seat, plan, streams, i):
    """Write the plan of a player that evaluates whole plans into ``plan``, from the private view ``views[0]``."""
    records = np.empty(NUM_RECORDS, dtype=views.dtype)
    records[0] = views[0]
    make_plan(code, records, seat, plan, streams, i)


@cached_jit
def choose(views, code):
    """Return the scripted player's action for the seat to act in ``views[0]``, a private view that may be changed."""
    return np.int64(scripted_action(code, views[0], np.int64(views[0].seat)))
