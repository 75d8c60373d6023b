"""Progress bars at a terminal; elsewhere a line from time to time."""

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
"""Time window in seconds (with at most the latest thousand steps) from which the pace is estimated."""


class ProgressBars(Progress):
    """Progress bars on standard error; if that is not a terminal, a line every 15 seconds.

    Args:
        things: the name of the things that are counted, such as ``games``.
        console: a console to use instead of standard error.
        clock: returns the time in seconds.
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
        """Update a task as rich does; a field ``count`` replaces the number of things."""
        super().update(task_id, **changes)
        task, now = next(one for one in self.tasks if one.id == task_id), self._clock()
        if not self.console.is_terminal and now - self._last_line >= LINE_EVERY_SECONDS:
            self._last_line = now
            parts = (f"{task.description}: {self._count(task)}", self._left(task))
            self.console.print(", ".join(filter(None, parts)))

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Advance a task as rich does, printing lines like `update`."""
        self.update(task_id, advance=advance)

    def _name(self, task: Task) -> str:
        room = self.console.width - _BAR_WIDTH - len(self._count(task)) - len(self._left(task)) - 5
        name = task.description
        return name if len(name) <= room else f"{name[: max(0, room - 1)]}…"

    def _count(self, task: Task) -> str:
        of_all = "" if task.total is None else f" of {task.total:,.0f}"
        return task.fields.get("count") or f"{task.completed:,.0f}{of_all} {self._things}"

    def _left(self, task: Task) -> str:
        # There is no speed after a single step, which mostly waited for processes and compiled code.
        if not task.speed or task.remaining is None or task.finished:
            return ""
        seconds = task.remaining / task.speed
        return f"{seconds:.0f} s left" if seconds < 100 else f"{seconds / 60:.0f} min left"


class _Words(ProgressColumn):
    """A text about a task on one line."""

    def __init__(self, words: Callable[[Task], str]):
        super().__init__()
        self._words = words

    def render(self, task: Task) -> Text:
        return Text(self._words(task), no_wrap=True)


class TrainingBar:
    """The progress of a training run on standard error; called with every `TrainingProgress`.

    Args:
        steps: the number of decisions at the end; None for a run with a time limit.
        console: a console to use instead of standard error.
    """

    def __init__(self, steps: int | None, console: Console | None = None):
        self._progress = ProgressBars("decisions", console)
        self._task = self._progress.add_task("training", total=1.0)
        self._steps = steps
        self._shown: Any = None
        self.was_called = False

    def close(self) -> None:
        """Remove the bar."""
        if self.was_called:
            self._progress.stop()

    def __call__(self, now: Any) -> None:
        """Show the progress of the run, and its latest evaluations."""
        # The bar appears with the first report, so that an error at the start is printed without one.
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
    """Return a remark on draws if their rate is 5 % or more, else an empty text."""
    draws = 100 * result.draw_rate.mean
    return f" (draws {draws:.1f} %)" if draws >= 5 else ""


@contextlib.contextmanager
def compiling_shown(progress: Progress, task: TaskID) -> Iterator[None]:
    """Show what is being compiled instead of a task's description; without a terminal it is printed elsewhere."""
    if not progress.console.is_terminal:
        yield
        return
    before = next(one.description for one in progress.tasks if one.id == task)
    with compile_progress.reported_to(lambda text: progress.update(task, description=text or before)):
        yield


def games_counter(progress: Progress, task: TaskID) -> Callable[[int], None]:
    """Return a function that shows the number of finished games that it is called with."""
    return lambda games: progress.update(task, completed=games)


def followed(
    steps: Generator[Any, None, T],
    name: str,
    words: Callable[[Any], str],
    terminated: Sequence[int] = (),
    before: Any = None,
) -> T:
    """Run a generator of steps to its end, showing its progress, and return its return value.

    Args:
        steps: a generator that yields the number of ``games`` played and their ``total``.
        name: the initial description next to the bar.
        words: returns the description after a step.
        terminated: the numbers of the signals received so far.
        before: the progress that the steps have already yielded, if any.
    """
    begun: dict[str, Any] = {"total": None} if before is None else {"total": before.total, "completed": before.games}
    with contextlib.closing(steps), ProgressBars() as progress:
        task = progress.add_task(name, **begun)
        try:
            while True:
                with compiling_shown(progress, task):
                    now = next(steps)
                progress.update(task, completed=now.games, total=now.total, description=words(now))
                # An agent's code may have caught the KeyboardInterrupt.
                if terminated:
                    raise KeyboardInterrupt
        except StopIteration as stop:
            return cast(T, stop.value)
