"""The players that evaluate whole plans, in compiled games: a plan is made between two calls of `compiled_games`."""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.characters import MIXER, QUICK_SCHEMER
from romans_agents.romans_go_home.compiled_games import run_scripted
from romans_agents.romans_go_home.mixer import drawn_row
from romans_agents.romans_go_home.plans import lay_plan
from romans_agents.romans_go_home.round_lab import NUM_RECORDS, draw_candidates, try_plans
from romans_agents.romans_go_home.schemer import best_row
from romans_env.engine.compiled import cached_jit, jitted
from romans_env.romans_go_home.cards import HAND_SIZE
from romans_env.romans_go_home.knowledge import hide

NUM_PLANS = 32
NUM_DRAWS = 32
"""How many plans of one's own are tried, and against how many draws of the rivals'."""
QUICK = 12
"""The same, both, for the quick one."""


@jitted
def weigh(character, records, seat, plan, streams, i):
    """Write the plan of a seat that is to set a warrior aside; ``records[0]`` is redacted for it, all are scratch."""
    is_quick = character == QUICK_SCHEMER
    num_plans = QUICK if is_quick else NUM_PLANS
    plans = np.empty((num_plans, HAND_SIZE), dtype=np.int64)
    payoffs = np.empty((num_plans, QUICK if is_quick else NUM_DRAWS))
    draw_candidates(records[0], seat, plans, streams, i)
    try_plans(records, seat, plans, payoffs, streams, i)
    plan[:] = plans[drawn_row(payoffs, streams, i) if character == MIXER else best_row(payoffs)]


@cached_jit(nogil=True)
def weigh_plan(character, records, seat, plan, streams, i):
    """`weigh` for Python."""
    weigh(character, records, seat, plan, streams, i)


@cached_jit(nogil=True)
def plan_in(states, indices, controllers, streams):
    """Make and lay the plans for which the games ``indices`` wait, and run those games on."""
    records = np.empty(NUM_RECORDS, dtype=states.dtype)
    plan = np.empty(HAND_SIZE, dtype=np.int64)
    for k in range(indices.shape[0]):
        i = indices[k]
        seat = np.int64(states[i].seat)
        records[0] = states[i]
        hide(records[0], seat)
        weigh(np.int64(controllers[i, seat]), records, seat, plan, streams, i)
        lay_plan(states[i], seat, plan, 0)
        run_scripted(states, i, controllers, streams, records)
