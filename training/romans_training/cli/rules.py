"""``romans rules``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import click
from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown, TableElement
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from romans_env.games import spec_of
from romans_env.render.terminal import terminal_of
from romans_training.cli.options import game_option
from romans_training.cli.screen import new_console

_WIDE = 10_000
"""Columns in which every table has room."""


@click.command(name="rules")
@game_option
def command(game: str) -> None:
    """Print the rules of a game."""
    page = terminal_of(game).rules_page
    if page is None:
        raise click.UsageError(f"{spec_of(game).title} has no page of rules")
    console = new_console()
    with console.capture() as capture:
        console.print(_Rules(page.read_text(encoding="utf-8")))
    text = "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"
    click.echo_via_pager(text, color=console.is_terminal and not console.no_color)


class _Table(TableElement):
    """A table. One that holds several side by side, and is too wide for them, is printed as these, one by one."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        header = None if self.header is None else self.header.row
        heads = [] if header is None else [cell.content for cell in header.cells]
        rows = [] if self.body is None else [[cell.content for cell in row.cells] for row in self.body.rows]
        unbounded = options.update_width(_WIDE)
        for parts in (1, _side_by_side([head.plain for head in heads])):
            tables = list(_split(heads, rows, parts))
            if all(Measurement.get(console, unbounded, table).maximum <= options.max_width for table in tables):
                break
        yield from tables


def _side_by_side(heads: list[str]) -> int:
    """How many tables are side by side: of the heads of each all but the first are the same."""
    for size in range(2, len(heads)):
        if len(heads) % size == 0:
            tails = {tuple(heads[first + 1 : first + size]) for first in range(0, len(heads), size)}
            if len(tails) == 1:
                return len(heads) // size
    return 1


def _split(heads: list[Text], rows: list[list[Text]], parts: int) -> Iterator[Table]:
    """The columns in as many tables, each without the rows in which it is empty."""
    size = -(-len(heads) // parts)
    for first in range(0, len(heads), size):
        table = Table(box=box.SIMPLE)
        for head in heads[first : first + size]:
            table.add_column(head)
        for row in rows:
            cells = row[first : first + size]
            if any(cell.plain.strip() for cell in cells):
                table.add_row(*cells)
        yield table


class _Rules(Markdown):
    elements: ClassVar[dict[str, Any]] = {**Markdown.elements, "table_open": _Table}
