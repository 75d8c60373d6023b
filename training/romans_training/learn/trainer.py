"""Start or resume a training run, with the learner that its settings ask for.

`training_run` is the loop that all learners share; `masked_ppo_run` learns against a pool of opponents, `self_play.run`
in games against itself and a league.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import torch

import romans_agents
import romans_env
from romans_agents import Policy
from romans_agents.permission import Files, allowing
from romans_training.learn.config import TrainConfig
from romans_training.learn.masked_ppo_run import MaskablePPORun
from romans_training.learn.processes import Processes
from romans_training.learn.progress import Report, TrainingProgress, TrainingStopped
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.learn.self_play.run import SelfPlay
from romans_training.learn.torch_networks import ACTIVATION
from romans_training.learn.training_run import TrainingRun
from romans_training.settings import ConfigError

__all__ = ["Report", "TrainingProgress", "TrainingStopped", "resume", "train"]


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
        folder: where the run is stored.
        report: called with the progress after every step of the games.
        should_stop: called between two rollouts; True stops the run.
        files: what the agent specs in the settings may load, as for `romans_agents.make`.

    Returns:
        The trained policy, which is also saved as ``folder.policy``.

    Raises:
        RunFolderError: if the folder holds a run already, or another process trains in it.
        ValueError: if an opponent is unknown, the policy to start from does not fit, or torch lacks the device.
        OSError: if the folder cannot be written.
        TrainingStopped: if ``should_stop`` returned True.
    """
    if config.bfloat16 is None:
        config = dataclasses.replace(config, bfloat16=has_bfloat16())
    with allowing(files):
        run, start = _new_run(config, folder, Processes.of(config.processes)), _starting_policy(config)
        with _locked(folder, run.processes):
            if run.processes.is_first:
                folder.start(config)
                run.begin(start)
            with _all_processes(run, files):
                return run.train(report, should_stop)


def resume(
    folder: RunFolder,
    steps: int | None = None,
    report: Report = lambda progress: None,
    should_stop: Callable[[], bool] = lambda: False,
    minutes: float | None = None,
    files: Files = "policies",
) -> Policy:
    """Continue a run from its last checkpoint.

    A time limit counts the training time up to that checkpoint, not the time that was lost after it. If the run cannot
    be resumed, nothing in the folder is changed.

    Args:
        folder: the folder of the run.
        steps: a new end, in decisions since the start of the run; None keeps the end.
        report: called with the progress after every step of the games.
        should_stop: called between two rollouts; True stops the run.
        minutes: a new end, in minutes of training since the start of the run; not together with ``steps``.
        files: what the agent specs in the run's settings may load, as for `romans_agents.make`; ``"code"`` runs the
            Python files that they name.

    Raises:
        ValueError: if both ``steps`` and ``minutes`` are given.
        romans_agents.UnknownAgentError: if an opponent is missing, or ``files`` does not allow it.
        RunFolderError: if the folder holds no run, another process trains in it, a checkpoint or metrics file is
            damaged, the settings are not those of the checkpoint, or the new end has been passed.
        TrainingStopped: if ``should_stop`` returned True.
    """
    if steps is not None and minutes is not None:
        raise ValueError("a run ends after steps or after minutes, not both")
    config = folder.load_config()
    has_new_end = steps is not None or minutes is not None
    if has_new_end:
        config = dataclasses.replace(config, steps=config.steps if steps is None else steps, minutes=minutes)
    with allowing(files):
        processes = Processes.of(config.processes)
        with _locked(folder, processes):
            folder.check_files()
            run = _new_run(config, folder, processes)
            if processes.is_first:
                _go_on(run)
                if has_new_end and run.decisions:
                    _check_end(run)
                config.save(folder.config)
            with _all_processes(run, files):
                return run.train(report, should_stop)


def _new_run(config: TrainConfig, folder: RunFolder, processes: Processes) -> TrainingRun:
    for spec in (*config.pool, *config.fixed_opponents):  # so that an unknown opponent fails here, not mid-run
        romans_agents.make(spec, game=config.game)
    on_processor = config.device.partition(":")[0] == "cpu"
    kind = MaskablePPORun if on_processor and not config.self_play else SelfPlay
    return kind(config, folder, processes)


def _go_on(run: TrainingRun) -> None:
    """Restore the checkpoint; without one, begin the run again from the same seed."""
    if run.folder.checkpoint.exists():
        run.resume()
    else:
        run.begin(_starting_policy(run.config))


def _locked(folder: RunFolder, processes: Processes) -> contextlib.AbstractContextManager[None]:
    """Return the lock of the folder; only the first process takes it."""
    return folder.locked() if processes.is_first else contextlib.nullcontext()


@contextlib.contextmanager
def _all_processes(run: TrainingRun, files: Files) -> Iterator[None]:
    """Join all processes of a run while the block runs.

    The first one has begun or resumed the run already, and the others follow. They cannot tell by themselves which it
    was: torchrun starts every process afresh, with the same settings.
    """
    about = {"romans-env": romans_env.__version__, "torch": str(torch.__version__), **run.config.as_json()}
    with run.processes.together(about, _train_beside, run.config.as_json(), str(run.folder.path), files):
        decisions = run.processes.of_the_first(run.decisions)
        if not run.processes.is_first and decisions:
            run.resume()
        elif not run.processes.is_first:
            run.begin(_starting_policy(run.config))
        yield


def _train_beside(processes: Processes, settings: dict[str, Any], path: str, files: Files) -> None:
    """Train as one of the processes that the first one has started."""
    config = TrainConfig.from_json(settings)
    with allowing(files), contextlib.suppress(TrainingStopped):
        run = _new_run(config, RunFolder(path), processes)
        with _all_processes(run, files):
            run.train(lambda progress: None, lambda: False)


def _starting_policy(config: TrainConfig) -> Policy | None:
    """Return the policy that ``start_from`` names, if any; raise ConfigError if its network has another shape."""
    if config.start_from is None:
        return None
    policy = romans_agents.policy_of(config.start_from, game=config.game)
    sizes = [tuple(bias.size for _, bias in layers[:-1]) for layers in (policy.pi, policy.vf)]
    if set(sizes) != {config.hidden_layers} or policy.meta["activation"] != ACTIVATION:
        raise ConfigError(
            f"{config.start_from!r} has {policy.meta['activation']} layers of {sizes[0]} for the policy and {sizes[1]} "
            f"for the value; the run has {ACTIVATION} layers of {config.hidden_layers} for both: set hidden_layers"
        )
    return policy


def has_bfloat16() -> bool:
    """Return whether the processor has bfloat16 instructions; without them bfloat16 is emulated, which is slower."""
    capabilities: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()  # releases before 2.11 do not have it
    return any(capabilities.get(name, False) for name in ("avx512_bf16", "amx_bf16"))


def _check_end(run: TrainingRun) -> None:
    config = run.config
    if config.minutes is None and config.steps < run.decisions:
        raise RunFolderError(f"the run has made {run.decisions} decisions already; give a larger number of steps")
    if config.minutes is not None and 60 * config.minutes < run.seconds:
        raise RunFolderError(f"the run has trained for {run.seconds / 60:.1f} minutes already; give more minutes")
