"""A training run in the terminal: its progress bar, its messages, and how it is stopped."""

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
    """Start a run, or resume one, and show its progress to the end.

    Args:
        ctx: exits with 130 when the run is stopped by Ctrl-C or SIGTERM.
        run: its folder.
        config: the settings of a new run; None to resume.
        new_end: of a resumed run: ``steps`` or ``minutes``, or nothing; a dictionary.
        again: the command that resumes the run, shown when it is stopped.
        files: what the agent specs in the settings may load, as for `romans_agents.make`.

    Raises:
        ConfigError: settings that name a file which may not be loaded, and the errors of `trainer`.
    """
    # Threads of the network's arithmetic spin while they wait. Where something else needs the cores, that is several
    # times slower than one thread; with a short spin it is hardly slower, and where nothing does, as fast.
    os.environ.setdefault("GOMP_SPINCOUNT", "2000")
    # Imported here: torch takes seconds, and mistakes should be reported before.
    with interruptible_imports():
        from romans_training.learn import trainer
        from romans_training.learn.processes import Processes

    err, settings = report_console(is_error=True), config or run.load_config()
    # One process of many speaks for all.
    err.quiet = not Processes.of(settings.processes).is_first
    warm_up(settings.rules, (), ["matches", "training"])
    if config is None and not run.checkpoint.exists():
        err.print(f"{run.path} was stopped before its first checkpoint: it begins again")
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
            err.print(f"stopped; go on with: {again}")
            ctx.exit(INTERRUPTED)
    if config is None and not bar.was_called:
        err.print(
            f"the run in {run.path} has come to its end already; --steps or --minutes with a larger number continues it"
        )


class _Stop:
    """Whether a run has been asked to stop, by Ctrl-C or SIGTERM.

    What comes before the first rollout is interrupted at once: processes may wait for each other there for minutes.
    """

    def __init__(self, console: Console):
        self._console = console
        self._has_begun = self._is_asked = False

    def __call__(self) -> bool:
        """Say whether to stop, between two rollouts."""
        self._has_begun = True
        return self._is_asked

    def on_signal(self, number: int, frame: Any) -> None:
        """Note the first signal; raise KeyboardInterrupt at a second one, and before the first rollout."""
        if self._is_asked or not self._has_begun:
            raise KeyboardInterrupt
        self._is_asked = True
        self._console.print("stopping after this rollout; once more stops at once, at the last checkpoint")
