"""A policy file's networks for compiled loops, which ask about one position at a time.

Observations are mostly 0, so the first layer adds up the columns of its weights where an entry is not; of the policy's
last layer only the logits of legal actions are computed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.policies.policy import Policy
from romans_agents.policies.policy_file import Layers
from romans_env.compiling.decorators import jitted


class Network(NamedTuple):
    """One network in flat arrays.

    Attributes:
        first: weights of the first layer, an input a row: float32, shape (inputs, sizes[1]).
        rest: the bias of the first layer, then weights and biases of the others, one after the other: float32.
        sizes: widths from the observation to the output: int64.
    """

    first: npt.NDArray[np.float32]
    rest: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.int64]


class Networks(NamedTuple):
    """Policy and value.

    Attributes:
        pi: the policy.
        vf: the value.
        scale: of the observation's entries: float32.
        is_tanh: whether layers end in tanh; otherwise in relu.
    """

    pi: Network
    vf: Network
    scale: npt.NDArray[np.float32]
    is_tanh: bool


def networks_of(policy: Policy | None) -> Networks:
    """Return the networks of a policy; without one, networks that nobody asks."""
    if policy is None:
        nothing = np.zeros(0, dtype=np.float32)
        network = Network(nothing.reshape(0, 0), nothing, np.zeros(0, dtype=np.int64))
        return Networks(network, network, nothing, False)
    is_tanh = policy.meta["activation"] == "tanh"
    return Networks(flat_network(policy.pi), flat_network(policy.vf), policy.scale.astype(np.float32), is_tanh)


def flat_network(layers: Layers) -> Network:
    """Return one network in flat arrays, from the weights, shape (outputs, inputs), and biases of its layers."""
    (first, bias), *others = layers
    rest = [bias, *(np.ravel(array) for layer in others for array in layer)]
    sizes = [first.shape[1], *(bias.size for _, bias in layers)]
    return Network(
        np.ascontiguousarray(first.T, dtype=np.float32), np.concatenate(rest).astype(np.float32), np.array(sizes)
    )


@jitted
def activate(x, is_tanh):
    """Apply the activation in place."""
    for k in range(x.shape[0]):
        x[k] = np.tanh(x[k]) if is_tanh else max(x[k], np.float32(0.0))


@jitted
def last_hidden(observation, scale, network, is_tanh):
    """Return the last hidden layer, and where the weights of the output begin in ``network.rest``.

    Args:
        observation: integers, shape (inputs,).
        scale: as in `Networks`, like what follows.
        network: the weights.
        is_tanh: the activation.
    """
    width = network.sizes[1]
    x = network.rest[:width].copy()
    at = width
    for k in range(observation.shape[0]):
        if observation[k] != 0:
            entry = np.float32(observation[k]) * scale[k]
            for j in range(width):
                x[j] += entry * network.first[k, j]
    activate(x, is_tanh)
    for layer in range(1, network.sizes.shape[0] - 2):
        before, after = network.sizes[layer], network.sizes[layer + 1]
        matrix = network.rest[at : at + before * after].reshape((after, before))
        at += before * after
        x = np.dot(matrix, x) + network.rest[at : at + after]
        at += after
        activate(x, is_tanh)
    return x, at


@jitted
def output(x, at, network, k):
    """Return output ``k``, from what `last_hidden` returns."""
    width, outputs = x.shape[0], network.sizes[network.sizes.shape[0] - 1]
    row = network.rest[at + k * width : at + (k + 1) * width]
    return np.dot(row, x) + network.rest[at + outputs * width + k]


@jitted
def value_of(observation, networks):
    """Return the expected return, from -1 to 1."""
    x, at = last_hidden(observation, networks.scale, networks.vf, networks.is_tanh)
    return min(1.0, max(-1.0, float(output(x, at, networks.vf, 0))))


@jitted
def likeliest(observation, networks, actions, count):
    """Return the most likely of ``actions[:count]``; of equals the first."""
    x, at = last_hidden(observation, networks.scale, networks.pi, networks.is_tanh)
    best, highest = actions[0], -np.inf
    for k in range(count):
        logit = float(output(x, at, networks.pi, actions[k]))
        if logit > highest:
            best, highest = actions[k], logit
    return best
