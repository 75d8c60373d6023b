"""Writes multilayer perceptrons as a policy file, which needs only numpy to play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from romans_agents.policies.policy import Policy
from romans_env import RomansGoHome
from romans_training.learn.torch_networks import layers_of


def write_policy(folder: Path, policy: list[Any], value: list[Any], library: str) -> None:
    """Write ``policy.npz`` from modules whose linear layers, in order, form tanh networks of unscaled observations."""
    scale = np.ones(len(RomansGoHome.observation_low), np.float32)
    meta = {"game": RomansGoHome.name, "activation": "tanh", "trained_with": library}
    Policy(layers_of(*policy), layers_of(*value), scale, meta).save(folder / "policy.npz")
