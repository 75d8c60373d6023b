"""Training: sb3-contrib's MaskablePPO on `RomansVecEnv`, with evaluations, checkpoints and exact resuming.

A checkpoint is taken between two rollouts and holds the learner, its games in progress and every generator. A run that
is stopped and resumed therefore ends with the very policy it would have reached (with the same number of threads).
Opponents that play in Python are not part of it: they are seeded anew for every rollout. A run that ends after so many
minutes goes on with what is left of them; how many decisions that makes depends on the machine.
"""

from __future__ import annotations

import contextlib
import dataclasses
import random
import time
from collections import deque
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import ConstantSchedule, set_random_seed

import romans_agents
from romans_agents import Agent, Policy
from romans_agents.permission import Files, allowing
from romans_env.engine.saved_games import restore_arrays
from romans_env.envs.sb3 import RomansVecEnv
from romans_env.games import rules_of
from romans_training.config import TrainConfig
from romans_training.evaluation import Evaluation
from romans_training.masked_ppo import MaskedPolicy, MaskedRolloutBuffer, optimizer_arguments
from romans_training.networks import exported, policy_arguments
from romans_training.progress import Progress, Report, TrainingStopped, falling_rate
from romans_training.recorder import Recorder, evaluate_policy
from romans_training.run_folder import RunFolder, RunFolderError
from romans_training.self_play.run import SelfPlay
from romans_training.starting import give_weights, starting_policy

__all__ = ["Progress", "Report", "TrainingStopped", "resume", "train"]


class _TimeIsUp(Exception):
    """A run with a time budget has come to its end."""


def train(
    config: TrainConfig,
    folder: RunFolder,
    report: Report = lambda progress: None,
    should_stop: Callable[[], bool] = lambda: False,
    files: Files = "code",
) -> Policy:
    """Start a run in a new folder, and train to its end.

    Args:
        config: the settings.
        folder: where the run is kept.
        report: called after every step of all games.
        should_stop: asked between two rollouts.
        files: what the agent specs in the settings may load, as for `romans_agents.make`.

    Returns:
        The trained policy, which is also in ``folder.policy``.

    Raises:
        RunFolderError: the folder holds a run already, or another process trains in it.
        ValueError: an impossible table or unknown opponents.
        OSError: the folder cannot be written.
        TrainingStopped: ``should_stop`` said so.
    """
    with allowing(files):
        if config.self_play:
            return _by_self_play(config, folder, report, should_stop)
        torch.set_num_threads(config.threads)
        model = _new_model(config)
        with folder.locked():
            folder.start(config)
            return _train_to_end(model, config, folder, 0.0, report, should_stop)


def resume(
    folder: RunFolder,
    steps: int | None = None,
    report: Report = lambda progress: None,
    should_stop: Callable[[], bool] = lambda: False,
    minutes: float | None = None,
    files: Files = "policies",
) -> Policy:
    """Go on with a run from its last checkpoint.

    A time budget counts the training up to that checkpoint; what was lost after it is not counted. When the run is
    refused, nothing in the folder is changed.

    Args:
        folder: of the run.
        steps: a new end, in decisions from the start; None for the one it was started with.
        report: called after every step of all games.
        should_stop: asked between two rollouts.
        minutes: a new end, in minutes of training from the start; not with ``steps``.
        files: what the agent specs in the run's settings may load, as for `romans_agents.make`; ``"code"`` runs the
            Python files that they name.

    Raises:
        ValueError: both ends.
        romans_agents.UnknownAgentError: an opponent that is gone, or that ``files`` does not allow.
        RunFolderError: no run in the folder, one that another process trains, a damaged checkpoint or table, settings
            that are not those of the checkpoint, or an end that lies behind.
        TrainingStopped: ``should_stop`` said so.
    """
    if steps is not None and minutes is not None:
        raise ValueError("a run ends after steps or after minutes, not both")
    config = folder.load_config()
    has_new_end = steps is not None or minutes is not None
    if has_new_end:
        config = dataclasses.replace(config, steps=config.steps if steps is None else steps, minutes=minutes)
    with allowing(files), folder.locked():
        folder.check_tables()
        if config.self_play:
            return _resume_self_play(config, folder, has_new_end, report, should_stop)
        torch.set_num_threads(config.threads)
        is_begun = folder.checkpoint.exists()
        # Stopped before its first checkpoint, a run begins again, from the same seed.
        model, seconds = _restored_model(config, folder) if is_begun else (_new_model(config), 0.0)
        if is_begun and has_new_end:
            _check_end(config, model.num_timesteps, seconds)
        config.save(folder.config)
        return _train_to_end(model, config, folder, seconds, report, should_stop)


def _check_end(config: TrainConfig, steps: int, seconds: float) -> None:
    if config.minutes is None and config.steps < steps:
        raise RunFolderError(f"the run has made {steps} decisions already; its end lies after that")
    if config.minutes is not None and 60 * config.minutes < seconds:
        raise RunFolderError(f"the run has trained for {seconds / 60:.1f} minutes already; its end lies after that")


def _by_self_play(config: TrainConfig, folder: RunFolder, report: Report, should_stop: Callable[[], bool]) -> Policy:
    _make_opponents(config)
    run, start = SelfPlay(config, folder), starting_policy(config)
    with folder.locked():
        folder.start(config)
        run.begin(start)
        return run.train(report, should_stop)


def _resume_self_play(
    config: TrainConfig, folder: RunFolder, has_new_end: bool, report: Report, should_stop: Callable[[], bool]
) -> Policy:
    _make_opponents(config)
    run = SelfPlay(config, folder)
    if folder.checkpoint.exists():
        run.resume()
        if has_new_end:
            _check_end(config, run.decisions, run.seconds)
    else:
        run.begin(starting_policy(config))
    config.save(folder.config)
    return run.train(report, should_stop)


def _make_opponents(config: TrainConfig) -> list[Agent]:
    """The agents of the pool; those of the evaluations are tried, too, so that a wrong one is told at the start."""
    for spec in config.fixed_opponents:
        romans_agents.make(spec, game=config.game)
    return [romans_agents.make(spec, game=config.game) for spec in config.pool]


def _restored_model(config: TrainConfig, folder: RunFolder) -> tuple[MaskablePPO, float]:
    """The model of the checkpoint, and the seconds that it has trained."""
    learner, state = folder.load_checkpoint(config)
    # Its weights come from the checkpoint: the policy that it once started from may be gone.
    model = _new_model(dataclasses.replace(config, start_from=None))
    try:
        model.policy.load_state_dict(learner["policy"])
        model.policy.optimizer.load_state_dict(learner["optimizer"])
        env = cast(RomansVecEnv, model.get_env())
        env.restore(state["env"])
        shape = (env.num_envs, *cast("tuple[int, ...]", env.observation_space.shape))
        last = {
            "observations": np.empty(shape, dtype=env.observation_space.dtype),
            "episode_starts": np.empty(env.num_envs, dtype=np.bool_),
        }
        restore_arrays(last, {name: state[name] for name in last})
        model._last_obs, model._last_episode_starts = last["observations"], last["episode_starts"]
        model.num_timesteps, model._n_updates = int(state["steps"]), int(state["updates"])
        model._current_progress_remaining = float(state["progress_remaining"])
        model.ep_info_buffer, model.ep_success_buffer = deque(maxlen=1), deque(maxlen=1)
        _restore_generators(state["generators"])
        return model, float(state["seconds"])
    except Exception as error:  # what does not fit fails in torch, numpy and here
        raise folder.cannot_go_on(error) from None


def _new_model(config: TrainConfig) -> MaskablePPO:
    # Consecutive seeds of runs must not share games, so the games' seeds are drawn.
    env_seed = int(np.random.SeedSequence(config.seed).generate_state(1)[0])
    env = RomansVecEnv(
        config.num_envs,
        rules=rules_of(config.table),
        opponents=_make_opponents(config),
        mix_opponents=True,
        reward=config.reward,
        seed=env_seed,
    )
    start = starting_policy(config)
    set_random_seed(config.seed)
    model = MaskablePPO(
        MaskedPolicy,
        env,
        n_steps=config.rollout_length,
        batch_size=config.minibatch_size,
        n_epochs=config.epochs,
        learning_rate=falling_rate(config),
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        ent_coef=config.entropy,
        policy_kwargs=policy_arguments(config.hidden_layers) | optimizer_arguments(),
        rollout_buffer_class=MaskedRolloutBuffer,
        device="cpu",
    )
    if start is not None:
        give_weights(model.policy, start)
    return model


def _train_to_end(
    model: MaskablePPO,
    config: TrainConfig,
    folder: RunFolder,
    seconds: float,
    report: Report,
    should_stop: Callable[[], bool],
) -> Policy:
    model.set_logger(Logger(folder=None, output_formats=[]))
    with contextlib.closing(Recorder(config, folder, model.num_timesteps)) as recorder:
        keeper = _Keeper(config, folder, recorder, model, seconds, report, should_stop)
        if not keeper.is_at_end:
            remaining = config.steps - model.num_timesteps if config.minutes is None else _WITHOUT_END
            with contextlib.suppress(_TimeIsUp):
                model.learn(remaining, callback=keeper, log_interval=None, reset_num_timesteps=model.num_timesteps == 0)
            keeper.note_rollout()
            keeper.save_checkpoint()
        if not recorder.has_evaluated(model.num_timesteps):
            keeper.evaluate()
        recorder.write_summary()
    policy = exported(model, _meta(config, model.num_timesteps))
    policy.save(folder.policy)
    return policy


_WITHOUT_END = 2**62
"""Steps of a run that ends by the clock."""


_LOSSES = ("value_loss", "approx_kl", "clip_fraction", "explained_variance", "learning_rate")
"""Names that stable-baselines3 and the table of metrics have in common."""


class _Keeper(BaseCallback):
    """Reports progress, has it noted, evaluates, saves checkpoints between rollouts, and keeps the time.

    Args:
        model: the learner, before it learns.
        seconds: of training before this process.
    """

    def __init__(
        self,
        config: TrainConfig,
        folder: RunFolder,
        recorder: Recorder,
        model: MaskablePPO,
        seconds: float,
        report: Report,
        should_stop: Callable[[], bool],
    ):
        super().__init__()
        self.model = model
        self._config, self._folder, self._recorder = config, folder, recorder
        self._report, self._should_stop = report, should_stop
        self._seconds_before = seconds
        self._started = time.perf_counter()
        self._first_step = -1
        self._rollout_started = 0.0
        self._games: list[dict[str, float]] = []
        """Return and length of those that ended in this rollout."""
        self._newest: list[Evaluation] = []

    @property
    def seconds(self) -> float:
        """Of training from the start of the run, evaluations included."""
        return self._seconds_before + time.perf_counter() - self._started

    @property
    def done(self) -> float:
        """The part of the run that is done; 1 or more at its end."""
        return self._config.part_done(self.model.num_timesteps, self.seconds)

    @property
    def is_at_end(self) -> bool:
        """Whether there is nothing left to train."""
        return self.model.num_timesteps > 0 and self.done >= 1

    def _on_step(self) -> bool:
        if self._first_step < 0:
            self._first_step = self.num_timesteps
        infos = self.locals["infos"]
        self._games += [infos[i]["episode"] for i in np.flatnonzero(self.locals["dones"])]
        self._tell()
        return True

    def _on_rollout_start(self) -> None:
        self.note_rollout()
        self._between_rollouts()
        # A function of the settings and of the decisions made: a resumed run draws the same.
        seed = np.random.SeedSequence([self._config.seed, self.model.num_timesteps]).generate_state(1)[0]
        cast(RomansVecEnv, self.model.get_env()).seed_opponents(int(seed))
        self._rollout_started = self.seconds

    def _between_rollouts(self) -> None:
        stops = self._should_stop()
        before = self.model.num_timesteps - self._config.rollout_size
        if before >= 0 and (stops or self._passed(before, self._config.checkpoint_every)):
            self.save_checkpoint()
        if stops:
            self._recorder.write_summary()
            raise TrainingStopped
        if before < 0:
            return
        steps = self.model.num_timesteps
        if self._passed(before, self._config.evaluate_every) and not self._recorder.has_evaluated(steps):
            self.evaluate()
        if self._config.minutes is not None and self.is_at_end:
            raise _TimeIsUp

    def _on_rollout_end(self) -> None:
        if self._config.minutes is not None:
            # The learning rate falls with the time; the number of decisions still to come is not known.
            falling = falling_rate(self._config)
            self.model.lr_schedule = ConstantSchedule(falling(1.0 - min(1.0, self.done)))

    def note_rollout(self) -> None:
        """Note the metrics of the last rollout and what was learned from it, if that has not been done."""
        logged = self.model.logger.name_to_value
        if "train/value_loss" not in logged:
            return
        seconds, games = self.seconds, len(self._games)
        metrics: dict[str, float | None] = {
            "steps_per_second": round(self._config.rollout_size / max(seconds - self._rollout_started, 1e-9), 1),
            "games": games,
            "mean_return": sum(game["r"] for game in self._games) / games if games else None,
            "mean_length": sum(game["l"] for game in self._games) / games if games else None,
            "policy_loss": float(logged["train/policy_gradient_loss"]),
            "entropy": -float(logged["train/entropy_loss"]),
        }
        metrics |= {name: float(logged[f"train/{name}"]) for name in _LOSSES}
        self._recorder.note_metrics(self.model.num_timesteps, seconds, metrics)
        self.model.logger.dump()
        self._games = []

    def _passed(self, before: int, every: int) -> bool:
        return before // every < self.model.num_timesteps // every

    def save_checkpoint(self) -> None:
        """Keep everything that decides how the run goes on."""
        model, policy = self.model, self.model.policy
        learner = {"policy": policy.state_dict(), "optimizer": policy.optimizer.state_dict()}
        state = {
            "env": cast(RomansVecEnv, model.get_env()).saved(),
            "observations": model._last_obs,
            "episode_starts": model._last_episode_starts,
            "steps": model.num_timesteps,
            "updates": model._n_updates,
            "progress_remaining": model._current_progress_remaining,
            "generators": _generators(),
            "seconds": self.seconds,
        }
        self._folder.save_checkpoint(self._config, learner, state)
        exported(self.model, _meta(self._config, self.model.num_timesteps)).save(self._folder.policy)

    def evaluate(self) -> None:
        """Measure the policy against every opponent of the pool, on the same deals every time."""
        generators = _generators()
        steps = self.model.num_timesteps
        policy = exported(self.model, _meta(self._config, steps))
        if self._config.keep_policies:
            policy.save(self._folder.policy_after(steps))
        self._newest = evaluate_policy(policy, self._config)
        _restore_generators(generators)
        self._recorder.note_evaluations(steps, self._newest)
        self._tell()

    def _tell(self) -> None:
        elapsed = max(time.perf_counter() - self._started, 1e-9)
        made = self.model.num_timesteps - max(self._first_step, 0)
        self._report(Progress(self.model.num_timesteps, min(1.0, self.done), made / elapsed, self._newest))


def _meta(config: TrainConfig, steps: int) -> dict[str, Any]:
    return {"game": config.game, "trained_steps": steps, "config": config.as_json()}


def _generators() -> dict[str, Any]:
    """The states of the global generators, as plain values and arrays."""
    version, words, gauss = random.getstate()
    # stable-baselines3 shuffles with numpy's global generator.
    shuffling = np.random.get_state(legacy=False)  # noqa: NPY002
    return {"python": [version, words, gauss], "numpy": shuffling, "torch": torch.get_rng_state().numpy()}


def _restore_generators(states: dict[str, Any]) -> None:
    version, words, gauss = states["python"]
    random.setstate((version, tuple(words), gauss))
    np.random.set_state(states["numpy"])  # noqa: NPY002
    torch.set_rng_state(torch.from_numpy(states["torch"]))
