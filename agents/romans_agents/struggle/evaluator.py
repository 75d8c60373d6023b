"""The evaluator for game-neutral searches in Struggle for Rome: priors and values with the weights of `trader`."""

from __future__ import annotations

import numpy as np

from romans_agents.loops.score_priors import write_score_priors
from romans_agents.loops.uniform_evaluator import arrange_hidden as arrange_hidden
from romans_agents.struggle.heuristics import scripted_action, write_scores
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.value import write_values
from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.state_fields import Records
from romans_env.struggle import step
from romans_env.struggle.material import MAX_SEATS
from romans_env.struggle.rounds import LAST_PHASE
from romans_env.struggle.state import State

EFFORT = (8, 4, 1)
"""Effort of control variates (`romans_agents.variates.chance_variates`): draws of an event, playouts of its outcome,
and turns of a playout."""
_EVEN = 0.1
"""The weight of the uniform distribution in the priors."""
_WEIGHTS = STYLES[TRADER]


@jitted
def priors(states: Records[State], i, actions, count, priors):
    """Write the priors of ``actions[:count]``, a softmax of their scores: float64, shape ``(count,)`` or longer."""
    write_scores(states[i], _WEIGHTS, actions, count, priors)
    write_score_priors(priors, count, _EVEN)


@inlined
def turn_of(state: State):
    """Return a number that identifies the turn, made of the round, the phase and the active seat."""
    clock = LAST_PHASE * np.int64(state.round_number) + np.int64(state.phase)
    return MAX_SEATS * clock + np.int64(state.active)


@jitted
def write_expected(states: Records[State], i, returns):
    """Write the expected return of each seat by the value function: float64, shape ``(players,)``."""
    write_values(states[i], _WEIGHTS, returns)


@jitted
def evaluate(states: Records[State], i, streams, words, returns):
    """Play the turn to its end as `trader`, and write the expected returns then: float64, shape ``(players,)``."""
    turn = turn_of(states[i])
    while not step.is_over(states, i) and turn_of(states[i]) == turn:
        step.act(states, i, scripted_action(states[i], _WEIGHTS), words)
    write_expected(states, i, returns)
