"""Common parts of several benchmarks: calling a command of the package, training, and reading the times of a run."""

from __future__ import annotations

import contextlib
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from romans_agents import Policy
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder


def call(command: str, *arguments: str) -> str:
    """Run a command in a process of its own, printing the command and its output; return the output.

    Args:
        command: the command as a user would type it, with ``romans`` or ``python`` first.
        arguments: further arguments, which are not printed.

    Raises:
        subprocess.CalledProcessError: if the command failed.
    """
    click.echo(f"$ {command}")
    program, *rest = shlex.split(command)
    entry = ["-c", "from romans_training.cli.main import main; main()"] if program == "romans" else []
    whole = [sys.executable, *entry, *rest, *arguments]
    printed = subprocess.run(whole, check=True, stdout=subprocess.PIPE, text=True).stdout
    click.echo(printed)
    return printed


def trained(
    config: TrainConfig,
    report: Callable[[Any], None] = lambda progress: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> tuple[Policy | None, dict[int, float]]:
    """Train in a temporary folder; arguments as for `trainer.train`.

    Returns:
        The policy, or None if the run was stopped; and the seconds of training by number of decisions.
    """
    from romans_training.learn import trainer

    policy = None
    with tempfile.TemporaryDirectory() as folder:
        run = RunFolder(Path(folder) / "run")
        with contextlib.suppress(trainer.TrainingStopped):
            policy = trainer.train(config, run, report, should_stop)
        return policy, seconds_by_steps(run)


_FIRST = 3
"""Number of initial rollouts that a speed leaves out, because code is loaded and memory touched for the first time."""


def steps_per_second(run: RunFolder) -> float:
    """Return the median of decisions per second over a run's rollouts."""
    speeds = [float(row["steps_per_second"]) for row in run.load_metrics()]
    return statistics.median(speeds[_FIRST:] or speeds)


def seconds_by_steps(run: RunFolder) -> dict[int, float]:
    """Return the seconds of training by number of decisions, in the order of a run's metrics."""
    return {int(row["steps"]): float(row["seconds"]) for row in run.load_metrics()}
