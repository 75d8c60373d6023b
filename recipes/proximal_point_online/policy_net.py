"""The policy network that is fitted, in torch."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from romans_agents import Policy
from romans_training.learn.torch_networks import layers_of


class PolicyNet(nn.Module):
    """The policy network of a policy, computed in bfloat16.

    Args:
        policy: the policy whose weights it starts with.
    """

    def __init__(self, policy: Policy):
        super().__init__()
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(policy.scale.copy()))
        layers: list[nn.Module] = []
        for weight, bias in policy.pi:
            layer = nn.Linear(weight.shape[1], weight.shape[0])
            layer.weight.data, layer.bias.data = torch.from_numpy(weight.copy()), torch.from_numpy(bias.copy())
            layers += [layer, nn.ReLU()]
        self.layers = nn.Sequential(*layers[:-1])

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Compute the log-probabilities of the actions: float32, shape ``(n, num_actions)``."""
        with torch.autocast("cpu", torch.bfloat16):
            logits = self.layers(observations.float() * self.scale).float()
        return functional.log_softmax(logits.masked_fill(masks == 0, -1e9), dim=1)

    @torch.no_grad()
    def probabilities(
        self, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float32]:
        """Compute the probabilities of the actions, as `Policy.probabilities` does."""
        found = self(torch.from_numpy(observations), torch.from_numpy(masks)).exp()
        return np.asarray(found.numpy(), dtype=np.float32)

    def policy(self, old: Policy) -> Policy:
        """Return the fitted policy, with the value network, the scale and the notes of an old one."""
        return Policy(layers_of(self.layers), old.vf, old.scale, old.meta)
