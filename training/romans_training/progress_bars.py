"""Progress of games and other things: a bar at a terminal, and a line now and then where there is none."""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, TypeVar, cast

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TaskID
from rich.text import Text

from romans_env.compiling.progress import LINE_EVERY_SECONDS
from romans_env.compiling.progress import progress as compile_progress
from romans_training.reporting import report_console

T = TypeVar("T")
_WINDOW = 20.0
"""Seconds that the pace is taken from: what comes next resembles the newest."""
_LEAST_SECONDS, _LEAST_STEPS = 3.0, 5
"""That a pace is taken from. The first step is left out: it waited for processes and compiled code."""
_BAR_WIDTH = 16


class Pace:
    """How fast something goes, and how long it takes still."""

    def __init__(self) -> None:
        self._steps: deque[tuple[float, float]] = deque()

    def add(self, now: float, done: float) -> None:
        """Take note of how much is done."""
        if self._steps and done <= self._steps[-1][1]:
            return
        self._steps.append((now, done))
        while now - self._steps[0][0] > _WINDOW and len(self._steps) > _LEAST_STEPS:
            self._steps.popleft()

    def seconds_left(self, now: float, total: float | None) -> float | None:
        """Return how many seconds the rest takes; None if that is not known, as at first."""
        if total is None or len(self._steps) < _LEAST_STEPS:
            return None
        (begun, before), (last, done) = self._steps[1], self._steps[-1]
        if last - begun < _LEAST_SECONDS:
            return None
        return max(0.0, (total - done) * (last - begun) / (done - before) - (now - last))


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
        super().__init__(*columns, console=console, transient=True, get_time=clock, disable=not console.is_terminal)
        self._things, self._clock, self._last_line = things, clock, clock()
        self._paces: dict[TaskID, Pace] = defaultdict(Pace)

    def update(self, task_id: TaskID, **changes: Any) -> None:
        """Update a task as rich does; a field ``count`` is shown in place of the numbers of things."""
        super().update(task_id, **changes)
        task, now = next(one for one in self.tasks if one.id == task_id), self._clock()
        self._paces[task_id].add(now, task.completed)
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
        seconds = self._paces[task.id].seconds_left(self._clock(), task.total)
        if seconds is None or task.finished:
            return ""
        return f"{seconds:.0f} s left" if seconds < 100 else f"{seconds / 60:.0f} min left"


class _Words(ProgressColumn):
    """A text of a task, on one line."""

    def __init__(self, words: Callable[[Task], str]):
        super().__init__()
        self._words = words

    def render(self, task: Task) -> Text:
        return Text(self._words(task), no_wrap=True)


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
