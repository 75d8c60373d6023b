"""The folder of a training run: its files, each written whole or not at all.

| file | |
|---|---|
| ``config.json`` | the settings |
| ``provenance.json`` | of every start: command line, git revision, versions, machine, seeds |
| ``checkpoint.zip`` | the learner, its games in progress and all generators: ``--resume`` continues from it |
| ``policy.npz`` | the newest exported policy; plays without torch |
| ``policies/`` | with ``keep_policies``: the policy of every evaluation, ``STEPS.npz`` |
| ``metrics.csv`` | losses, speed and so on, a row a rollout |
| ``evaluations.csv`` | every evaluation, a row a fixed opponent |
| ``summary.html``, ``summary.png`` | the run on a page, and its learning curve |
| ``tensorboard/`` | TensorBoard's files |
| ``league.json`` | of self-play: who is in the league, since when, and all results (`self_play.league`) |
| ``league/`` | its policies |
| ``run.lock`` | held by the process that trains |
| ``average.npz`` | of self-play: the running average of the policy |
| ``response.npz``, ``exploit.json`` | of ``romans exploit``: the chosen policy, and what it wins |
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

_ADVICE = "delete it, and --resume begins the run again with its settings and seed"


class RunFolderError(UserError, ValueError):
    """A run folder that cannot be used as asked, saying what to do."""


class RunFolder:
    """A run folder at ``path``."""

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
        """Return the path of the policy evaluated after ``steps`` decisions."""
        return self.policies / f"{steps}.npz"

    def league_policy(self, kind: str, steps: int) -> Path:
        """Return the path of the policy that joined the league after ``steps`` decisions."""
        return self.path / "league" / f"{kind}-{steps}.npz"

    def start(self, config: TrainConfig) -> None:
        """Make the folder for a new run, and write its settings.

        Raises:
            RunFolderError: a run is there already, or the folder cannot be made.
        """
        if self.config.exists():
            raise RunFolderError(f"{self.path} holds a run; go on with --resume, or name another folder with --folder")
        self._make()
        config.save(self.config)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Make the folder, and keep other processes out while the block runs.

        The lock is the operating system's: a process that is killed leaves none behind.

        Raises:
            RunFolderError: another process trains in the folder, or nothing can be written there.
        """
        # Imported here: commands that train nothing import this module for its errors.
        from filelock import FileLock, Timeout

        self._make()
        lock = FileLock(self.path / "run.lock")
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise RunFolderError(f"another process is training in {self.path}; wait for its end, or stop it") from None
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
            raise RunFolderError(f"cannot make the run folder {self.path}: {error.strerror}") from None

    def check_files(self) -> None:
        """Refuse a folder whose metrics or provenance cannot be read: a resumed run adds to them.

        Raises:
            RunFolderError: a damaged provenance file.
            romans_training.learn.metrics_file.MetricsFileError: a damaged metrics file.
        """
        self.load_starts()
        self.load_metrics()
        self.load_evaluations()

    def load_config(self) -> TrainConfig:
        """Return the settings of the run; raise RunFolderError for a folder without a run."""
        if not self.config.exists():
            raise RunFolderError(f"{self.path} holds no run to resume")
        return TrainConfig.load(self.config)

    def load_starts(self) -> list[dict[str, Any]]:
        """Return what was noted at every start of the run, the first one first; none where there is no file.

        Raises:
            RunFolderError: a file that cannot be read, or of notes that `provenance.start_note` does not make.
        """
        name = in_one_line(self.provenance)
        try:
            return checked_notes(json_of(read_text(self.provenance)))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise RunFolderError(f"cannot read {name}: {in_one_line(error.strerror)}") from None
        except ValueError as error:
            raise RunFolderError(f"{name} is not whole ({in_one_line(error)}); move it away to go on") from None

    def add_start(self, note: dict[str, Any]) -> None:
        """Note a start, after those there are; RunFolderError as of `load_starts`, and nothing is written."""
        write_text(self.provenance, json.dumps({"starts": [*self.load_starts(), note]}, indent=2) + "\n")

    def save_checkpoint(self, config: TrainConfig, learner: dict[str, Any], state: dict[str, Any]) -> None:
        """Write a checkpoint; see `romans_training.learn.checkpoint.save_checkpoint`. The settings are noted in it."""
        save_checkpoint(self.checkpoint, learner, {"config": config.as_json(), **state})

    def load_checkpoint(self, config: TrainConfig) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the learner and the state that `save_checkpoint` wrote.

        Args:
            config: the settings of the run; its end may be another one than that of the checkpoint.

        Raises:
            RunFolderError: the checkpoint is damaged, or is of a run with other settings.
        """
        try:
            learner, state = load_checkpoint(self.checkpoint)
        except (CheckpointError, OSError) as error:
            raise RunFolderError(f"{self.checkpoint} is not a whole checkpoint: {error}; {_ADVICE}") from None
        try:
            # A checkpoint may be older than some settings: it was trained with what is their default here.
            noted, wanted = TrainConfig.from_json(state.get("config")).as_json(), config.as_json()
        except ConfigError as error:
            raise RunFolderError(f"{self.checkpoint} is not a whole checkpoint: {error}; {_ADVICE}") from None
        changed = [name for name in wanted if name not in ("steps", "minutes") and noted[name] != wanted[name]]
        if changed:
            raise RunFolderError(
                f"{self.config} has another {', '.join(changed)} than the run was trained with; set it back to "
                f"{', '.join(shortened(noted[name], 60) for name in changed)} to go on"
            )
        return learner, state

    def cannot_go_on(self, error: Exception) -> RunFolderError:
        """Return the error of a checkpoint that can be read and does not fit the run."""
        says = f"{type(error).__name__}: {error}".partition("\n")[0][:300]
        return RunFolderError(f"{self.checkpoint} does not fit the settings in {self.config} ({says}); {_ADVICE}")

    def load_metrics(self) -> list[dict[str, str]]:
        """Return the rows of the metrics."""
        return read_rows(self.metrics)

    def load_evaluations(self) -> list[dict[str, str]]:
        """Return the rows of the evaluations."""
        return read_rows(self.evaluations)


def scores_of(runs: Mapping[str, Sequence[str | Path]]) -> dict[str, npt.NDArray[np.float64]]:
    """Return what runs reached over seeds, as rliable takes it (Agarwal et al. 2021).

    Args:
        runs: the folders of the runs of each algorithm, one for each seed.

    Returns:
        For each algorithm float64, shape (runs, tasks): win rates, from 0 to 1, in the last evaluation. A task is one
        of its opponents.

    Raises:
        RunFolderError: an algorithm without runs, or a run without evaluations or with other opponents than the first.
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
        raise RunFolderError("there are no runs of an algorithm; name the folders of its runs")
    return {name: np.array(rows) for name, rows in scores.items()}
