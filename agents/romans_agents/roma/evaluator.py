"""The evaluator for game-neutral searches in Roma: priors from action scores, and values at the ends of turns."""

from __future__ import annotations

import numpy as np

from romans_agents.loops.score_priors import write_score_priors
from romans_agents.loops.uniform_evaluator import arrange_hidden as arrange_hidden
from romans_agents.roma.heuristics import score_of, scripted_action
from romans_agents.roma.styles import DENIER
from romans_agents.roma.value import value_of
from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.state_fields import Records
from romans_env.roma import step
from romans_env.roma.material import NUM_SEATS
from romans_env.roma.state import State

EFFORT = (64, 32, 2)
"""Effort of control variates (`romans_agents.variates.chance_variates`): draws of an event, playouts of its outcome,
and turns of a playout."""
_EVEN = 0.25
"""The weight of the uniform distribution in the priors."""


@jitted
def priors(states: Records[State], i, actions, count, priors):
    """Write the priors of ``actions[:count]``, a softmax of their scores: float64, shape ``(count,)`` or longer."""
    for k in range(count):
        priors[k] = score_of(states[i], actions[k], DENIER)
    write_score_priors(priors, count, _EVEN)


@inlined
def turn_of(state: State):
    """Return the number of the turn."""
    return np.int64(state.turn)


@jitted
def write_expected(states: Records[State], i, returns):
    """Write the expected return of each seat by the value function: float64, shape ``(2,)``."""
    for seat in range(NUM_SEATS):
        returns[seat] = value_of(states[i], seat)


@jitted
def evaluate(states: Records[State], i, streams, words, returns):
    """Play the turn to its end with scripted actions, and write the expected returns then: float64, shape ``(2,)``."""
    turn = turn_of(states[i])
    while not step.is_over(states, i) and turn_of(states[i]) == turn:
        step.act(states, i, scripted_action(states[i], DENIER), words)
    write_expected(states, i, returns)
