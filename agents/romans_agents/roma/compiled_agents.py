"""The compiled agents of Roma, for loops over many games: their codes are those of `styles`, from FIRST_OWN on."""

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
    """Play one decision, from a private view."""
    scratch[0] = states[i]
    hide(scratch[0], states[i].seat)
    step.act(states, i, scripted_action(scratch[0], code - FIRST_OWN), words)


@cached_jit
def choose(views, code):
    """Return `scripted_action` of ``views[0]``, a private view that is changed and changed back, for Python."""
    return scripted_action(views[0], code - FIRST_OWN)
