"""Evaluation of a policy's networks at single positions, fast enough for searches."""

from __future__ import annotations

import numpy as np

from romans_agents.loops.compiled_networks import last_hidden, output, value_of
from romans_env.compiling.decorators import jitted
from romans_env.romans_go_home.actions import NUM_ACTIONS, bit
from romans_env.romans_go_home.observation import OBSERVATION_SIZE, observe
from romans_env.romans_go_home.state import State


@jitted
def observation_of(state: State, seat):
    """Return the observation of a seat: int8, shape ``(OBSERVATION_SIZE,)``."""
    seen = np.empty((1, OBSERVATION_SIZE), dtype=np.int8)
    observe(state, seat, seen, 0)
    return seen[0]


@jitted
def policy_probabilities(state: State, networks, probabilities):
    """Write the policy's probability of every action for the seat to act: float64, shape ``(NUM_ACTIONS,)``."""
    x, at = last_hidden(observation_of(state, state.seat), networks.scale, networks.pi, networks.is_tanh)
    probabilities[:] = -np.inf
    for action in range(NUM_ACTIONS):
        if state.legal & bit(action) != 0:
            probabilities[action] = output(x, at, networks.pi, action)
    probabilities[:] = np.exp(probabilities - probabilities.max())
    probabilities /= probabilities.sum()


@jitted
def expected_by_network(state: State, networks, returns):
    """Write the players' expected returns by the value network, shifted to sum to zero: float64, shape ``(4,)``."""
    mean = 0.0
    for seat in range(state.num_players):
        returns[seat] = value_of(observation_of(state, seat), networks)
        mean += returns[seat] / state.num_players
    if state.num_players > 1:
        for seat in range(state.num_players):
            returns[seat] -= mean
