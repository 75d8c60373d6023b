"""sb3-contrib's MaskablePPO with its defaults, except that a rollout of 2,048 decisions comes from eight games."""

from __future__ import annotations

import time
from pathlib import Path

from sb3_contrib import MaskablePPO

from recipes.other_libraries.exported import write_policy
from romans_env.envs.sb3 import RomansVecEnv


def trained(seconds: float, seed: int, folder: Path) -> int:
    """Train for a time in processor seconds, and write the policy into the folder; return the decisions made."""
    end = time.process_time() + seconds
    model = MaskablePPO("MlpPolicy", RomansVecEnv(8, seed=seed), n_steps=256, seed=seed, device="cpu")
    model.learn(2**62, lambda *_: time.process_time() < end)
    layers = model.policy.mlp_extractor
    policy, value = [layers.policy_net, model.policy.action_net], [layers.value_net, model.policy.value_net]
    write_policy(folder, policy, value, "sb3-contrib")
    return model.num_timesteps
