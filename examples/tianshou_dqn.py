"""Tianshou's DQN on the 2+0 table, against a scripted opponent.

Tianshou's policies expect the action mask in an observation of the form ``{"obs", "mask"}``, which `Masked` returns.

    pip install romans-env tianshou
    python examples/tianshou_dqn.py --epochs 20 --folder runs/tianshou
    romans evaluate examples/tianshou_dqn.py:TianshouAgent:runs/tianshou --against random,greedy
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from gymnasium.spaces import Box, Discrete
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import romans_env  # noqa: F401  (registers the environments)
from romans_agents import BatchAgent
from romans_env import View

FILE = "policy.pt"


class Masked(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Returns the scaled observation together with its action mask."""

    def __init__(self, env: gymnasium.Env[Any, Any]):
        super().__init__(env)
        space, actions = env.observation_space, env.action_space
        assert isinstance(space, Box) and isinstance(actions, Discrete)
        self.scale = 1.0 / np.maximum(np.maximum(np.abs(space.low), np.abs(space.high)), 1).astype(np.float32)
        self.observation_space = gymnasium.spaces.Dict(
            {"obs": Box(-1.0, 1.0, space.shape, np.float32), "mask": gymnasium.spaces.MultiBinary(int(actions.n))}
        )

    def observation(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        return {"obs": observation * self.scale, "mask": self.get_wrapper_attr("action_masks")()}


def environment(opponent: str = "random") -> Masked:
    """Create an environment that plays one game after the other against an agent."""
    return Masked(gymnasium.make("RomansGoHome-v0", opponents=[opponent], num_players=2))


def policy_of(env: Masked) -> DiscreteQLearningPolicy:
    """Create an untrained Q-network policy, which explores with probability 0.1 during training."""
    space, actions = env.observation_space, env.action_space
    assert isinstance(space, gymnasium.spaces.Dict) and isinstance(actions, Discrete)
    net = Net(state_shape=space["obs"].shape, action_shape=int(actions.n), hidden_sizes=[128, 128])
    return DiscreteQLearningPolicy(model=net, action_space=actions, eps_training=0.1)


class TianshouAgent(BatchAgent):
    """Plays the action with the highest value by the policy in a folder: ``tianshou_dqn.py:TianshouAgent:FOLDER``."""

    def __init__(self, folder: str):
        env = environment()
        self.scale, self.policy = env.scale, policy_of(env)
        self.policy.load_state_dict(torch.load(Path(folder) / FILE, weights_only=True))
        self.policy.eval()

    def act(self, view: View) -> int:
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        batch = Batch(obs=Batch(obs=observations * self.scale, mask=masks.astype(bool)), info=Batch())
        with torch.no_grad():
            return np.asarray(self.policy(batch).act, dtype=np.int64)


@click.command()
@click.option("--epochs", default=2, show_default=True, help="Number of epochs.")
@click.option("--epoch-steps", default=4800, show_default=True, help="Decisions of the learner per epoch.")
@click.option("--num-envs", default=16, show_default=True, help="Games played at once.")
@click.option("--test-games", default=50, show_default=True, help="Test games after each epoch.")
@click.option("--opponent", default="random", show_default=True, help="Agent spec of the opponent.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("runs/tianshou"), show_default=True)
@click.option("--seed", default=0, show_default=True)
def main(epochs: int, epoch_steps: int, num_envs: int, test_games: int, opponent: str, folder: Path, seed: int) -> None:
    """Train a Q-network, and print the best mean return in the test games after an epoch."""
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002  (Tianshou explores with numpy's global generator)
    torch.set_num_threads(1)  # for networks this small a second thread mostly waits
    policy = policy_of(environment(opponent))
    algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=200)
    games, others = (DummyVectorEnv([lambda: environment(opponent) for _ in range(num_envs)]) for _ in range(2))
    games.seed(seed)
    others.seed(seed + 1000)
    buffer = VectorReplayBuffer(50_000, num_envs)
    params = OffPolicyTrainerParams(
        training_collector=Collector[CollectStats](algorithm, games, buffer, exploration_noise=True),
        test_collector=Collector[CollectStats](algorithm, others),
        max_epochs=epochs,
        epoch_num_steps=epoch_steps,
        collection_step_num_env_steps=10 * num_envs,
        test_step_num_episodes=test_games,
        update_step_num_gradient_steps_per_sample=0.1,
    )
    print(f"best mean return: {algorithm.run_training(params).best_reward:.2f}")
    folder.mkdir(parents=True, exist_ok=True)
    torch.save(policy.state_dict(), folder / FILE)
    print(f"written: {folder / FILE}")


if __name__ == "__main__":
    main()
