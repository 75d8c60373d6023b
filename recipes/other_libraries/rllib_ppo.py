"""RLlib's PPO with its defaults, and with the action masking module of RLlib's own example.

Not a default: it samples in this process, from eight games. By default RLlib starts two more processes with one game
each.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import ray
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import romans_env  # noqa: F401  (registers the environments)
from recipes.other_libraries.exported import write_policy


class WithMask(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Returns the observation and the action mask as float32, under the names that RLlib's module expects."""

    def __init__(self, env: Any):
        super().__init__(env)
        space, masks = env.observation_space, Box(0.0, 1.0, (env.action_space.n,), np.float32)
        self.observation_space = Dict(
            observations=Box(np.float32(space.low), np.float32(space.high), dtype=np.float32), action_mask=masks
        )

    def observation(self, observation: Any) -> dict[str, Any]:
        mask = self.get_wrapper_attr("action_masks")()
        return {"observations": np.float32(observation), "action_mask": np.float32(mask)}


def trained(seconds: float, seed: int, folder: Path) -> int:
    """Train for a time in processor seconds, and write the policy into the folder; return the decisions made."""
    end = time.process_time() + seconds
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # otherwise Ray reports its use to its makers
    ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False)
    register_env("romans", lambda config: WithMask(gymnasium.make("RomansGoHome-v0", disable_env_checker=True)))
    config = (
        PPOConfig()
        .environment("romans", disable_env_checking=True)  # the check plays illegal actions
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
        .debugging(seed=seed, log_level="ERROR")
    )
    learner, made = config.build_algo(), 0
    while not made or time.process_time() < end:
        made = int(learner.train()["env_runners"]["num_env_steps_sampled_lifetime"])
    (result,) = learner.learner_group.foreach_learner(lambda one: one.module["default_policy"])
    module = result.get()  # the learner's module: the sampling one has no value network
    write_policy(folder, [module.encoder.actor_encoder, module.pi], [module.encoder.critic_encoder, module.vf], "rllib")
    learner.stop()
    ray.shutdown()
    return made
