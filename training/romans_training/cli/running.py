"""A training run in the terminal: progress bar, messages, and stopping by signals."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Any

import click
from rich.console import Console

from romans_agents.permission import Files
from romans_agents.warm_up import warm_up
from romans_training.cli.interrupts import INTERRUPTED, handled, interruptible_imports
from romans_training.cli.learner_options import naming_permission
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder
from romans_training.progress_bars import TrainingBar
from romans_training.reporting import report_console


def run_to_end(
    ctx: click.Context, run: RunFolder, config: TrainConfig | None, new_end: Any, again: str, files: Files
) -> None:
    """Start or resume a run, and show its progress to the end.

    Args:
        ctx: the context, which exits with status 130 when Ctrl-C or SIGTERM stops the run.
        run: the run's folder.
        config: settings of a new run; None to resume.
        new_end: the new end of a resumed run: a dictionary with ``steps``, ``minutes`` or nothing.
        again: the command that resumes the run, shown when it is stopped.
        files: which files the agent specs in the settings may load, as in `romans_agents.make`.

    Raises:
        ConfigError: if the settings name a file that may not be loaded; also raises the errors of `trainer`.
    """
    # OpenMP threads spin while they wait. If another program needs the cores, that makes several threads several times
    # slower than one; a short spin costs little then, and nothing on idle cores.
    os.environ.setdefault("GOMP_SPINCOUNT", "2000")
    # Imported here: torch takes seconds, and mistakes are reported before.
    with interruptible_imports():
        from romans_training.learn import trainer
        from romans_training.learn.processes import Processes

    err, settings = report_console(is_error=True), config or run.load_config()
    # Only the first process prints.
    err.quiet = not Processes.of(settings.processes).is_first
    warm_up(settings.rules, (), ["matches", "training"])
    if config is None and not run.checkpoint.exists():
        err.print(f"{run.path} was stopped before its first checkpoint: it starts over")
    steps = new_end.get("steps") or (None if settings.minutes or "minutes" in new_end else settings.steps)
    stop, signals = _Stop(err), (signal.SIGINT, signal.SIGTERM)
    with naming_permission(), contextlib.closing(TrainingBar(steps, err)) as bar, handled(signals, stop.on_signal):
        try:
            if config is None:
                trainer.resume(run, report=bar, should_stop=stop, files=files, **new_end)
            else:
                trainer.train(config, run, bar, stop, files)
        except (KeyboardInterrupt, trainer.TrainingStopped):
            bar.close()
            err.print(f"stopped; continue with: {again}")
            ctx.exit(INTERRUPTED)
    if config is None and not bar.was_called:
        err.print(f"the run in {run.path} is complete already; a larger --steps or --minutes continues it")


class _Stop:
    """Records whether Ctrl-C or SIGTERM has asked a run to stop.

    Before the first rollout a signal interrupts at once, because processes may wait for each other there for minutes.
    """

    def __init__(self, console: Console):
        self._console = console
        self._has_begun = self._is_asked = False

    def __call__(self) -> bool:
        """Return whether to stop; called between rollouts."""
        self._has_begun = True
        return self._is_asked

    def on_signal(self, number: int, frame: Any) -> None:
        """Note the first signal; raise KeyboardInterrupt on a second one, or before the first rollout."""
        if self._is_asked or not self._has_begun:
            raise KeyboardInterrupt
        self._is_asked = True
        self._console.print("stopping after this rollout; press again to stop at once, with the last checkpoint")
