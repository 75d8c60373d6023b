"""The folder of a training run: what lies where, written whole or not at all.

| file | |
|---|---|
| ``config.json`` | the settings |
| ``provenance.json`` | of every start: command line, git revision, versions, machine, seeds |
| ``checkpoint.zip`` | the learner, its games in progress and all generators: where ``--resume`` goes on |
| ``policy.npz`` | the newest exported policy; plays without torch |
| ``policies/`` | with ``keep_policies``: the policy of every evaluation, ``STEPS.npz`` |
| ``metrics.csv`` | losses, speed and so on, a row a rollout |
| ``evaluations.csv`` | every evaluation, a row a fixed opponent |
| ``summary.html``, ``summary.png`` | the run on a page, and its learning curve |
| ``tensorboard/`` | TensorBoard's files |
| ``league.json`` | of self-play: who is in the league, since when, and all results (`training.self_play.league`) |
| ``league/`` | its policies |
| ``average.npz`` | of self-play: the running average of the policy |
"""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

from romans_env.errors import in_one_line
from romans_env.files import json_of, read_text, write_text, written_whole
from training.config import TrainConfig
from training.csv_table import read_rows
from training.provenance import checked_notes

_ADVICE = "delete it, and --resume begins the run again with its settings and seed"


class RunFolderError(ValueError):
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

    def policy_after(self, steps: int) -> Path:
        """Where the policy that was evaluated after so many decisions is kept."""
        return self.policies / f"{steps}.npz"

    def league_policy(self, kind: str, steps: int) -> Path:
        """Where a policy that joined the league after so many decisions is kept."""
        return self.path / "league" / f"{kind}-{steps}.npz"

    def start(self, config: TrainConfig) -> None:
        """Make the folder for a new run; RunFolderError when one lies there."""
        if self.config.exists():
            raise RunFolderError(f"{self.path} holds a run; go on with --resume, or name another folder with --folder")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunFolderError(f"cannot make the run folder {self.path}: {error.strerror}") from None
        config.save(self.config)

    def load_config(self) -> TrainConfig:
        """The settings of the run; RunFolderError when there is none."""
        if not self.config.exists():
            raise RunFolderError(f"{self.path} holds no run to resume")
        return TrainConfig.load(self.config)

    def load_starts(self) -> list[dict[str, Any]]:
        """What was noted at every start of the run, the first one first; none where there is no file.

        Raises:
            RunFolderError: a file that cannot be read, or of notes that `training.provenance.start_note` does not make.
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

    def save_checkpoint(self, model: bytes, rest: dict[str, Any]) -> None:
        """Write the learner (as stable-baselines3 saves it) and what else must go on."""
        with written_whole(self.checkpoint) as temporary, zipfile.ZipFile(temporary, "w") as archive:
            archive.writestr("model.zip", model)
            archive.writestr("rest.pickle", pickle.dumps(rest))

    def load_checkpoint(self) -> tuple[io.BytesIO, dict[str, Any]]:
        """What `save_checkpoint` wrote; RunFolderError when it is damaged."""
        try:
            with zipfile.ZipFile(self.checkpoint) as archive:
                damaged = archive.testzip()
                if damaged is None:
                    return io.BytesIO(archive.read("model.zip")), pickle.loads(archive.read("rest.pickle"))
        except (zipfile.BadZipFile, KeyError, EOFError, OSError, pickle.UnpicklingError) as error:
            raise RunFolderError(f"{self.checkpoint} is not a whole checkpoint ({error}); {_ADVICE}") from None
        raise RunFolderError(f"{self.checkpoint} is damaged in {damaged}; {_ADVICE}")

    def load_metrics(self) -> list[dict[str, str]]:
        """The rows of the table of metrics."""
        return read_rows(self.metrics)

    def load_evaluations(self) -> list[dict[str, str]]:
        """The rows of the table of evaluations."""
        return read_rows(self.evaluations)
