"""Policies for tests."""

import json
import random
import subprocess
import sys
from typing import Any

import numpy as np

from romans_agents import Policy, PolicyAgent
from romans_env import Game, RomansGoHome
from romans_env.core.games import spec_of
from romans_env.romans_go_home.observation import OBSERVATION_SIZE
from tests.romans_go_home.stages import TABLES, new_game
from tests.tools import decisions

NUM_ACTIONS = RomansGoHome.num_actions


def layer(rng, size, width, scale=0.2):
    return (rng.normal(0, scale, (size, width)).astype(np.float32), rng.normal(0, scale, size).astype(np.float32))


def some_policy(hidden=(7, 5), activation="tanh", seed=1, **meta):
    """A policy of random layers."""
    rng = np.random.default_rng(seed)
    widths = [OBSERVATION_SIZE, *hidden]
    layers = [layer(rng, size, width) for width, size in zip(widths, hidden, strict=False)]
    pi = [*layers, layer(rng, NUM_ACTIONS, widths[-1])]
    vf = [*layers, layer(rng, 1, widths[-1])]
    scale = rng.uniform(0.1, 1.0, OBSERVATION_SIZE).astype(np.float32)
    return Policy(pi, vf, scale, {"game": "romans-go-home", "activation": activation, **meta})


def constant_policy(logits):
    """A policy that gives the same logits to every observation."""
    pi = [(np.zeros((NUM_ACTIONS, OBSERVATION_SIZE), dtype=np.float32), np.asarray(logits, dtype=np.float32))]
    vf = [(np.zeros((1, OBSERVATION_SIZE), dtype=np.float32), np.zeros(1, dtype=np.float32))]
    return Policy(pi, vf, np.ones(OBSERVATION_SIZE, dtype=np.float32), {"activation": "tanh"})


def observed(number=20):
    """Observations and masks of decisions in games at several tables."""
    observations, masks = [], []
    for table in TABLES[::3]:
        for game in decisions(new_game(table, seed=1)):
            view = game.view(game.seat_to_act)
            observations.append(view.observation)
            masks.append(view.action_mask)
    chosen = random.Random(1).sample(range(len(masks)), number)
    return np.array(observations)[chosen], np.array(masks)[chosen]


def fingerprint(policy: Policy) -> list[float]:
    """What a trained policy thinks at six decisions of a random game, by which its file is known.

    For each, the mean number of the action it takes, less the mean of the legal ones, and the value. These follow from
    the weights without a jump, so that they are nearly the same on every processor.
    """
    game, found = Game(spec_of(policy.game).make_rules(), seed=1), []
    for number, _ in zip(range(36), decisions(game, seed=1), strict=False):
        if number % 6 == 5:
            observation, mask = game.observation_and_mask(game.seat_to_act)
            chances = policy.probabilities(observation[None], mask[None])[0] - mask / mask.sum()
            found += [float(chances @ np.arange(len(mask))), float(policy.values(observation[None])[0])]
    return found


def arrays_of(path):
    with np.load(path) as file:
        return {key: file[key] for key in file.files}


WITHOUT_TORCH = """
import importlib, json, sys
for name in ("torch", "stable_baselines3", "sb3_contrib"):
    sys.modules[name] = None
import romans_agents
module, spec, game, settings = sys.argv[1:]
env = importlib.import_module(f"romans_env.{module}").env(**json.loads(settings))
env.reset(seed=1)
player = romans_agents.make(spec, game=game)
for agent in env.agent_iter():
    _, _, termination, _, _ = env.last()
    env.step(None if termination else player.act(env.unwrapped.view(agent)))
print(*sorted(env.unwrapped.record()["result"]["points"]))
"""


def players_of_a_game_without_torch(module: str, spec: str, game: str, **settings: Any) -> list[str]:
    """The players of a whole game that an agent plays in a fresh interpreter, which has no torch."""
    command = [sys.executable, "-c", WITHOUT_TORCH, module, spec, game, json.dumps(settings)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def policy_agent(sample=False, seed=1):
    """A policy with one random layer."""
    agent = PolicyAgent.of(some_policy((), seed=seed), "some policy", sample)
    agent.seed(seed)
    return agent


def random_policy(hidden_layers: tuple[int, ...], seed: int) -> Policy:
    """A policy as training makes it, of drawn weights; its notes name the seed as its training."""
    policy = some_policy(hidden_layers, "relu", seed, trained_steps=seed)
    policy.scale = RomansGoHome().observation_scale
    return policy


def even_agent() -> PolicyAgent:
    """Draws from a small random policy, which makes no action much likelier than others."""
    policy = random_policy((16,), seed=3)
    for weight, _ in policy.pi:
        weight *= 0.25
    agent = PolicyAgent.of(policy, "small", sample=True, cut=0.0)
    agent.seed(1)
    return agent
