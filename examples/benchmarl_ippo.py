"""BenchMARL's IPPO in self-play on the 2+0 table: both seats share a masked network.

In BenchMARL all agents act in every step, but here one seat acts at a time. Therefore `Simultaneous` gives a waiting
seat a single legal action, number 0, which is ignored.

    pip install romans-env benchmarl
    python examples/benchmarl_ippo.py --frames 200000 --folder runs/benchmarl
    romans evaluate examples/benchmarl_ippo.py:BenchMARLAgent:runs/benchmarl --against random,greedy
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
import torch
from benchmarl.algorithms import IppoConfig
from benchmarl.environments.pettingzoo.common import PettingZooClass
from benchmarl.experiment import Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig
from gymnasium.spaces import Box, Dict
from pettingzoo import ParallelEnv
from tensordict import TensorDict
from torchrl.envs import EnvBase, PettingZooWrapper

from romans_agents import BatchAgent
from romans_env import View, romans_go_home_v0

FILE = "policy.pt"
GROUP = "player"
ENVS = 8


class Simultaneous(ParallelEnv):
    """Converts the environment to PettingZoo's parallel API, with observations in [-1, 1]."""

    metadata = {"name": "romans_go_home_parallel"}
    render_mode = None

    def __init__(self) -> None:
        self.env = romans_go_home_v0.raw_env(num_players=2)
        self.possible_agents = list(self.env.possible_agents)
        self.agents: list[str] = []
        space = self.env.observation_space(self.possible_agents[0])
        assert isinstance(space, Dict)
        box = space["observation"]
        assert isinstance(box, Box)
        self.scale: npt.NDArray[np.float32]
        self.scale = 1.0 / np.maximum(np.maximum(np.abs(box.low), np.abs(box.high)), 1).astype(np.float32)
        self.space: Dict = Dict(
            {"observation": Box(-1.0, 1.0, box.shape, np.float32), "action_mask": space["action_mask"]}
        )

    def observation_space(self, agent: str) -> Dict:
        return self.space

    def action_space(self, agent: str) -> Any:
        return self.env.action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        self.env.reset(seed=seed, options=options)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        self.env.step(int(actions[self.env.agent_selection]))
        agents = self.agents
        rewards = {agent: float(self.env.rewards[agent]) for agent in agents}
        ends = {agent: bool(self.env.terminations[agent]) for agent in agents}
        observations = self._observations()
        if all(ends.values()):
            self.agents = []
        return observations, rewards, ends, dict.fromkeys(agents, False), {agent: {} for agent in agents}

    def _observations(self) -> dict[str, Any]:
        found = {}
        for agent in self.possible_agents:
            seen = self.env.observe(agent)
            mask = seen["action_mask"].copy()
            if not mask.any():
                mask[0] = 1
            found[agent] = {"observation": seen["observation"] * self.scale, "action_mask": mask}
        return found


class Task(PettingZooClass):
    """The 2+0 table as a task of BenchMARL."""

    def __init__(self) -> None:
        super().__init__("two_players", {"max_cycles": 200})

    def get_env_fun(
        self, num_envs: int, continuous_actions: bool, seed: int | None, device: Any
    ) -> Callable[[], EnvBase]:
        return lambda: PettingZooWrapper(
            Simultaneous(), categorical_actions=True, device=device, seed=seed, return_state=False
        )

    def supports_discrete_actions(self) -> bool:
        return True

    def has_render(self, env: EnvBase) -> bool:
        return False

    @staticmethod
    def env_name() -> str:
        return "romans_go_home"


def experiment(frames: int, batch: int, folder: Path, seed: int) -> Experiment:
    """Create an untrained experiment of BenchMARL.

    Args:
        frames: the total number of game steps.
        batch: game steps between updates.
        folder: the folder for BenchMARL's files.
        seed: the random seed.
    """
    config = ExperimentConfig.get_from_yaml()
    config.gamma, config.lr = 1.0, 1e-3
    config.max_n_frames, config.on_policy_collected_frames_per_batch = frames, batch
    config.on_policy_n_envs_per_worker, config.on_policy_n_minibatch_iters = ENVS, 4
    config.on_policy_minibatch_size = min(batch, 512)
    config.evaluation = config.render = config.create_json = False
    config.loggers, config.save_folder = [], str(folder)
    model = MlpConfig(num_cells=[128, 128], layer_class=torch.nn.Linear, activation_class=torch.nn.Tanh)
    return Experiment(
        task=Task(),
        algorithm_config=IppoConfig.get_from_yaml(),
        model_config=model,
        critic_model_config=model,
        seed=seed,
        config=config,
    )


class BenchMARLAgent(BatchAgent):
    """Plays the policy in a folder, with sampled actions: ``benchmarl_ippo.py:BenchMARLAgent:FOLDER``."""

    def __init__(self, folder: str):
        self.scale = Simultaneous().scale
        with tempfile.TemporaryDirectory() as own_files:
            made = experiment(ENVS, ENVS, Path(own_files), 0)
            self.policy = made.policy
            made.close()
        self.policy.load_state_dict(torch.load(Path(folder) / FILE, weights_only=True))

    def seed(self, seed: int) -> None:
        torch.manual_seed(seed)

    def act(self, view: View) -> int:
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        # The network takes the observations of both seats, and treats them alike.
        seen = torch.from_numpy(observations * self.scale).unsqueeze(1).expand(-1, 2, -1)
        legal = torch.from_numpy(masks.astype(bool)).unsqueeze(1).expand(-1, 2, -1)
        sizes = [len(masks), 2]
        observed = TensorDict({"observation": seen}, batch_size=sizes)
        group = TensorDict({"observation": observed, "action_mask": legal}, batch_size=sizes)
        with torch.no_grad():
            played = self.policy(TensorDict({GROUP: group}, batch_size=sizes[:1]))
        actions: npt.NDArray[np.int64] = played[GROUP, "action"][:, 0].numpy()
        return actions


@click.command()
@click.option("--frames", default=200_000, show_default=True, help="Steps of the game.")
@click.option("--batch", default=4096, show_default=True, help="Steps of the game between updates.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("runs/benchmarl"), show_default=True)
@click.option("--seed", default=0, show_default=True)
def main(frames: int, batch: int, folder: Path, seed: int) -> None:
    """Train a policy in self-play; BenchMARL shows its progress."""
    torch.set_num_threads(1)  # for networks this small a second thread mostly waits
    folder.mkdir(parents=True, exist_ok=True)
    made = experiment(frames, batch, folder, seed)
    made.run()
    torch.save(made.policy.state_dict(), folder / FILE)
    print(f"written: {folder / FILE}")


if __name__ == "__main__":
    main()
