"""PPO with TorchRL against scripted opponents on the 2+0 table, many games at once.

TorchRL's ``GymWrapper`` wraps the vector environment without changes, and its ``MaskedCategorical`` samples only legal
actions. The networks are saved as a policy file, which can be used as an agent spec:

    pip install "romans-env[torchrl]"
    python examples/torchrl_ppo.py --minutes 3 --folder runs/torchrl
    romans evaluate runs/torchrl/policy.npz --against random,greedy

docs/training/other_stacks.md reports results.
"""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Any

import click
import gymnasium
import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, DTypeCastTransform, EnvBase, GymWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import romans_agents
from romans_agents.policies.policy import Policy
from romans_agents.policies.policy_file import Layers
from romans_env import RomansGoHome, Table
from romans_training.cli.evaluate import print_results
from romans_training.measure.evaluation import evaluate

LARGEST = np.maximum(np.abs(RomansGoHome.observation_low), np.abs(RomansGoHome.observation_high))
SCALE = (1.0 / np.maximum(LARGEST, 1)).astype(np.float32)


class Scaled(nn.Module):
    """Scales every entry of the observation to about the same size."""

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return observation * torch.from_numpy(SCALE)


def network(outputs: int) -> nn.Sequential:
    """Create a network of the scaled observation with two hidden layers."""
    hidden = (nn.Linear(len(SCALE), 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
    return nn.Sequential(Scaled(), *hidden, nn.Linear(128, outputs))


def environment(num_games: int, seed: int) -> EnvBase:
    """Create games against ``greedy`` or ``random``, with the mask from ``info`` next to the observation."""
    games: Any = gymnasium.make_vec(
        "RomansGoHome-v0", num_envs=num_games, opponents=["greedy", "random"], mix_opponents=True, num_players=2
    )
    env = GymWrapper(games, categorical_action_encoding=True)
    env.append_transform(DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
    env.append_transform(ActionMask())
    env.set_seed(seed)
    return env


def masked_actor(policy: nn.Module) -> ProbabilisticActor:
    """Create an actor that samples legal actions by the logits of ``policy``."""
    return ProbabilisticActor(
        TensorDictModule(policy, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )


def save(folder: Path, policy: nn.Sequential, value: nn.Sequential) -> str:
    """Write ``policy.npz`` into the folder; return its path, which is an agent spec."""
    meta = {"game": RomansGoHome.name, "activation": "relu", "trained_with": "torchrl"}
    Policy(_layers(policy), _layers(value), SCALE, meta).save(folder / "policy.npz")
    return str(folder / "policy.npz")


def _layers(net: nn.Sequential) -> Layers:
    linear = [layer for layer in net if isinstance(layer, nn.Linear)]
    return [(layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()) for layer in linear]


def improve(loss: ClipPPOLoss, optimizer: torch.optim.Optimizer, batch: TensorDict) -> None:
    """Train for two passes over a batch of decisions, in minibatches."""
    for _ in range(2):
        for rows in torch.randperm(len(batch)).split(2048):
            terms = loss(batch[rows])
            optimizer.zero_grad()
            (terms["loss_objective"] + terms["loss_critic"] + terms["loss_entropy"]).backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimizer.step()


def report(text: str, deals: int) -> None:
    """Evaluate an agent on the 2+0 table, and print its share of wins."""
    opponents = [romans_agents.make("random"), romans_agents.make("greedy")]
    print_results(text, [evaluate(romans_agents.make(text), [opponent], Table(2, 0), deals) for opponent in opponents])


@click.command()
@click.option("--minutes", type=click.FloatRange(min=0), default=3.0, show_default=True, help="Minutes of training.")
@click.option("--games", type=click.IntRange(min=1), default=512, show_default=True, help="Games played at once.")
@click.option("--deals", type=click.IntRange(min=2), default=1000, show_default=True, help="Deals per evaluation.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("runs/torchrl"), show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
def main(minutes: float, games: int, deals: int, folder: Path, seed: int) -> None:
    """Train for some minutes (at least one batch), and evaluate the policy before and after."""
    logging.getLogger("torchrl").setLevel(logging.WARNING)
    torch.set_num_threads(1)  # for networks this small a second thread mostly waits
    torch.manual_seed(seed)
    policy, value = network(RomansGoHome.num_actions), network(1)
    report(save(folder, policy, value), deals)
    actor, critic = masked_actor(policy), ValueOperator(value, in_keys=["observation"])
    advantages = GAE(gamma=1.0, lmbda=0.95, value_network=critic, deactivate_vmap=True)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    env, size = environment(games, seed), games * 32
    started = time.monotonic()
    for number, batch in enumerate(
        Collector(env, actor, frames_per_batch=size, auto_register_policy_transforms=False), 1
    ):
        with torch.no_grad():
            advantages(batch)
        improve(loss, optimizer, batch.reshape(-1))
        save(folder, policy, value)
        elapsed = time.monotonic() - started
        won = (batch["next", "reward"] > 0).sum() / batch["next", "done"].sum()
        print(f"{number * size:,} decisions, {elapsed:.0f} s: wins {won:.1%} while exploring", flush=True)
        if elapsed >= 60 * minutes:
            break
        optimizer.param_groups[0]["lr"] = 1e-3 * (1 - elapsed / (60 * minutes))
    report(save(folder, policy, value), deals)


if __name__ == "__main__":
    main()
