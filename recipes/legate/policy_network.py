"""The layers of a trained policy as a network of torch, to go on with."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

from romans_agents import Policy
from romans_training.bfloat16 import has_bfloat16

_ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}


class PolicyNetwork(nn.Module):
    """Logarithms of the probabilities of actions, by the layers of a policy.

    Args:
        policy: whose layers are copied.
    """

    def __init__(self, policy: Policy):
        super().__init__()
        layers: list[nn.Module] = []
        for weight, bias in policy.pi:
            linear = nn.Linear(weight.shape[1], weight.shape[0])
            linear.weight.data, linear.bias.data = torch.from_numpy(weight.copy()), torch.from_numpy(bias.copy())
            layers += [linear, _ACTIVATIONS[policy.meta["activation"]]()]
        self._layers = nn.Sequential(*layers[:-1])
        self._scale = torch.from_numpy(policy.scale)
        self._bfloat16 = has_bfloat16()

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """For observations, int8, shape (n, observation size), and action masks: float32, in the shape of the masks."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self._bfloat16):
            logits = self._layers(observations.float() * self._scale)
        return functional.log_softmax(logits.float().masked_fill(masks == 0, -1e9), dim=1)

    def approach(self, other: PolicyNetwork, part: float) -> None:
        """Go a part of the way to the weights of another network: a running average."""
        with torch.no_grad():
            for own, aim in zip(self.parameters(), other.parameters(), strict=True):
                own.lerp_(aim, part)

    def policy(self, like: Policy, notes: dict[str, Any]) -> Policy:
        """A policy with these layers, and the value, scale and notes of another one; ``notes`` are added."""
        pi = [
            (layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy())
            for layer in self._layers
            if isinstance(layer, nn.Linear)
        ]
        return Policy(pi, like.vf, like.scale, {**like.meta, **notes})


def divergence_of(first: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The KL divergence of other probabilities from the first, given their logarithms, as a mean, in nats."""
    return (first.exp() * (first - other)).sum(dim=1).mean()
