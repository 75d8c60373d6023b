"""Rollouts for tests."""

import numpy as np
import torch

from romans_env import RomansGoHome
from romans_training.self_play.learner import Learner
from romans_training.self_play.rollout import Rollout


def rollout_of_two_choices(learner, choices=(0, 1), size=512):
    """One decision a game, between two actions, of which the first one wins and the other loses."""
    rules = RomansGoHome()
    rollout = Rollout(1, size, 4, rules.observation_low, rules.num_actions)
    observations = np.zeros((size, rules.observation_size), dtype=np.int8)
    masks = np.zeros((size, rules.num_actions), dtype=np.int8)
    masks[:, choices] = 1
    decided = learner.decide(observations, masks)
    rewards = np.zeros((size, 4), dtype=np.float32)
    rewards[:, 0] = np.where(decided[0] == choices[0], 1.0, -1.0)
    games, seats = np.arange(size), np.zeros(size, dtype=np.int8)
    rollout.add_turn(games, seats, decided, observations, masks.astype(bool), rewards, np.ones(size, dtype=bool))
    return rollout, observations, masks


def chance_of_the_winner(settings, choices=(0, 1), **weights):
    """The chance of the action that wins after 30 updates, and the figures of the last one."""
    torch.manual_seed(1)
    learner = Learner(RomansGoHome(), settings)
    for _ in range(30):
        rollout, observations, masks = rollout_of_two_choices(learner, choices)
        figures = learner.learn([rollout], 1e-2, **weights)
    actions, logs, _ = learner.decide(observations, masks)
    assert set(actions.tolist()) <= set(choices)
    return float(np.exp(logs[actions == choices[0]][0])), figures
