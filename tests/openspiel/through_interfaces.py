"""A game through every environment of the library."""

import warnings

import gymnasium
import numpy as np
import pettingzoo

from romans_agents.external.text_env import make_text_env
from romans_env.core.batch import Batch
from romans_env.core.games import spec_of
from romans_env.core.registration import ANY_GAME
from romans_env.envs.sb3 import RomansVecEnv

LEARNING = (
    *("--steps", "256", "--num-envs", "8", "--rollout-length", "16", "--minibatch-size", "64"),
    *("--hidden-layers", "8", "--evaluation-deals", "2"),
)
STEPS = 20


def play_through_environments(name):
    warnings.simplefilter("ignore")
    rules = spec_of(name).make_rules()
    play_pettingzoo(name)
    batch = Batch(rules, 4)
    batch.start(seed=1)
    for _ in range(STEPS):
        batch.step_randomly()
    assert batch.out.masks.sum(axis=1).min() >= 2
    text = make_text_env(name)
    assert text.title == spec_of(name).title
    if rules.num_players > 1:
        play_gymnasium(name, ["random"] * (rules.num_players - 1))


def play_pettingzoo(name):
    env = pettingzoo.make("aec", ANY_GAME, game=name)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    env = pettingzoo.make("parallel", ANY_GAME, game=name)
    observations, _ = env.reset(seed=1)
    while env.agents:
        masks = {agent: observations[agent]["action_mask"] for agent in env.agents}
        actions = {agent: env.action_space(agent).sample(mask) if mask.any() else 0 for agent, mask in masks.items()}
        observations, *_ = env.step(actions)


def play_gymnasium(name, opponents):
    rng = np.random.default_rng(1)
    env = gymnasium.make(ANY_GAME, game=name, opponents=opponents)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            _, _, terminated, _, info = env.step(env.action_space.sample(info["action_mask"]))
        assert {"points", "won"} <= set(info)
    envs = gymnasium.make_vec(ANY_GAME, num_envs=3, game=name, opponents=opponents)
    _, infos = envs.reset(seed=1)
    for _ in range(STEPS):
        _, rewards, *_, infos = envs.step(chosen(rng, infos["action_mask"]))
    assert rewards.shape == (3,)
    venv = RomansVecEnv(3, game=name, opponents=opponents)
    venv.reset()
    for _ in range(STEPS):
        venv.step(chosen(rng, venv.action_masks()))


def chosen(rng, masks):
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
