"""A run of sb3-contrib's MaskablePPO on `RomansVecEnv`, against a pool of opponents.

Opponents that play in Python are not stored in a checkpoint; instead they are reseeded for every rollout.
"""

from __future__ import annotations

from collections import deque
from typing import Any, cast

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import ConstantSchedule, set_random_seed

import romans_agents
from romans_agents import Policy
from romans_env.engine.saved_games import restore_arrays
from romans_env.envs.sb3 import RomansVecEnv
from romans_training.learn.config import TrainConfig
from romans_training.learn.masked_ppo import MaskedPolicy, MaskedRolloutBuffer, optimizer_arguments
from romans_training.learn.processes import ALONE, Processes
from romans_training.learn.progress import falling_rate
from romans_training.learn.reward_of import reward_of
from romans_training.learn.run_folder import RunFolder
from romans_training.learn.torch_networks import exported, give_weights, policy_arguments
from romans_training.learn.training_run import TrainingRun, global_generators, restore_global_generators

_LOSSES = {
    "policy_loss": "policy_gradient_loss",
    "entropy": "entropy_loss",
    "value_loss": "value_loss",
    "approx_kl": "approx_kl",
    "clip_fraction": "clip_fraction",
    "explained_variance": "explained_variance",
}
"""The metrics, mapped to the names that stable-baselines3 logs them under; it logs the entropy with a negative sign."""


class MaskablePPORun(TrainingRun):
    """A run of MaskablePPO against a pool of opponents."""

    def __init__(self, config: TrainConfig, folder: RunFolder, processes: Processes = ALONE):
        super().__init__(config, folder, processes)
        torch.set_num_threads(config.threads)
        share = processes.share(config)
        # Game i has the seed base + i, whatever the number of processes. The base is drawn, because runs with
        # consecutive seeds would otherwise share most of their games.
        env_seed = int(np.random.SeedSequence(config.seed).generate_state(1)[0]) + processes.rank * share.num_envs
        self._env = RomansVecEnv(
            share.num_envs,
            rules=config.rules,
            opponents=[romans_agents.make(spec, game=config.game) for spec in config.pool],
            mix_opponents=True,
            reward=reward_of(config.reward),
            seed=env_seed,
        )
        self._env.begin_at_positions(config.restarts, env_seed)
        set_random_seed(config.seed)
        self.model = MaskablePPO(
            MaskedPolicy,
            self._env,
            n_steps=config.rollout_length,
            batch_size=share.minibatch_size,
            n_epochs=config.epochs,
            learning_rate=config.learning_rate,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            ent_coef=config.entropy,
            policy_kwargs=policy_arguments(config.hidden_layers, config.rules.observation_scale)
            | optimizer_arguments(),
            rollout_buffer_class=MaskedRolloutBuffer,
            rollout_buffer_kwargs={"processes": processes},
            normalize_advantage=False,
            device="cpu",
        )
        cast("MaskedPolicy", self.model.policy).in_bfloat16 = bool(config.bfloat16)
        processes.train_alike(self.model.policy.parameters())
        if not processes.is_first:
            # Up to here all processes drew the same initial weights; from here on their random numbers differ.
            set_random_seed(processes.own_seed(config.seed))
        self.model.set_logger(Logger(folder=None, output_formats=[]))
        self._callback: Any = _EndedGames(self._report)

    @property
    def decisions(self) -> int:
        return int(self.model.num_timesteps) * self.processes.count

    def begin(self, start: Policy | None) -> None:
        if start is not None:
            give_weights(self.model.policy, start)
        self._set_up()

    def policy(self) -> Policy:
        return exported(self.model, self._meta())

    def _iterate(self) -> dict[str, float | None]:
        model, config = self.model, self.config
        # Derived from the settings and the number of decisions, so that a resumed run draws the same.
        seed = np.random.SeedSequence([config.seed, self.decisions]).generate_state(1)[0]
        self._env.seed_opponents(self.processes.own_seed(int(seed)))
        self._callback.games.clear()
        model.collect_rollouts(self._env, self._callback, model.rollout_buffer, config.rollout_length)
        rate = falling_rate(config)(1.0 - self._done_for_all())
        model.lr_schedule = ConstantSchedule(rate)
        model.train()
        ended, logged = self._callback.games, model.logger.name_to_value
        own = [len(ended), sum(game["r"] for game in ended), sum(game["l"] for game in ended)]
        games, total_return, total_length = self.processes.gather(own).sum(axis=0).tolist()
        # All processes learned from the same number of decisions, so the mean needs no weights.
        losses = self.processes.gather([float(logged[f"train/{name}"]) for name in _LOSSES.values()]).mean(axis=0)
        metrics = {
            "games": int(games),
            "mean_return": total_return / games if games else None,
            "mean_length": total_length / games if games else None,
            **dict(zip(_LOSSES, losses.tolist(), strict=True)),
            "learning_rate": rate,
        }
        model.logger.dump()
        return metrics | {"entropy": -metrics["entropy"]}

    def _state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        model = self.model
        return {"policy": model.policy.state_dict(), "optimizer": model.policy.optimizer.state_dict()}, {
            "env": self._env.saved(),
            "observations": model._last_obs,
            "episode_starts": model._last_episode_starts,
            "steps": model.num_timesteps,
            "updates": model._n_updates,
            "generators": global_generators(),
        }

    def _restore(self, learner: dict[str, Any], state: dict[str, Any]) -> None:
        model, env = self.model, self._env
        model.policy.load_state_dict(learner["policy"])
        model.policy.optimizer.load_state_dict(learner["optimizer"])
        env.restore(state["env"])
        shape = (env.num_envs, *cast("tuple[int, ...]", env.observation_space.shape))
        last = {
            "observations": np.empty(shape, dtype=env.observation_space.dtype),
            "episode_starts": np.empty(env.num_envs, dtype=np.bool_),
        }
        restore_arrays(last, {name: state[name] for name in last})
        model._last_obs, model._last_episode_starts = last["observations"], last["episode_starts"]
        model.num_timesteps, model._n_updates = int(state["steps"]), int(state["updates"])
        model.ep_info_buffer, model.ep_success_buffer = deque(maxlen=1), deque(maxlen=1)
        self._set_up()
        restore_global_generators(state["generators"])

    def _set_up(self) -> None:
        """Set the model up as ``learn`` does before its first rollout, without resetting games in progress."""
        is_new = self.model.num_timesteps == 0
        _, self._callback = self.model._setup_learn(self.config.steps, self._callback, reset_num_timesteps=is_new)


class _EndedGames(BaseCallback):
    """Reports every step, and collects the return and length of games that end, except games begun mid-way."""

    def __init__(self, report: Any):
        super().__init__()
        self.games: list[dict[str, float]] = []
        self._report = report

    def _on_step(self) -> bool:
        ended = [self.locals["infos"][i] for i in np.flatnonzero(self.locals["dones"])]
        self.games += [info["episode"] for info in ended if "restarted" not in info]
        self._report()
        return True
