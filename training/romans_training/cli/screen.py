"""What a player at a terminal is shown: whole words, in colours where the terminal has them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from romans_env.render.cast import Cast
from romans_env.render.terminal import NO_BREAK, Choice, HelpTable

MOST_COLUMNS = 120
"""Longer lines are hard to read."""
_GAP = 3


def new_console() -> Console:
    """A console on standard output; `NO_COLOR` and `COLUMNS` are respected."""
    console = Console(highlight=False, markup=False, emoji=False)
    if console.width > MOST_COLUMNS:
        console.width = MOST_COLUMNS
    return console


class Screen:
    """Writes what a player sees.

    Args:
        console: where to.
        cast: who plays.
    """

    def __init__(self, console: Console, cast: Cast):
        self.console, self._cast = console, cast

    def line(self, text: str = "", style: str = "") -> None:
        """A paragraph; its later lines are indented by two more than its first."""
        indent = " " * (len(text) - len(text.lstrip(" ")))
        # Unlike rich, textwrap leaves together what a no-break space joins.
        lines = textwrap.wrap(
            text.lstrip(" "),
            max(self.console.width, 20),
            initial_indent=indent,
            subsequent_indent=f"{indent}  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for part in lines or [""]:
            shown = self._cast.painted(part.replace(NO_BREAK, " "))
            shown.stylize_before(style)
            self.console.print(shown, soft_wrap=True)

    def story(self, lines: Sequence[str]) -> None:
        """What happened, with the names of the players."""
        for line in lines:
            told = self._cast.in_words(line)
            self.line(told, "" if told.startswith(" ") else "bold")

    def show(self, what: RenderableType) -> None:
        """A board."""
        self.console.print()
        self.console.print(what)

    def menu(self, choices: Sequence[Choice]) -> None:
        """The choices with their numbers; a group is a paragraph."""
        start = 0
        for end in range(1, len(choices) + 1):
            if end == len(choices) or choices[end].group != choices[start].group:
                self._paragraph(choices[start].group, choices[start:end], start + 1)
                start = end

    def _paragraph(self, group: str, choices: Sequence[Choice], first: int) -> None:
        items = [Text.assemble((f"{k})", "bold cyan"), f" {choice.item}") for k, choice in enumerate(choices, first)]
        line = Text(f"  {group}: " if group else " ")
        width = self.console.width - 1
        for number, item in enumerate(items):
            between = " " if number == 0 else " " * _GAP
            if number and line.cell_len + len(between) + item.cell_len > width:
                self.console.print(line, soft_wrap=True)
                line, between = Text("   " if group else " "), " "
            line.append(between).append_text(item)
        self.console.print(line, soft_wrap=True)

    def tables(self, tables: Sequence[HelpTable]) -> None:
        """Tables of explanations, one below the other; their columns are aligned alone."""
        for table in tables:
            self.console.print()
            self.console.print(Text(table.title, "bold"))
            self.console.print(_rich(table))


def _rich(table: HelpTable) -> Table:
    shown = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=any(table.columns))
    for number, head in enumerate(table.columns):
        is_last = number == len(table.columns) - 1
        shown.add_column(head, style="" if number else "bold", no_wrap=not is_last)
    for row in table.rows:
        shown.add_row(*map(Text, row))
    return shown
