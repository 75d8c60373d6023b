"""What several benchmarks do: call a command of the package, train, read how long a run has taken."""

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
    """Run a command in a process of its own, and print the command and its output; returns the output.

    Args:
        command: as a user would type it: ``romans`` or ``python`` first.
        arguments: further ones, which are not printed.

    Raises:
        subprocess.CalledProcessError: it failed.
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
        The policy, None where the run was stopped; and the seconds of training by decisions.
    """
    from romans_training.learn import trainer

    policy = None
    with tempfile.TemporaryDirectory() as folder:
        run = RunFolder(Path(folder) / "run")
        with contextlib.suppress(trainer.TrainingStopped):
            policy = trainer.train(config, run, report, should_stop)
        return policy, seconds_by_steps(run)


_FIRST = 3
"""Rollouts at the beginning that a speed leaves out: code is loaded, memory is met for the first time."""


def steps_per_second(run: RunFolder) -> float:
    """The median over a run's rollouts of the decisions a second."""
    speeds = [float(row["steps_per_second"]) for row in run.load_metrics()]
    return statistics.median(speeds[_FIRST:] or speeds)


def seconds_by_steps(run: RunFolder) -> dict[int, float]:
    """The seconds of training after so many decisions, in the order of a run's metrics."""
    return {int(row["steps"]): float(row["seconds"]) for row in run.load_metrics()}
