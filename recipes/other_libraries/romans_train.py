"""`romans train` with its default settings, for comparison.

Its learning rate decreases over the total number of decisions, so a trial of a few rollouts first estimates how many
decisions fit into the time.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from romans_training.cli.train import command
from romans_training.learn.config import TrainConfig

_ROLLOUT = TrainConfig().rollout_size


def trained(seconds: float, seed: int, folder: Path) -> int:
    """Train for a time in processor seconds, and write the policy into the folder; return the decisions made."""
    end = time.process_time() + seconds
    _train(_ROLLOUT, seed, folder / "first")  # loads compiled code
    started = time.process_time()
    _train(4 * _ROLLOUT, seed, folder / "trial")
    left, used = end - time.process_time(), time.process_time() - started
    decisions = max(1, int(4 * _ROLLOUT * left / used))
    _train(decisions, seed, folder / "run")
    shutil.copy(folder / "run" / "policy.npz", folder / "policy.npz")
    return decisions


def _train(decisions: int, seed: int, folder: Path) -> None:
    without_evaluations = ["--no-evaluate-at-start", "--evaluate-every", str(2**40)]
    options = ["--steps", str(decisions), "--seed", str(seed), "--threads", "1", "--folder", str(folder)]
    command([*options, *without_evaluations], standalone_mode=False)
