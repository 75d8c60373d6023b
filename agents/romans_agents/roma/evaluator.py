"""The evaluator of the game-neutral searches in Roma: scores of actions as priors, and a value at the end of a turn."""

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
"""For control variates (`romans_agents.variates.chance_variates`): draws and play-outs of an event, and turns of a
play-out."""
_EVEN = 0.25
"""The share of a prior that all actions have alike."""


@jitted
def priors(states: Records[State], i, actions, count, priors):
    """Write the prior probabilities of ``actions[:count]``: a softmax of their scores."""
    for k in range(count):
        priors[k] = score_of(states[i], actions[k], DENIER)
    write_score_priors(priors, count, _EVEN)


@inlined
def turn_of(state: State):
    """Return a number that differs between turns."""
    return np.int64(state.turn)


@jitted
def write_expected(states: Records[State], i, returns):
    """Write the expected return of each seat by the value function: float64, shape (seats,)."""
    for seat in range(NUM_SEATS):
        returns[seat] = value_of(states[i], seat)


@jitted
def evaluate(states: Records[State], i, streams, words, returns):
    """Play the turn to its end by rules of thumb, and write what the position is worth then."""
    turn = turn_of(states[i])
    while not step.is_over(states, i) and turn_of(states[i]) == turn:
        step.act(states, i, scripted_action(states[i], DENIER), words)
    write_expected(states, i, returns)
