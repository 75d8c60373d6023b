"""The network that is fitted to improved plans."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from recipes.proximal_point.decisions import Decisions
from romans_agents import Policy
from romans_training.learn.torch_networks import layers_of, sequential_of

MINIBATCH = 1024
LEAST = 1e-30


class PolicyNet(nn.Module):
    """The policy network of a policy, computed in bfloat16.

    Args:
        policy: the policy whose weights it starts with.
    """

    def __init__(self, policy: Policy):
        super().__init__()
        self._old = policy
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(policy.scale.copy()))
        self.layers = sequential_of(policy.pi)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Compute the log-probabilities of the actions: float32, shape ``(n, num_actions)``."""
        with torch.autocast("cpu", torch.bfloat16):
            logits = self.layers(observations.float() * self.scale).float()
        return functional.log_softmax(logits.masked_fill(masks == 0, -1e9), dim=1)

    def policy(self) -> Policy:
        """Return the fitted policy; its value network, scale and notes are the old one's."""
        return Policy(layers_of(self.layers), self._old.vf, self._old.scale, self._old.meta)


class Part:
    """Decisions that are a fixed share of every minibatch.

    Args:
        decisions: the decisions.
        size: the number of decisions in a minibatch.
        rng: the generator of their order.
    """

    def __init__(self, decisions: Decisions, size: int, rng: np.random.Generator):
        self._columns, self._size, self._rng = [torch.from_numpy(one) for one in decisions], size, rng
        self._order = np.empty(0, dtype=np.int64)
        # Divided by it, the weights of the decisions are 1 in the mean.
        self._mean = float(decisions.targets.sum(axis=1, dtype=np.float64).mean())

    def loss(self, net: PolicyNet) -> torch.Tensor:
        """Return the cross entropy of the next decisions, each of which comes once in every pass."""
        while len(self._order) < self._size:
            self._order = np.concatenate([self._order, self._rng.permutation(len(self._columns[0]))])
        rows = torch.from_numpy(self._order[: self._size])
        self._order = self._order[self._size :]
        observations, masks, targets = (column[rows] for column in self._columns)
        return -(targets.float() * net(observations, masks)).sum(dim=1).mean() / self._mean


def fit(
    policy: Policy, parts: Sequence[tuple[Decisions, float]], epochs: int, learning_rate: float, seed: int
) -> Policy:
    """Return a policy that is fitted to decisions by cross entropy.

    Args:
        policy: the policy to start from.
        parts: sets of decisions, each with its share of the loss and of every minibatch.
        epochs: the number of passes over the first set.
        learning_rate: the highest learning rate of Adam, which rises and falls in one cycle.
        seed: the random seed.
    """
    torch.manual_seed(seed)
    rng, net = np.random.default_rng(seed), PolicyNet(policy)
    total = sum(share for _, share in parts)
    sizes = [max(1, round(MINIBATCH * share / total)) for _, share in parts]
    steps = max(2, epochs * -(-len(parts[0][0].masks) // sizes[0]))
    losses = [Part(decisions, size, rng) for (decisions, _), size in zip(parts, sizes, strict=True)]
    optimizer = torch.optim.Adam(net.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, learning_rate, total_steps=steps)
    for _ in range(steps):
        loss = sum(
            (share / total * one.loss(net) for (_, share), one in zip(parts, losses, strict=True)), torch.zeros(())
        )
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    return net.policy()


def divergence(policy: Policy, decisions: Decisions) -> float:
    """Return the mean Kullback-Leibler divergence of a policy's decisions from their targets, in nats."""
    total = weight = 0.0
    for first in range(0, len(decisions.masks), 4096):
        observations, masks, some = (column[first : first + 4096] for column in decisions)
        targets = some.astype(np.float64)
        sums = targets.sum(axis=1, keepdims=True)
        known = policy.probabilities(observations, masks).astype(np.float64)
        likely = targets > 0
        logs = np.log(np.where(likely, targets / np.where(sums > 0, sums, 1.0), 1.0)) - np.log(
            np.where(likely, known, 1.0)
        )
        total, weight = total + float((targets * logs).sum()), weight + float(sums.sum())
    return total / weight
