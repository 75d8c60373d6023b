"""AgileRL's PPO on the 2+0 table, against scripted opponents.

AgileRL's agent uses the observations and the action masks of the Gymnasium vector environment.

    pip install romans-env agilerl
    python examples/agilerl_ppo.py --steps 200000 --folder runs/agilerl
    romans evaluate examples/agilerl_ppo.py:AgileRLAgent:runs/agilerl --against random,greedy
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from agilerl.algorithms import PPO
from gymnasium.spaces import Box
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

import romans_env  # noqa: F401  (registers the environments)
from romans_agents import BatchAgent
from romans_env import View

FILE = "agent.pt"
NETWORKS = {"latent_dim": 128, "encoder_config": {"hidden_size": [128]}, "head_config": {"hidden_size": [128]}}


class Scaled(VectorWrapper[Any, Any, Any]):
    """Scales observations to [-1, 1]; Gymnasium's own observation wrappers refuse the autoreset mode SAME_STEP."""

    def __init__(self, envs: VectorEnv[Any, Any, Any]):
        super().__init__(envs)
        space = envs.single_observation_space
        assert isinstance(space, Box)
        self.scale = 1.0 / np.maximum(np.maximum(np.abs(space.low), np.abs(space.high)), 1).astype(np.float32)
        self.single_observation_space = Box(-1.0, 1.0, space.shape, np.float32)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        observations, info = self.env.reset(**arguments)
        return observations * self.scale, info

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        observations, *others = self.env.step(actions)
        return observations * self.scale, *others


def environment(num_envs: int) -> Scaled:
    """Create many games against `greedy` or `random`, sampled for every game."""
    return Scaled(
        gymnasium.make_vec(
            "RomansGoHome-v0", num_envs, opponents=["greedy", "random"], mix_opponents=True, num_players=2
        )
    )


def learner(envs: Scaled, num_steps: int) -> PPO:
    """Create an untrained PPO agent of AgileRL."""
    return PPO(
        envs.single_observation_space,
        envs.single_action_space,
        net_config=NETWORKS,
        num_envs=envs.num_envs,
        learn_step=num_steps * envs.num_envs,
        batch_size=512,
        lr=1e-3,
        gamma=1.0,  # an episode is short, and its reward at the end
        use_rollout_buffer=True,
    )


class AgileRLAgent(BatchAgent):
    """Plays the checkpoint in a folder, with sampled actions: ``agilerl_ppo.py:AgileRLAgent:FOLDER``."""

    def __init__(self, folder: str):
        self.learner = PPO.load(str(Path(folder) / FILE))
        self.scale = environment(1).scale

    def seed(self, seed: int) -> None:
        torch.manual_seed(seed)

    def act(self, view: View) -> int:
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        actions: npt.NDArray[np.int64] = self.learner.get_action(observations * self.scale, action_mask=masks)[0]
        return actions


@click.command()
@click.option("--steps", default=200_000, show_default=True, help="Decisions of the learner.")
@click.option("--num-envs", default=128, show_default=True, help="Games played at once.")
@click.option("--num-steps", default=32, show_default=True, help="Decisions of each game between updates.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("runs/agilerl"), show_default=True)
@click.option("--seed", default=0, show_default=True)
def main(steps: int, num_envs: int, num_steps: int, folder: Path, seed: int) -> None:
    """Train a policy, and print its mean return during training."""
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002  (AgileRL shuffles with numpy's global generator)
    torch.set_num_threads(1)  # for networks this small a second thread mostly waits
    envs = environment(num_envs)
    agent, started = learner(envs, num_steps), time.monotonic()
    observation, info = envs.reset(seed=seed)
    begins = np.zeros(num_envs)  # whether the observation is the first of a game
    for update in range(1, max(1, steps // (num_steps * num_envs)) + 1):
        # AgileRL's own collect_rollouts marks the decision after which a game ends, but its estimates of advantages
        # expect the mark at the next game's first observation: rewards would not reach earlier decisions.
        buffer, returns = agent.rollout_buffer, []
        buffer.reset()
        for _ in range(num_steps):
            mask = info["action_mask"]
            action, log_prob, _, value = agent.get_action(observation, action_mask=mask)
            following, reward, ended, _, info = envs.step(action)
            buffer.add(
                obs=observation,
                action=action,
                reward=reward,
                done=begins,
                value=value,
                log_prob=log_prob,
                next_obs=following,
                action_mask=mask,
            )
            returns += reward[ended].tolist()  # there is no reward before the end
            observation, begins = following, ended.astype(np.float64)
        value = agent.get_action(observation, action_mask=info["action_mask"])[3]
        buffer.compute_returns_and_advantages(last_value=value, last_done=begins)
        agent.learn()
        decisions, seconds = update * num_steps * num_envs, time.monotonic() - started
        mean = np.mean(returns) if returns else np.nan
        print(f"{decisions:,} decisions, {seconds:.0f} s: mean return {mean:.2f} while exploring", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    agent.save_checkpoint(str(folder / FILE))
    print(f"written: {folder / FILE}")


if __name__ == "__main__":
    main()
