"""Writes networks of plain layers as a policy file, which plays with numpy alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from romans_agents.policy import Policy
from romans_agents.policy_file import Layers
from romans_env import RomansGoHome


def write_policy(folder: Path, policy: list[Any], value: list[Any], library: str) -> None:
    """Write ``policy.npz``, of modules with linear layers, in order, of tanh networks over plain observations."""
    scale = np.ones(len(RomansGoHome.observation_low), np.float32)
    meta = {"game": RomansGoHome.name, "activation": "tanh", "trained_with": library}
    Policy(_layers(policy), _layers(value), scale, meta).save(folder / "policy.npz")


def _layers(parts: list[Any]) -> Layers:
    linear = [layer for part in parts for layer in part.modules() if isinstance(layer, nn.Linear)]
    return [(layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()) for layer in linear]
