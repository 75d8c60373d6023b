"""Training: sb3-contrib's MaskablePPO on `RomansVecEnv`, with evaluations, checkpoints and exact resuming.

A checkpoint lies between two rollouts and holds the learner, its games in progress and every generator. A run that is
stopped and resumed therefore ends with the very policy it would have reached (with the same number of threads). A run
that ends after so many minutes goes on with what is left of them; how many decisions that makes depends on the machine.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import pickle
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import ConstantSchedule, LinearSchedule, set_random_seed

import agents
from agents import Policy
from agents.errors import in_one_line
from romans_env.envs.sb3 import RomansVecEnv
from training.config import ConfigError, TrainConfig
from training.evaluation import Evaluation
from training.masked_ppo import MaskedPolicy, MaskedRolloutBuffer, optimizer_arguments
from training.networks import exported, policy_arguments
from training.recorder import Recorder, evaluate_policy
from training.run_folder import RunFolder, RunFolderError
from training.starting import give_weights, starting_policy


@dataclass
class Progress:
    """Where a run stands, for whoever shows it.

    Attributes:
        steps: decisions made so far.
        done: the part of the run that is done, from 0 to 1.
        steps_per_second: since this process took the run up, evaluations included.
        evaluations: the newest, one for each opponent.
    """

    steps: int
    done: float
    steps_per_second: float
    evaluations: list[Evaluation] = field(default_factory=list)


Report = Callable[[Progress], None]


class TrainingStopped(Exception):
    """The run was asked to stop; what `resume` goes on from has been saved."""


class _TimeIsUp(Exception):
    """A run with a time budget has come to its end."""


def train(
    config: TrainConfig,
    folder: RunFolder,
    report: Report = lambda progress: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Policy:
    """Start a run in a new folder, and train to its end.

    Args:
        config: the settings.
        folder: where the run is kept.
        report: called after every step of all games.
        should_stop: asked between two rollouts.

    Returns:
        The trained policy, which also lies in ``folder.policy``.

    Raises:
        RunFolderError: the folder holds a run already.
        ConfigError: an opponent that no checkpoint can keep.
        ValueError: an impossible table or unknown opponents.
        TrainingStopped: ``should_stop`` said so.
    """
    if config.self_play:
        return _by_self_play(config, folder, report, should_stop, is_new=True)
    torch.set_num_threads(config.threads)
    model = _new_model(config)
    folder.start(config)
    return _train_to_end(model, config, folder, 0.0, report, should_stop)


def resume(
    folder: RunFolder,
    steps: int | None = None,
    report: Report = lambda progress: None,
    should_stop: Callable[[], bool] = lambda: False,
    minutes: float | None = None,
) -> Policy:
    """Go on with a run from its last checkpoint.

    A time budget counts the training up to that checkpoint; what was lost after it is not counted.

    Args:
        folder: of the run.
        steps: a new end, in decisions from the start; None for the one it was started with.
        report: called after every step of all games.
        should_stop: asked between two rollouts.
        minutes: a new end, in minutes of training from the start; not with ``steps``.

    Raises:
        ValueError: both ends.
        RunFolderError: no run in the folder, a damaged checkpoint, or an end that lies behind.
        TrainingStopped: ``should_stop`` said so.
    """
    if steps is not None and minutes is not None:
        raise ValueError("a run ends after steps or after minutes, not both")
    config = folder.load_config()
    has_new_end = steps is not None or minutes is not None
    if has_new_end:
        config = dataclasses.replace(config, steps=config.steps if steps is None else steps, minutes=minutes)
    if config.self_play:
        return _by_self_play(config, folder, report, should_stop, is_new=False, has_new_end=has_new_end)
    torch.set_num_threads(config.threads)
    if not folder.checkpoint.exists():
        # Stopped before its first checkpoint: begin again, from the same seed.
        if has_new_end:
            config.save(folder.config)
        return _train_to_end(_new_model(config), config, folder, 0.0, report, should_stop)
    for text in (*config.opponents, *config.fixed_opponents):
        agents.make(text)  # the classes of agents from files are there when the games are unpickled
    model_file, rest = folder.load_checkpoint()
    try:
        model = MaskablePPO.load(model_file, env=rest["env"], force_reset=False, device="cpu")
    except Exception as error:
        raise RunFolderError(f"{folder.checkpoint} cannot be loaded: {error}") from error
    seconds = rest.get("seconds", 0.0)
    if has_new_end:
        _check_end(config, model.num_timesteps, seconds)
    _restore_generators(rest["generators"])
    if has_new_end:
        config.save(folder.config)
    return _train_to_end(model, config, folder, seconds, report, should_stop)


def _check_end(config: TrainConfig, steps: int, seconds: float) -> None:
    if config.minutes is None and config.steps < steps:
        raise RunFolderError(f"the run has made {steps} decisions already; its end lies after that")
    if config.minutes is not None and 60 * config.minutes < seconds:
        raise RunFolderError(f"the run has trained for {seconds / 60:.1f} minutes already; its end lies after that")


def _by_self_play(
    config: TrainConfig,
    folder: RunFolder,
    report: Report,
    should_stop: Callable[[], bool],
    is_new: bool,
    has_new_end: bool = False,
) -> Policy:
    # Imported here: it stands on this module.
    from training.self_play.run import SelfPlay

    for text in (*config.opponents, *config.fixed_opponents):
        agents.make(text)  # what cannot be played against is told now
    run = SelfPlay(config, folder)
    begins = is_new or not folder.checkpoint.exists()
    start = starting_policy(config) if begins else None
    if is_new:
        folder.start(config)
    if begins:
        run.begin(start)
    else:
        run.resume()
        if has_new_end:
            _check_end(config, run.decisions, run.seconds)
    config.save(folder.config)
    return run.train(report, should_stop)


def _new_model(config: TrainConfig) -> MaskablePPO:
    # Consecutive seeds of runs must not share games, so the games' seeds are drawn.
    env_seed = int(np.random.SeedSequence(config.seed).generate_state(1)[0])
    env = RomansVecEnv(
        config.num_envs,
        num_players=config.num_players,
        num_neutrals=config.num_neutrals,
        variant=config.variant,
        fort_deck=config.fort_deck,
        warriors=config.warriors,
        line_size=config.line_size,
        num_rounds=config.num_rounds,
        opponents=config.opponents,
        mix_opponents=True,
        reward=config.reward,
        seed=env_seed,
    )
    for text in config.fixed_opponents:
        agents.make(text)  # what cannot be evaluated against is told now
    _check_that_checkpoints_keep(env)
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


def falling_rate(config: TrainConfig) -> LinearSchedule:
    """The learning rate, called with the part of the run that is left."""
    return LinearSchedule(config.learning_rate, config.learning_rate / 10, 1.0)


def _check_that_checkpoints_keep(env: RomansVecEnv) -> None:
    try:
        pickle.dumps(env)
    except Exception as error:  # objects fail to be pickled in many ways
        raise ConfigError(f"an opponent cannot be kept in checkpoints: {in_one_line(error)}") from error


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
        file = io.BytesIO()
        self.model.save(file, exclude=["logger"])
        rest = {"env": self.model.get_env(), "generators": _generators(), "seconds": self.seconds}
        self._folder.save_checkpoint(file.getvalue(), rest)
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
    return {"game": "romans-go-home", "trained_steps": steps, "config": config.as_json()}


def _generators() -> dict[str, Any]:
    # stable-baselines3 shuffles with numpy's global generator.
    shuffling = np.random.get_state()  # noqa: NPY002
    return {"python": random.getstate(), "numpy": shuffling, "torch": torch.get_rng_state()}


def _restore_generators(states: dict[str, Any]) -> None:
    random.setstate(states["python"])
    np.random.set_state(states["numpy"])  # noqa: NPY002
    torch.set_rng_state(states["torch"])
