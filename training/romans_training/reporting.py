"""Results as text: Markdown tables, paragraphs, and numbers with their intervals."""

from __future__ import annotations

import math
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from romans_env.errors import in_one_line
from romans_training.measure.intervals import Estimate

_FAULT_WORDS = {"error": "an error", "illegal": "an illegal action", "time": "running over its time"}

NO_OPPONENT = "no opponent"
"""The text that replaces opponents in tables and messages if a player is alone."""


def report_console(is_error: bool = False) -> Console:
    """Return a console on standard output, or on standard error without wrapping, so that paths can be copied from it.

    If the stream is not a terminal, the console has 80 columns, or `COLUMNS`, and no bars, boxes or escape codes,
    regardless of `FORCE_COLOR`, which notebooks set.
    """
    is_terminal = (sys.stderr if is_error else sys.stdout).isatty()
    columns = shutil.get_terminal_size().columns
    pipe: dict[str, Any] = {"width": columns, "force_terminal": False, "force_jupyter": False}
    settings = {} if is_terminal else pipe
    return Console(stderr=is_error, soft_wrap=is_error, highlight=False, markup=False, **settings)


def say(text: str) -> None:
    """Print a paragraph, wrapped between words."""
    width = shutil.get_terminal_size().columns
    print(textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False))


def markdown_grid(left: Sequence[str], right: Sequence[str]) -> Grid:
    """Return an empty table with headings: text columns, then numeric columns."""
    grid = Grid(box=MARKDOWN)
    for heading in left:
        grid.add_column(heading, no_wrap=True)
    for heading in right:
        grid.add_column(heading, justify="right", no_wrap=True)
    return grid


def print_whole(grid: Grid) -> None:
    """Print a table; if it is wider than the console, its lines overflow instead of losing text."""
    console = report_console()
    console.width = max(console.width, _width(grid))
    print_stripped(console, grid)


def print_stripped(console: Console, grid: Grid) -> None:
    """Print a table without the trailing spaces that rich adds to its lines."""
    with console.capture() as captured:
        console.print(grid)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def print_table(
    left: Sequence[str], right: Sequence[str], rows: Sequence[Sequence[str]], drop: Sequence[str] = ()
) -> None:
    """Print a table in the width of the console, by wrapping agent specs, and then by leaving out columns.

    Args:
        left: headings of text columns.
        right: headings of numeric columns, different from ``left``.
        rows: rows with a cell for every column.
        drop: headings of columns that may be left out, the least important first.
    """
    room, left_out = report_console().width, 0
    columns = dict(zip((*left, *right), zip(*rows, strict=True), strict=True))
    while True:
        kept = {heading: cells for heading, cells in columns.items() if heading not in drop[:left_out]}
        grid = _grid_of(kept, left)
        excess = _width(grid) - room
        if excess > 0:
            widths = {heading: max(map(len, kept[heading])) for heading in left}
            widest = max(widths, key=lambda heading: widths[heading])
            cells = [folded(cell, widths[widest] - excess) for cell in kept[widest]]
            grid = _grid_of({**kept, widest: cells}, left)
        if _width(grid) <= room or left_out == len(drop):
            break
        left_out += 1
    print_whole(grid)
    if missing := [heading for heading in drop[:left_out] if heading in columns]:
        wider = "A wider window" if sys.stdout.isatty() else "COLUMNS=120"
        say(f"{wider} also shows: {', '.join(missing)}.")


def folded(spec: str, width: float) -> str:
    """Wrap an agent spec to a width; lines break only after its punctuation."""
    lines = [""]
    for piece in re.findall(r"[^:,+/]*[:,+/]|[^:,+/]+$", spec):
        if lines[-1] and len(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def _grid_of(columns: Mapping[str, Sequence[str]], left: Sequence[str]) -> Grid:
    grid = markdown_grid(left, [heading for heading in columns if heading not in left])
    for row in zip(*columns.values(), strict=True):
        grid.add_row(*map(Text, row))
    return grid


def _width(grid: Grid) -> int:
    return Console(width=10_000).measure(grid).maximum


def in_percent(estimate: Estimate) -> str:
    """Return a share in percent with its interval, such as ``87.6 [86.1, 89.0]``."""
    return with_interval(Estimate(*(100 * value for value in estimate)))


def with_interval(estimate: Estimate, digits: int = 1) -> str:
    """Return an estimate with its interval, such as ``11.0 [10.5, 11.4]``; zero has no minus sign."""
    mean, low, high = (rounded(value, digits) for value in estimate)
    return f"{mean} [{low}, {high}]"


def rounded(value: float, digits: int = 0) -> str:
    """Return a number with ``digits`` decimal places; zero has no minus sign."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def lost_in_words(agent: str, kind: str, games: int, of_games: int, first: str) -> str:
    """Return a line on the games that an agent lost by a kind of fault, with the message of the first one."""
    # The message comes from an agent or from a stranger's file, so it may contain anything.
    return f"{agent} lost {games:,} of {of_games:,} games by {_FAULT_WORDS[kind]}, first: {in_one_line(first)}"


def in_milliseconds(time: float) -> str:
    """Return milliseconds with three significant digits, such as ``0.0184``, ``41.3`` or ``5,210``."""
    return f"{time:.3g}" if time < 999.5 else f"{time:,.0f}"


def width_remark(estimates: Iterable[tuple[Estimate, Estimate]], what: str) -> str:
    """Return a sentence that compares the widths of variance-reduced and plain intervals.

    Args:
        estimates: pairs of a variance-reduced and a plain estimate from the same games.
        what: the name of the estimated quantity.
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
