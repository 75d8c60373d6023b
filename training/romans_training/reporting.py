"""Tables of results as texts: rich's, in the shape of Markdown."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator

from rich.box import MARKDOWN
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table as Grid

from romans_env.engine.compile_progress import progress as compile_progress
from romans_training.intervals import Estimate


def markdown_grid(left: tuple[str, ...], right: tuple[str, ...]) -> Grid:
    """An empty table with headings: columns of texts, then of numbers."""
    grid = Grid(box=MARKDOWN)
    for heading in left:
        grid.add_column(heading, no_wrap=True)
    for heading in right:
        grid.add_column(heading, justify="right", no_wrap=True)
    return grid


def print_whole(grid: Grid) -> None:
    """Print a table; where it is wider than the terminal, its lines run over rather than lose text."""
    console = Console()
    wide = Console(width=10_000)
    console.width = max(console.width, wide.measure(grid).maximum)
    console.print(grid)


def in_percent(estimate: Estimate) -> str:
    """``87.6 [86.1, 89.0]`` for a share."""
    return with_interval(Estimate(*(100 * value for value in estimate)))


def with_interval(estimate: Estimate, digits: int = 1) -> str:
    """``11.0 [10.5, 11.4]``."""
    return f"{estimate.mean:.{digits}f} [{estimate.low:.{digits}f}, {estimate.high:.{digits}f}]"


def width_remark(estimates: Iterable[tuple[Estimate, Estimate]], what: str) -> str:
    """How wide intervals with reduced variance are, in a sentence.

    Args:
        estimates: with reduced variance and without, from the same games.
        what: is estimated.
    """
    ratios = [
        (reduced.high - reduced.low) / (plain.high - plain.low)
        for reduced, plain in estimates
        if 0 < plain.high - plain.low < math.inf
    ]
    if not ratios:
        return "AIVAT: control variates over chance and known policies, from the same games."
    low, high = (f"{ratio:.2f}" for ratio in (min(ratios), max(ratios)))
    times = low if low == high else f"{low} to {high}"
    return (
        f"AIVAT: control variates over chance and known policies, from the same games; intervals of the {what} are "
        f"{times} times as wide as without."
    )


def progress_of_games() -> Progress:
    """A progress bar of games, on standard error."""
    return progress_of("games")


def progress_of(things: str) -> Progress:
    """A progress bar, on standard error."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TextColumn(things))
    end = (TimeRemainingColumn(), SpinnerColumn())
    return Progress(*columns, *end, console=Console(stderr=True), transient=True)


@contextlib.contextmanager
def compiling_shown(progress: Progress, task: TaskID) -> Iterator[None]:
    """Show what is compiled in the description of a task; where no bar is drawn, lines on standard error do."""
    if not progress.console.is_terminal:
        yield
        return
    before = next(one.description for one in progress.tasks if one.id == task)

    def show(text: str) -> None:
        progress.update(task, description=f"{before}: {text}" if text else before)

    with compile_progress.reported_to(show):
        yield


def games_counter(progress: Progress, task: TaskID) -> Callable[[int], None]:
    """What is called with the number of finished games, and shows it."""
    return lambda games: progress.update(task, completed=games)
