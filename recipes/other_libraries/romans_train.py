"""`romans train` with its default settings, to compare with: as many whole rollouts, of 32,768 decisions, as fit."""

from __future__ import annotations

import shutil
from pathlib import Path

from romans_training.cli.train import command
from romans_training.config import TrainConfig


def trained(decisions: int, seed: int, folder: Path) -> int:
    """Train, in a folder within the folder, and write the policy into the folder; returns the decisions."""
    size = TrainConfig().rollout_size
    decisions = max(1, decisions // size) * size
    options = ["--steps", str(decisions), "--seed", str(seed), "--threads", "1", "--folder", str(folder / "run")]
    command(options, standalone_mode=False)
    shutil.copy(folder / "run" / "policy.npz", folder / "policy.npz")
    return decisions
