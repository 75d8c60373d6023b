"""What a policy's networks say of one position, for searches that ask thousands of times a second."""

from __future__ import annotations

import numpy as np

from romans_agents.loops.compiled_networks import last_hidden, output, value_of
from romans_env.compiling.decorators import jitted
from romans_env.romans_go_home.actions import NUM_ACTIONS, bit
from romans_env.romans_go_home.observation import OBSERVATION_SIZE, observe
from romans_env.romans_go_home.state import State


@jitted
def observation_of(state: State, seat):
    """Return what a seat may know: int8, shape (observation size,)."""
    seen = np.empty((1, OBSERVATION_SIZE), dtype=np.int8)
    observe(state, seat, seen, 0)
    return seen[0]


@jitted
def policy_probabilities(state: State, networks, probabilities):
    """Write the policy's probability of every action for the seat that must decide: float64, shape (actions,)."""
    x, at = last_hidden(observation_of(state, state.seat), networks.scale, networks.pi, networks.is_tanh)
    probabilities[:] = -np.inf
    for action in range(NUM_ACTIONS):
        if state.legal & bit(action) != 0:
            probabilities[action] = output(x, at, networks.pi, action)
    probabilities[:] = np.exp(probabilities - probabilities.max())
    probabilities /= probabilities.sum()


@jitted
def expected_by_network(state: State, networks, returns):
    """Write the returns that the value network expects, their mean taken off: what players win, others lose."""
    mean = 0.0
    for seat in range(state.num_players):
        returns[seat] = value_of(observation_of(state, seat), networks)
        mean += returns[seat] / state.num_players
    if state.num_players > 1:
        for seat in range(state.num_players):
            returns[seat] -= mean
