"""Self-play with RLlib's PPO, on one machine or a cluster: both seats of the 2+0 table share one masked network.

RLlib's own ``PettingZooEnv`` wraps the environment without changes; `MaskedNetwork` applies the action mask.

    pip install "romans-env[rllib]"
    python examples/rllib_ppo.py --minutes 5 --env-runners 2 --folder runs/rllib
    romans evaluate examples/rllib_ppo.py:RLlibAgent:runs/rllib --against random,greedy

With ``--address auto`` the same command, on a machine of a Ray cluster, spreads its env runners over the cluster; every
machine needs this package with the extra. docs/training/other_stacks.md reports results.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
import ray
import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env
from torch import nn

import romans_agents
from romans_agents import BatchAgent
from romans_env import Table, View, romans_go_home_v0
from romans_training.cli.evaluate import print_results
from romans_training.measure.evaluation import evaluate

MODULE_IN_CHECKPOINT = "learner_group/learner/rl_module/shared"


class MaskedNetwork(TorchRLModule, ValueFunctionAPI):
    """A masked policy network and a value network of the scaled observation, with two hidden layers each."""

    def setup(self) -> None:
        box = self.observation_space["observation"]
        largest = np.maximum(np.maximum(np.abs(box.low), np.abs(box.high)), 1).astype(np.float32)
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(1.0 / largest))
        self.policy = _layers(len(largest), int(self.action_space.n))
        self.value = _layers(len(largest), 1)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, torch.Tensor]:
        observation = batch[Columns.OBS]
        logits = self.policy(observation["observation"] * self.scale)
        lowest = torch.finfo(logits.dtype).min
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(observation["action_mask"] == 0, lowest)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        return self.value(batch[Columns.OBS]["observation"] * self.scale).squeeze(-1)


def _layers(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, 128),
        nn.ReLU(),
        nn.Linear(128, 128),
        nn.ReLU(),
        nn.Linear(128, outputs),
    )


class RLlibAgent(BatchAgent):
    """Plays the most likely action of a checkpoint's network; the agent spec is ``rllib_ppo.py:RLlibAgent:FOLDER``."""

    def __init__(self, folder: str):
        env = romans_go_home_v0.raw_env()
        self.network = MaskedNetwork(
            observation_space=env.observation_space("player_0"), action_space=env.action_space("player_0")
        )
        self.network.restore_from_path(Path(folder).resolve() / MODULE_IN_CHECKPOINT)

    def act(self, view: View) -> int:
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        batch = {"observation": torch.from_numpy(observations), "action_mask": torch.from_numpy(masks)}
        logits = self.network.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS]
        return logits.argmax(dim=1).numpy()


def algorithm(env_runners: int, batch: int, seed: int) -> PPO:
    """Create RLlib's PPO for the environment without wrappers, which raises an error for illegal actions."""
    register_env("romans_go_home", lambda config: PettingZooEnv(romans_go_home_v0.raw_env(num_players=2)))
    config = (
        PPOConfig()
        .environment("romans_go_home", disable_env_checking=True)  # the check plays illegal actions
        .env_runners(num_env_runners=env_runners, num_envs_per_env_runner=16)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **kwargs: "shared")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedNetwork))
        .training(train_batch_size_per_learner=batch, minibatch_size=min(batch, 512), num_epochs=4, lr=1e-3)
        .training(gamma=1.0, lambda_=0.95, entropy_coeff=0.01, clip_param=0.2)
        .debugging(seed=seed, log_level="ERROR")
    )
    return config.build_algo()


def report(folder: Path, deals: int) -> None:
    """Evaluate the checkpoint on the 2+0 table, and print its share of wins."""
    text = f"{__file__}:RLlibAgent:{folder}"
    opponents = [romans_agents.make("random"), romans_agents.make("greedy")]
    print_results(text, [evaluate(RLlibAgent(str(folder)), [opponent], Table(2, 0), deals) for opponent in opponents])


@click.command()
@click.option("--minutes", type=click.FloatRange(min=0), default=5.0, show_default=True, help="Minutes of training.")
@click.option(
    "--env-runners",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    help="Number of env runners; 0 samples in this process.",
)
@click.option("--address", help="Address of a Ray cluster, or auto.  [default: this machine only]")
@click.option("--batch", type=click.IntRange(min=2), default=4096, show_default=True, help="Decisions per update.")
@click.option("--deals", type=click.IntRange(min=2), default=1000, show_default=True, help="Deals per evaluation.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("runs/rllib"), show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
def main(
    minutes: float, env_runners: int, address: str | None, batch: int, deals: int, folder: Path, seed: int
) -> None:
    """Train for some minutes (at least one update), and evaluate the policy before and after."""
    torch.set_num_threads(1)  # for networks this small a second thread mostly waits
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # otherwise Ray reports its use to its makers
    try:
        ray.init(address=address or "local")
    except (ConnectionError, ValueError) as error:
        raise click.ClickException(f"cannot use the Ray cluster {address!r}: {error}") from None
    ppo = algorithm(env_runners, batch, seed)
    ppo.save_to_path(str(folder.resolve()))
    report(folder, deals)
    started, elapsed = time.monotonic(), -1.0
    while elapsed < 60 * minutes:
        result = ppo.train()
        ppo.save_to_path(str(folder.resolve()))
        elapsed = time.monotonic() - started
        decisions = result["env_runners"]["num_env_steps_sampled_lifetime"]
        print(
            f"{decisions:,.0f} decisions, {elapsed:.0f} s: entropy {result['learners']['shared']['entropy']:.2f}",
            flush=True,
        )
    report(folder, deals)
    ppo.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
