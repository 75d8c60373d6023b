"""Compiled loops over many games that compute the inputs for fitting the networks."""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.heuristic_value import expected_returns
from romans_agents.romans_go_home.rounds.compiled.values import write_inputs
from romans_env.compiling.decorators import cached_jit
from romans_env.romans_go_home.material import MAX_CLANS


@cached_jit(nogil=True)
def value_inputs(states, inputs):
    """Write the inputs of a `ValueNetwork` of every player of every game: float32, shape (n, players, NUM_INPUTS)."""
    for k in range(states.shape[0]):
        write_inputs(states[k], inputs[k])


@cached_jit(nogil=True)
def heuristic_values(states, seat, values):
    """Write the return of a seat by `heuristic_value`, where a round has ended: float64, shape (n,)."""
    returns = np.empty(MAX_CLANS)
    for k in range(states.shape[0]):
        expected_returns(states[k], returns)
        values[k] = returns[seat]
