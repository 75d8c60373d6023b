"""The folder of a training run: what lies where, written whole or not at all.

| file | |
|---|---|
| ``config.json`` | the settings |
| ``versions.json`` | versions of the packages that count |
| ``checkpoint.zip`` | the learner, its games in progress and all generators: where ``--resume`` goes on |
| ``policy.npz`` | the newest exported policy; plays without torch |
| ``policies/`` | with ``keep_policies``: the policy of every evaluation, ``STEPS.npz`` |
| ``evaluations.csv`` | every evaluation, a line an opponent |
| ``tensorboard/`` | TensorBoard's files |
| ``league.json`` | of self-play: who is in the league, since when, and all results (`training.self_play.league`) |
| ``league/`` | its policies |
| ``average.npz`` | of self-play: the running average of the policy |
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import pickle
import zipfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from romans_env.files import write_text, written_whole
from training.config import TrainConfig
from training.evaluation import Evaluation

_PACKAGES = ("romans-env", "numpy", "numba", "gymnasium", "torch", "stable-baselines3", "sb3-contrib")


_ADVICE = "delete it, and --resume begins the run again with its settings and seed"


class RunFolderError(ValueError):
    """A run folder that cannot be used as asked, saying what to do."""


class RunFolder:
    """A run folder at ``path``."""

    def __init__(self, path: str | Path):
        self.path = Path(path)
        self.config = self.path / "config.json"
        self.checkpoint = self.path / "checkpoint.zip"
        self.policy = self.path / "policy.npz"
        self.policies = self.path / "policies"
        self.evaluations = self.path / "evaluations.csv"
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
        write_text(self.path / "versions.json", json.dumps(_versions(), indent=2) + "\n")

    def load_config(self) -> TrainConfig:
        """The settings of the run; RunFolderError when there is none."""
        if not self.config.exists():
            raise RunFolderError(f"{self.path} holds no run to resume")
        return TrainConfig.load(self.config)

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

    def load_evaluations(self) -> list[dict[str, str]]:
        """The lines of the table of evaluations."""
        if not self.evaluations.exists():
            return []
        with self.evaluations.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def add_evaluations(self, steps: int, results: Sequence[Evaluation]) -> None:
        """Add the evaluations after so many decisions; what a resumed run noted later than that is dropped."""
        rows: list[dict[str, Any]] = [row for row in self.load_evaluations() if int(row["steps"]) < steps]
        for result in results:
            rows.append(
                {
                    "steps": steps,
                    "against": "+".join(result.opponents) or "neutrals",
                    "games": result.num_games,
                    "win_rate": result.win_rate.mean,
                    "win_rate_low": result.win_rate.low,
                    "win_rate_high": result.win_rate.high,
                    "draw_rate": result.draw_rate.mean,
                    "mean_points": result.mean_points.mean,
                    "mean_return": result.mean_return.mean,
                }
            )
        self.save_evaluations(rows)

    def save_evaluations(self, rows: list[dict[str, Any]]) -> None:
        """Write the table of evaluations."""
        text = io.StringIO()
        writer = csv.DictWriter(text, fieldnames=list(rows[-1]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        write_text(self.evaluations, text.getvalue())


def _versions() -> dict[str, str]:
    versions = {}
    for name in _PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions
