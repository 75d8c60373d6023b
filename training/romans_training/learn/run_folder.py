"""The folder of a training run and its files; each is written atomically.

| file | |
|---|---|
| ``config.json`` | the settings |
| ``provenance.json`` | for every start: command line, git revision, versions, machine, seeds |
| ``checkpoint.zip`` | the learner, its games in progress and all random generators: ``--resume`` continues from it |
| ``policy.npz`` | the latest exported policy; plays without torch |
| ``policies/`` | with ``keep_policies``: the policy of every evaluation, ``STEPS.npz`` |
| ``metrics.csv`` | losses, speed and so on, one row per rollout |
| ``evaluations.csv`` | the evaluations, one row per evaluation and fixed opponent |
| ``summary.html``, ``summary.png`` | the run on a page, and its learning curve |
| ``tensorboard/`` | TensorBoard's files |
| ``league.json`` | self-play: the members of the league, when they joined, and all results (`self_play.league`) |
| ``league/`` | self-play: the policies of the league |
| ``run.lock`` | locked by the process that trains |
| ``average.npz`` | self-play: the running average of the policy |
| ``response.npz``, ``exploit.json`` | ``romans exploit``: the best response found, and its results |
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.files import json_of, read_text, write_text
from romans_env.errors import UserError, in_one_line, shortened
from romans_training.learn.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from romans_training.learn.config import TrainConfig
from romans_training.learn.metrics_file import read_rows
from romans_training.learn.provenance import checked_notes
from romans_training.settings import ConfigError

_ADVICE = "delete it, and --resume starts the run again with its settings and seed"


class RunFolderError(UserError, ValueError):
    """A run folder that cannot be used as asked; the message says what to do."""


class RunFolder:
    """The paths and files of the run folder at ``path``."""

    def __init__(self, path: str | Path):
        self.path = Path(path)
        self.config = self.path / "config.json"
        self.provenance = self.path / "provenance.json"
        self.checkpoint = self.path / "checkpoint.zip"
        self.policy = self.path / "policy.npz"
        self.policies = self.path / "policies"
        self.metrics = self.path / "metrics.csv"
        self.evaluations = self.path / "evaluations.csv"
        self.summary = self.path / "summary.html"
        self.curve = self.path / "summary.png"
        self.tensorboard = self.path / "tensorboard"
        self.league = self.path / "league.json"
        self.average = self.path / "average.npz"
        self.response = self.path / "response.npz"
        self.report = self.path / "exploit.json"

    def policy_after(self, steps: int) -> Path:
        """Return the path of the policy that was evaluated after ``steps`` decisions."""
        return self.policies / f"{steps}.npz"

    def league_policy(self, kind: str, steps: int) -> Path:
        """Return the path of the policy that joined the league after ``steps`` decisions."""
        return self.path / "league" / f"{kind}-{steps}.npz"

    def start(self, config: TrainConfig) -> None:
        """Create the folder for a new run and write the run's settings.

        Raises:
            RunFolderError: if the folder holds a run already, or cannot be created.
        """
        if self.config.exists():
            raise RunFolderError(f"{self.path} holds a run; continue it with --resume, or give another --folder")
        self._make()
        config.save(self.config)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Create the folder, and lock it against other processes while the block runs.

        The lock is the operating system's, so a process that is killed leaves none behind.

        Raises:
            RunFolderError: if another process trains in the folder, or the folder is not writable.
        """
        # Imported here because commands that do not train import this module, too, for its errors.
        from filelock import FileLock, Timeout

        self._make()
        lock = FileLock(self.path / "run.lock")
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise RunFolderError(f"another process is training in {self.path}; wait for it or stop it") from None
        except OSError as error:
            raise RunFolderError(f"cannot write in the run folder {self.path}: {error.strerror}") from None
        try:
            yield
        finally:
            lock.release()

    def _make(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunFolderError(f"cannot create the run folder {self.path}: {error.strerror}") from None

    def check_files(self) -> None:
        """Check that the metrics and the provenance can be read, because a resumed run appends to them.

        Raises:
            RunFolderError: if the provenance file is damaged.
            romans_training.learn.metrics_file.MetricsFileError: if a metrics file is damaged.
        """
        self.load_starts()
        self.load_metrics()
        self.load_evaluations()

    def load_config(self) -> TrainConfig:
        """Return the settings of the run; raise RunFolderError if the folder holds no run."""
        if not self.config.exists():
            raise RunFolderError(f"{self.path} holds no run to resume")
        return TrainConfig.load(self.config)

    def load_starts(self) -> list[dict[str, Any]]:
        """Return the notes on all starts of the run, oldest first; an empty list if there is no file.

        Raises:
            RunFolderError: if the file cannot be read, or does not hold notes of `provenance.start_note`.
        """
        name = in_one_line(self.provenance)
        try:
            return checked_notes(json_of(read_text(self.provenance)))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise RunFolderError(f"cannot read {name}: {in_one_line(error.strerror)}") from None
        except ValueError as error:
            raise RunFolderError(f"{name} is damaged ({in_one_line(error)}); move it away to continue") from None

    def add_start(self, note: dict[str, Any]) -> None:
        """Append a note to the log of starts. Raises RunFolderError like `load_starts`, writing nothing."""
        write_text(self.provenance, json.dumps({"starts": [*self.load_starts(), note]}, indent=2) + "\n")

    def save_checkpoint(self, config: TrainConfig, learner: dict[str, Any], state: dict[str, Any]) -> None:
        """Write a checkpoint that also holds the settings; arguments as for `checkpoint.save_checkpoint`."""
        save_checkpoint(self.checkpoint, learner, {"config": config.as_json(), **state})

    def load_checkpoint(self, config: TrainConfig) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the learner and the state that `save_checkpoint` wrote.

        Args:
            config: the settings of the run; ``steps`` and ``minutes`` may differ from the checkpoint's.

        Raises:
            RunFolderError: if the checkpoint is damaged, or belongs to a run with other settings.
        """
        try:
            learner, state = load_checkpoint(self.checkpoint)
        except (CheckpointError, OSError) as error:
            raise RunFolderError(f"{self.checkpoint} is not a whole checkpoint: {error}; {_ADVICE}") from None
        try:
            # Settings that a checkpoint of an earlier version does not have get their defaults.
            noted, wanted = TrainConfig.from_json(state.get("config")).as_json(), config.as_json()
        except ConfigError as error:
            raise RunFolderError(f"{self.checkpoint} is not a whole checkpoint: {error}; {_ADVICE}") from None
        changed = [name for name in wanted if name not in ("steps", "minutes") and noted[name] != wanted[name]]
        if changed:
            raise RunFolderError(
                f"{self.config} has another {', '.join(changed)} than the run was trained with; set it back to "
                f"{', '.join(shortened(noted[name], 60) for name in changed)} to continue"
            )
        return learner, state

    def cannot_go_on(self, error: Exception) -> RunFolderError:
        """Return the error for a checkpoint that can be read but does not fit the run."""
        says = f"{type(error).__name__}: {error}".partition("\n")[0][:300]
        return RunFolderError(f"{self.checkpoint} does not fit the settings in {self.config} ({says}); {_ADVICE}")

    def load_metrics(self) -> list[dict[str, str]]:
        """Return the rows of the metrics file."""
        return read_rows(self.metrics)

    def load_evaluations(self) -> list[dict[str, str]]:
        """Return the rows of the evaluations file."""
        return read_rows(self.evaluations)


def scores_of(runs: Mapping[str, Sequence[str | Path]]) -> dict[str, npt.NDArray[np.float64]]:
    """Return the final win rates of several runs per algorithm, in the form that rliable takes (Agarwal et al. 2021).

    Args:
        runs: the run folders of each algorithm, by its name, one folder per seed.

    Returns:
        For each algorithm an array, float64, shape ``(runs, tasks)``: the win rates in the last evaluation, from 0 to
        1. The tasks are the fixed opponents.

    Raises:
        RunFolderError: if an algorithm has no runs, or a run has no evaluations or other opponents than the first run.
    """
    tasks: list[str] = []
    scores: dict[str, list[list[float]]] = {name: [] for name in runs}
    for name, folder in [(name, folder) for name, folders in runs.items() for folder in folders]:
        rows = RunFolder(folder).load_evaluations()
        last = {row["against"]: float(row["win_rate"]) for row in rows if row["steps"] == rows[-1]["steps"]}
        tasks = tasks or list(last)
        if not last or set(last) != set(tasks):
            met = f"met {', '.join(last)}, not {', '.join(tasks)}" if last else "has no evaluations"
            raise RunFolderError(f"{in_one_line(folder)} {met}; name runs with the same --evaluate-against")
        scores[name].append([last[task] for task in tasks])
    if [] in scores.values():
        raise RunFolderError("an algorithm has no runs; name at least one run folder for it")
    return {name: np.array(rows) for name, rows in scores.items()}
