"""The compiled agents of Struggle for Rome (`romans_env.core.parts.Players`); codes are FIRST_OWN plus the style."""

from __future__ import annotations

from romans_agents.loops.codes import FIRST_OWN
from romans_agents.struggle.heuristics import scripted_action
from romans_agents.struggle.styles import STYLES
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.engine.state_fields import Records
from romans_env.struggle import step
from romans_env.struggle.knowledge import hide
from romans_env.struggle.state import State


@jitted
def play(code, states: Records[State], i, scratch, streams, words):
    """Play one decision of a scripted agent in game ``i``; the agent sees a private view."""
    scratch[0] = states[i]
    hide(scratch[0], states[i].seat)
    step.act(states, i, scripted_action(scratch[0], STYLES[code - FIRST_OWN]), words)


@cached_jit
def choose(views, code):
    """Return the action of a scripted agent for the seat to act in ``views[0]``, a private view; for Python."""
    return scripted_action(views[0], STYLES[code - FIRST_OWN])
