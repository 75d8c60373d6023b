"""Compiled games with the scripted players inside: `romans_agents.loops.game_loops` for this game."""

from __future__ import annotations

from typing import Any

import numpy as np

from romans_agents.loops import game_loops
from romans_agents.romans_go_home import compiled_agents
from romans_agents.romans_go_home.plan_search import NUM_RECORDS, make_plan
from romans_agents.romans_go_home.plans import lay_plan
from romans_agents.romans_go_home.styles import scripted_action
from romans_env.engine.compiled import cached_jit
from romans_env.engine.loops import compile_for
from romans_env.romans_go_home import step
from romans_env.romans_go_home.knowledge import hide
from romans_env.romans_go_home.material import HAND_SIZE

run_game: Any = None
"""Defined by the loops."""
compile_for(globals(), game_loops, game=step, players=compiled_agents)


@cached_jit(nogil=True)
def plan_in_games(games, indices):
    """Make and lay the plans for which the games ``indices`` wait, and run those games on.

    Apart from the loops above: what is compiled into one function is optimised anew in each.
    """
    states, _, controllers, _, streams, words = games
    records = np.empty(NUM_RECORDS, dtype=states.dtype)
    plan = np.empty(HAND_SIZE, dtype=np.int64)
    for k in range(indices.shape[0]):
        i = indices[k]
        seat = np.int64(states[i].seat)
        records[0] = states[i]
        hide(records[0], seat)
        make_plan(np.int64(controllers[i, seat]), records, seat, plan, streams, i)
        lay_plan(states[i], seat, plan, 0)
        run_game(states, i, controllers, streams, words, records)


@cached_jit
def act_scripted(agent_code, views, i, seat):
    """`scripted_action` for Python; ``views[i]`` may be used as scratch."""
    return np.int64(scripted_action(agent_code, views[i], seat))
