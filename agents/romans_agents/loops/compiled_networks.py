"""The networks of a policy for compiled loops, which evaluate one position at a time.

Two shortcuts make this fast. Most entries of an observation are 0, and the first layer skips them. In the last layer of
the policy, only the logits of legal actions are computed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.policies.policy import Policy
from romans_agents.policies.policy_file import Layers
from romans_env.compiling.decorators import jitted


class Network(NamedTuple):
    """A network in flat arrays.

    Attributes:
        first: weights of the first layer, one row per input: float32, shape ``(inputs, sizes[1])``.
        rest: the bias of the first layer, followed by the weights (row by row) and bias of each other layer: float32,
            one-dimensional.
        sizes: the widths of the observation and of every layer: int64, shape ``(layers + 1,)``.
    """

    first: npt.NDArray[np.float32]
    rest: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.int64]


class Networks(NamedTuple):
    """The policy network and the value network.

    Attributes:
        pi: the policy network.
        vf: the value network.
        scale: the factors by which the entries of an observation are multiplied: float32, shape
            ``(observation_size,)``.
        is_tanh: whether the activation is tanh; otherwise it is relu.
    """

    pi: Network
    vf: Network
    scale: npt.NDArray[np.float32]
    is_tanh: bool


def networks_of(policy: Policy | None) -> Networks:
    """Return the networks of a policy in flat arrays; without a policy, empty networks that cannot be evaluated."""
    if policy is None:
        nothing = np.zeros(0, dtype=np.float32)
        network = Network(nothing.reshape(0, 0), nothing, np.zeros(0, dtype=np.int64))
        return Networks(network, network, nothing, False)
    is_tanh = policy.meta["activation"] == "tanh"
    return Networks(flat_network(policy.pi), flat_network(policy.vf), policy.scale.astype(np.float32), is_tanh)


def flat_network(layers: Layers) -> Network:
    """Return a network in flat arrays.

    Args:
        layers: the weight and the bias of every layer: float32, shapes ``(out, in)`` and ``(out,)``.
    """
    (first, bias), *others = layers
    rest = [bias, *(np.ravel(array) for layer in others for array in layer)]
    sizes = [first.shape[1], *(bias.size for _, bias in layers)]
    return Network(
        np.ascontiguousarray(first.T, dtype=np.float32), np.concatenate(rest).astype(np.float32), np.array(sizes)
    )


@jitted
def activate(x, is_tanh):
    """Apply tanh or relu to ``x``, float32, shape ``(width,)``, in place."""
    for k in range(x.shape[0]):
        x[k] = np.tanh(x[k]) if is_tanh else max(x[k], np.float32(0.0))


@jitted
def last_hidden(observation, scale, network, is_tanh):
    """Compute the activations of the last hidden layer.

    Args:
        observation: integers, shape ``(inputs,)``.
        scale: the factors by which the entries of the observation are multiplied: float32, shape ``(inputs,)``.
        network: a `Network`.
        is_tanh: whether the activation is tanh; otherwise it is relu.

    Returns:
        The activations, float32, shape ``(width,)``, and the index in ``network.rest`` where the output layer begins.
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
    """Compute output number ``k`` of a network; `last_hidden` returns the arguments ``x`` and ``at``."""
    width, outputs = x.shape[0], network.sizes[network.sizes.shape[0] - 1]
    row = network.rest[at + k * width : at + (k + 1) * width]
    return np.dot(row, x) + network.rest[at + outputs * width + k]


@jitted
def value_of(observation, networks):
    """Compute the expected return, clipped to [-1, 1], from an observation: integers, shape ``(inputs,)``."""
    x, at = last_hidden(observation, networks.scale, networks.vf, networks.is_tanh)
    return min(1.0, max(-1.0, float(output(x, at, networks.vf, 0))))


@jitted
def likeliest(observation, networks, actions, count):
    """Return the action with the highest logit among ``actions[:count]``; the first such action if there is a tie.

    Args:
        observation: integers, shape ``(inputs,)``.
        networks: `Networks`.
        actions: action ids, int64, shape ``(count,)`` or longer.
        count: the number of actions, at least 1.
    """
    x, at = last_hidden(observation, networks.scale, networks.pi, networks.is_tanh)
    best, highest = actions[0], -np.inf
    for k in range(count):
        logit = float(output(x, at, networks.pi, actions[k]))
        if logit > highest:
            best, highest = actions[k], logit
    return best
