"""The compiled agents of Roma (`romans_env.core.parts.Players`); the code of a style is FIRST_OWN plus its number."""

from __future__ import annotations

from romans_agents.loops.codes import FIRST_OWN
from romans_agents.roma.heuristics import scripted_action
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.engine.state_fields import Records
from romans_env.roma import step
from romans_env.roma.knowledge import hide
from romans_env.roma.state import State


@jitted
def play(code, states: Records[State], i, scratch, streams, words):
    """Play one decision of a scripted agent in game ``i``; the agent sees a private view."""
    scratch[0] = states[i]
    hide(scratch[0], states[i].seat)
    step.act(states, i, scripted_action(scratch[0], code - FIRST_OWN), words)


@cached_jit
def choose(views, code):
    """Return the action of a scripted agent for the seat to act in the private view ``views[0]``.

    Python code calls it; compiled loops do not.
    """
    return scripted_action(views[0], code - FIRST_OWN)
