"""AgileRL's PPO with its defaults, with eight games at once.

This module collects the rollouts itself, because AgileRL's training loop ignores action masks when it learns from its
own rollouts, and with a rollout buffer it marks the ends of games one step away from where its advantage estimates
expect them. AgileRL's network has layers that policy files do not support, so an agent class plays the checkpoint.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from agilerl.algorithms import PPO

import romans_env  # noqa: F401  (registers the environments)
from romans_agents import BatchAgent

_FILE = "agent.pt"
_GAMES = 8


class AgileRLAgent(BatchAgent):
    """Plays the most likely action of the checkpoint in a folder: ``agilerl_ppo.py:AgileRLAgent:FOLDER``."""

    def __init__(self, folder: str):
        torch.set_num_threads(1)
        self.learner = PPO.load(str(Path(folder) / _FILE))
        self.learner.set_training_mode(False)

    @torch.no_grad()
    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        actor = self.learner.actor
        logits = actor.head_net.wrapped(actor.extract_features(self.learner.preprocess_observation(observations)))
        actions: npt.NDArray[np.int64] = np.where(masks, logits.numpy(), -np.inf).argmax(axis=1)
        return actions


def trained(seconds: float, seed: int, folder: Path) -> int:
    """Train for a time in processor seconds, and write the checkpoint into the folder; return the decisions made."""
    end = time.process_time() + seconds
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002  (AgileRL shuffles with numpy's global generator)
    envs = gymnasium.make_vec("RomansGoHome-v0", num_envs=_GAMES)
    agent = PPO(envs.single_observation_space, envs.single_action_space, num_envs=_GAMES, use_rollout_buffer=True)
    observation, info = envs.reset(seed=seed)
    begins, made = np.zeros(_GAMES), 0  # whether the observation is the first of a game
    while not made or time.process_time() < end:
        agent.rollout_buffer.reset()
        for _ in range(agent.learn_step // _GAMES):
            mask = info["action_mask"]
            action, log_prob, _, value = agent.get_action(observation, action_mask=mask)
            following, reward, ended, _, info = envs.step(action)
            step = {"obs": observation, "action": action, "reward": reward, "done": begins, "value": value}
            agent.rollout_buffer.add(**step, log_prob=log_prob, next_obs=following, action_mask=mask)
            observation, begins = following, ended.astype(np.float64)
            made += _GAMES
        value = agent.get_action(observation, action_mask=info["action_mask"])[3]
        agent.rollout_buffer.compute_returns_and_advantages(last_value=value, last_done=begins)
        agent.learn()
    agent.save_checkpoint(str(folder / _FILE))
    return made
