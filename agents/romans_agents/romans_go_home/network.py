"""A policy file's networks compiled for one position at a time: for searches that ask thousands of times a second."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.policy import Policy
from romans_agents.policy_file import Layers
from romans_env.compiling.decorators import jitted
from romans_env.romans_go_home.actions import NUM_ACTIONS, bit
from romans_env.romans_go_home.observation import OBSERVATION_SIZE, observe


class Networks(NamedTuple):
    """Policy and value in flat arrays.

    Attributes:
        pi: weights and biases of all layers of the policy, one after the other: float32.
        pi_sizes: widths from the observation to the logits: int64.
        vf: of the value.
        vf_sizes: widths from the observation to 1.
        scale: of the observation's entries: float32.
        is_tanh: whether layers end in tanh; otherwise in relu.
    """

    pi: npt.NDArray[np.float32]
    pi_sizes: npt.NDArray[np.int64]
    vf: npt.NDArray[np.float32]
    vf_sizes: npt.NDArray[np.int64]
    scale: npt.NDArray[np.float32]
    is_tanh: bool


def networks_of(policy: Policy | None) -> Networks:
    """The networks of a policy; without one, networks that nobody asks."""
    if policy is None:
        nothing, no_sizes = np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.int64)
        return Networks(nothing, no_sizes, nothing, no_sizes, nothing, False)
    return Networks(
        *_flat(policy.pi), *_flat(policy.vf), policy.scale.astype(np.float32), policy.meta["activation"] == "tanh"
    )


def _flat(layers: Layers) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    parts = [np.ravel(array) for layer in layers for array in layer]
    sizes = [layers[0][0].shape[1], *(bias.size for _, bias in layers)]
    return np.concatenate(parts).astype(np.float32), np.array(sizes, dtype=np.int64)


@jitted
def forward(x, weights, sizes, is_tanh):
    """The output of a network for one input: float32, shape (widths[-1],)."""
    first = 0
    for layer in range(sizes.shape[0] - 1):
        n, m = sizes[layer], sizes[layer + 1]
        matrix = weights[first : first + n * m].reshape((m, n))
        first += n * m
        x = np.dot(matrix, x) + weights[first : first + m]
        first += m
        if layer < sizes.shape[0] - 2:
            x = np.tanh(x) if is_tanh else np.maximum(x, np.float32(0.0))
    return x


@jitted
def scaled_observation(state, seat, networks):
    """What a seat may know, as the networks take it: float32, shape (observation size,)."""
    seen = np.empty((1, OBSERVATION_SIZE), dtype=np.int8)
    observe(state, seat, seen, 0)
    return seen[0].astype(np.float32) * networks.scale


@jitted
def policy_probabilities(state, networks, probabilities):
    """Write the policy's probability of every action for the seat that must decide: float64, shape (actions,)."""
    logits = forward(scaled_observation(state, state.seat, networks), networks.pi, networks.pi_sizes, networks.is_tanh)
    best = -np.inf
    for action in range(NUM_ACTIONS):
        if state.legal & bit(action) != 0:
            best = max(best, float(logits[action]))
    total = 0.0
    for action in range(NUM_ACTIONS):
        probabilities[action] = np.exp(logits[action] - best) if state.legal & bit(action) != 0 else 0.0
        total += probabilities[action]
    for action in range(NUM_ACTIONS):
        probabilities[action] /= total


@jitted
def expected_by_network(state, networks, returns):
    """Write the returns that the value network expects, their mean taken off: what players win, others lose."""
    mean = 0.0
    for seat in range(state.num_players):
        value = forward(scaled_observation(state, seat, networks), networks.vf, networks.vf_sizes, networks.is_tanh)[0]
        returns[seat] = min(1.0, max(-1.0, value))
        mean += returns[seat] / state.num_players
    if state.num_players > 1:
        for seat in range(state.num_players):
            returns[seat] -= mean
