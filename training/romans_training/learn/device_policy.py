"""Policies whose network torch evaluates on a device, for all waiting games at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from romans_agents import Agent, PolicyAgent
from romans_agents.base import BatchAgent

_ACTIVATIONS = {"tanh": torch.tanh, "relu": torch.relu}


class DevicePolicyAgent(BatchAgent):
    """Plays a policy like `PolicyAgent`, with the network evaluated on a device.

    The most likely action is the same, except for ties that rounding breaks. Sampled actions have the same
    probabilities, but the random numbers are those of a generator on the device.

    Args:
        agent: the agent whose policy, ``sample`` and probability cuts are used.
        device: where its network is evaluated.
    """

    def __init__(self, agent: PolicyAgent, device: torch.device):
        self.name, self.agent, self.device = agent.name, agent, device
        self._scale, *layers = (
            torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32)).to(device)
            for array in (agent.policy.scale, *(array for layer in agent.policy.pi for array in layer))
        )
        self._layers = list(zip(layers[::2], layers[1::2], strict=True))
        self._activate = _ACTIVATIONS[agent.policy.meta["activation"]]
        self._generator = torch.Generator(device)
        self._generator.seed()

    def seed(self, seed: int) -> None:
        self._generator.manual_seed(seed)

    @torch.no_grad()
    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        x = torch.from_numpy(observations).to(self.device).float() * self._scale
        for weight, bias in self._layers[:-1]:
            x = self._activate(functional.linear(x, weight, bias))
        logits = functional.linear(x, *self._layers[-1]).nan_to_num()
        logits = logits.masked_fill(torch.from_numpy(masks).to(self.device) == 0, -torch.inf)
        if self.agent.sample:
            least = torch.from_numpy(self.agent.cuts(observations)).log().float().to(self.device)[:, None]
            logits = logits.masked_fill(logits < logits.max(dim=1, keepdim=True).values + least, -torch.inf)
            logits = logits - torch.empty_like(logits).exponential_(generator=self._generator).log()
        actions: npt.NDArray[np.int64] = logits.argmax(dim=1).cpu().numpy()
        return actions


def on_device(agent: Agent, device: torch.device) -> Agent:
    """Return a `DevicePolicyAgent` for a policy agent if the device is not the CPU; otherwise the agent itself."""
    is_policy = isinstance(agent, PolicyAgent) and type(agent).act_batch is PolicyAgent.act_batch
    return DevicePolicyAgent(agent, device) if is_policy and device.type != "cpu" else agent  # type: ignore[arg-type]
