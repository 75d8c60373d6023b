"""Progress of games and other things: a bar at a terminal, and a line now and then where there is none."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, TypeVar, cast

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TaskID
from rich.text import Text

from romans_env.compiling.progress import LINE_EVERY_SECONDS
from romans_env.compiling.progress import progress as compile_progress
from romans_training.reporting import NO_OPPONENT, report_console

T = TypeVar("T")
_BAR_WIDTH = 16
_WINDOW = 600.0
"""Seconds, and at most the newest thousand steps, that the pace is taken from: what comes next resembles the newest."""


class ProgressBars(Progress):
    """Bars on standard error; where that is no terminal, a line every 15 seconds.

    Args:
        things: what is counted, such as ``games``.
        console: in place of standard error.
        clock: in seconds.
    """

    def __init__(
        self, things: str = "games", console: Console | None = None, clock: Callable[[], float] = time.monotonic
    ):
        console = console or report_console(is_error=True)
        columns = (_Words(self._name), BarColumn(_BAR_WIDTH), _Words(self._count), _Words(self._left), SpinnerColumn())
        super().__init__(
            *columns,
            console=console,
            transient=True,
            get_time=clock,
            disable=not console.is_terminal,
            speed_estimate_period=_WINDOW,
        )
        self._things, self._clock, self._last_line = things, clock, clock()

    def update(self, task_id: TaskID, **changes: Any) -> None:
        """Update a task as rich does; a field ``count`` is shown in place of the numbers of things."""
        super().update(task_id, **changes)
        task, now = next(one for one in self.tasks if one.id == task_id), self._clock()
        if not self.console.is_terminal and now - self._last_line >= LINE_EVERY_SECONDS:
            self._last_line = now
            parts = (f"{task.description}: {self._count(task)}", self._left(task))
            self.console.print(", ".join(filter(None, parts)))

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Advance a task as rich does, with the lines of `update`."""
        self.update(task_id, advance=advance)

    def _name(self, task: Task) -> str:
        room = self.console.width - _BAR_WIDTH - len(self._count(task)) - len(self._left(task)) - 5
        name = task.description
        return name if len(name) <= room else f"{name[: max(0, room - 1)]}…"

    def _count(self, task: Task) -> str:
        of_all = "" if task.total is None else f" of {task.total:,.0f}"
        return task.fields.get("count") or f"{task.completed:,.0f}{of_all} {self._things}"

    def _left(self, task: Task) -> str:
        # Of one step nothing is known: it waited for processes and compiled code.
        if not task.speed or task.remaining is None or task.finished:
            return ""
        seconds = task.remaining / task.speed
        return f"{seconds:.0f} s left" if seconds < 100 else f"{seconds / 60:.0f} min left"


class _Words(ProgressColumn):
    """A text of a task, on one line."""

    def __init__(self, words: Callable[[Task], str]):
        super().__init__()
        self._words = words

    def render(self, task: Task) -> Text:
        return Text(self._words(task), no_wrap=True)


class TrainingBar:
    """The progress of a run on standard error; called with every `trainer.Progress`.

    Args:
        steps: the decisions at the end; None for a run that ends by the clock.
        console: in place of standard error.
    """

    def __init__(self, steps: int | None, console: Console | None = None):
        self._progress = ProgressBars("decisions", console)
        self._task = self._progress.add_task("training", total=1.0)
        self._steps = steps
        self._shown: Any = None
        self.was_called = False

    def close(self) -> None:
        """Take the bar away."""
        if self.was_called:
            self._progress.stop()

    def __call__(self, now: Any) -> None:
        """Show how far the run has come, and its newest evaluations."""
        # Not shown before there is something to show, so that errors of the start are printed alone.
        self._progress.start()
        self.was_called = True
        made = f"{now.steps:,}" if self._steps is None else f"{min(now.steps, self._steps):,} of {self._steps:,}"
        count = f"{made} decisions, {now.steps_per_second:,.0f}/s"
        self._progress.update(self._task, completed=now.done, count=count)
        if now.evaluations and now.evaluations is not self._shown:
            self._shown = now.evaluations
            rates = ", ".join(
                f"{100 * result.win_rate.mean:.1f} %{_draws(result)} against "
                f"{'+'.join(result.opponents) or NO_OPPONENT}"
                for result in now.evaluations
            )
            line = f"after {now.steps:,} decisions it wins {rates}"
            if now.passed:
                line += f"\nit passes {', '.join(now.passed)}: more than a fair share, by the whole 95 % interval"
            self._progress.console.print(Text(line), soft_wrap=False)


def _draws(result: Any) -> str:
    """Return words about draws, where there are more than a few."""
    draws = 100 * result.draw_rate.mean
    return f" (draws {draws:.1f} %)" if draws >= 5 else ""


@contextlib.contextmanager
def compiling_shown(progress: Progress, task: TaskID) -> Iterator[None]:
    """Show what is compiled in place of a task's description; where no bar is drawn, lines on standard error do."""
    if not progress.console.is_terminal:
        yield
        return
    before = next(one.description for one in progress.tasks if one.id == task)
    with compile_progress.reported_to(lambda text: progress.update(task, description=text or before)):
        yield


def games_counter(progress: Progress, task: TaskID) -> Callable[[int], None]:
    """Return a function that is called with the number of finished games, and shows it."""
    return lambda games: progress.update(task, completed=games)


def followed(
    steps: Generator[Any, None, T],
    name: str,
    words: Callable[[Any], str],
    terminated: Sequence[int] = (),
    before: Any = None,
) -> T:
    """Return what steps return in the end, and show how far they have come.

    Args:
        steps: give how many ``games`` of the ``total`` have been played.
        name: what is shown beside the bar at first.
        words: what is shown there after a step.
        terminated: numbers of the signals that came so far.
        before: what the steps gave already, if anything.
    """
    begun: dict[str, Any] = {"total": None} if before is None else {"total": before.total, "completed": before.games}
    with contextlib.closing(steps), ProgressBars() as progress:
        task = progress.add_task(name, **begun)
        try:
            while True:
                with compiling_shown(progress, task):
                    now = next(steps)
                progress.update(task, completed=now.games, total=now.total, description=words(now))
                # An agent's own code may have swallowed the interruption.
                if terminated:
                    raise KeyboardInterrupt
        except StopIteration as stop:
            return cast(T, stop.value)
