"""What decides and is no agent of the package: each way to bring one."""

import shutil
from pathlib import Path

import gymnasium
import numpy as np
import sb3_contrib
import stable_baselines3
import torch

import romans_agents
from romans_agents import Policy, network
from romans_env import RomansGoHome, Table
from romans_env.envs.sb3 import RomansVecEnv

RULES = RomansGoHome(Table(2, 0))
LEARNER = {
    "steps": 64,
    "minutes": None,
    "num_envs": 8,
    "rollout_length": 8,
    "minibatch_size": 64,
    "hidden_layers": (8,),
    "threads": 1,
    "evaluation_deals": 2,
}
"""Settings of a response by learning that ends at once."""
BOT = """
class MyBot:
    def act(self, view):
        return view.legal_actions()[0]

def first(view):
    return view.action_name(view.legal_actions()[0])
"""


class Plain:
    """Has an act, and no base class."""

    def act(self, view):
        return view.legal_actions()[0]


def first(view):
    return view.legal_actions()[0]


def logits(observations):
    return np.zeros((len(observations), RULES.num_actions)) - np.arange(RULES.num_actions)


def module():
    torch.manual_seed(1)
    return torch.nn.Linear(RULES.observation_size, RULES.num_actions)


def learners():
    """A model of each learner that can be loaded, untrained."""
    batch = RomansVecEnv(2, opponents=["random"], seed=1)
    single = gymnasium.make("RomansGoHome-v0", opponents=["random"], illegal_actions="replace")
    return {
        "MaskablePPO": sb3_contrib.MaskablePPO("MlpPolicy", batch, n_steps=8, batch_size=16, seed=1),
        "PPO": stable_baselines3.PPO("MlpPolicy", batch, n_steps=8, batch_size=16, seed=1),
        "A2C": stable_baselines3.A2C("MlpPolicy", batch, seed=1),
        "DQN": stable_baselines3.DQN("MlpPolicy", single, buffer_size=100, seed=1),
        "QRDQN": sb3_contrib.QRDQN("MlpPolicy", single, buffer_size=100, seed=1),
    }


def everything(models):
    """What is brought, by how it is called; files are written into the working directory."""
    Path("my_bot.py").write_text(BOT, encoding="utf-8")
    models["MaskablePPO"].save("model.zip")
    shutil.copy(Path(__file__).parents[1] / "recordings" / "policy.npz", "policy.npz")
    return {
        "spec": "greedy",
        "class in a file": "my_bot.py:MyBot",
        "function in a file": "my_bot.py:first",
        "policy file": "policy.npz",
        "path": Path("policy.npz"),
        "zip": "model.zip",
        "sb3 spec": "sb3:model.zip",
        "agent": romans_agents.make("hoarder"),
        "policy": Policy.load("policy.npz"),
        "object": Plain(),
        "function": first,
        "module": module(),
        "network": network(logits),
        "model": models["MaskablePPO"],
        "q-network": models["DQN"],
    }
