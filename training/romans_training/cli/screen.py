"""Output for a player at a terminal: wrapped between words, in colour if the terminal has colours."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

import click
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from romans_env.render.seat_names import SeatNames
from romans_env.render.text_interface import NO_BREAK, Choice, HelpTable, Words

BOARD_COLUMNS = 80
"""Width that boards are drawn for; a narrower screen cuts them off."""
MOST_COLUMNS = 120
"""Widest text to print, because longer lines are hard to read."""
_GAP = 3
_NUMBER = re.compile(r"-?\d+")
_ON = "Enter continues, any other key shows the rest at once."


def new_console() -> Console:
    """Return a console on standard output; `NO_COLOR` and `COLUMNS` are respected."""
    console = Console(highlight=False, markup=False, emoji=False)
    if console.width > MOST_COLUMNS:
        console.width = MOST_COLUMNS
    return console


def is_interactive() -> bool:
    """Return whether input and output are a terminal; otherwise no key is waited for and no typed text is dropped."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def drop_typed_ahead() -> None:
    """Discard what a person has typed ahead."""
    if not is_interactive():
        return
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def show_paged(console: Console, show: Callable[[], None]) -> None:
    """Call ``show``, in a pager if its output is longer than the screen of an interactive terminal."""
    with console.capture() as capture:
        show()
    lines = [line.rstrip() for line in capture.get().splitlines()]
    if len(lines) >= console.height and is_interactive():
        click.echo_via_pager("\n".join(lines))
    else:
        show()


class Screen:
    """Writes a player's output to the terminal.

    Args:
        console: the console to write to.
        seat_names: display names and colours of the seats.
    """

    def __init__(self, console: Console, seat_names: SeatNames):
        self.console, self.seat_names = console, seat_names

    def line(self, text: str = "", style: str = "") -> int:
        """Print a paragraph with a hanging indent of two columns; return the number of lines."""
        indent = " " * (len(text) - len(text.lstrip(" ")))
        # Unlike rich, textwrap keeps words together that a no-break space joins.
        lines = textwrap.wrap(
            text.lstrip(" "),
            max(self.console.width, 20),
            initial_indent=indent,
            subsequent_indent=f"{indent}  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for part in lines or [""]:
            shown = self.seat_names.painted(part.replace(NO_BREAK, " "))
            shown.stylize_before(style)
            self.console.print(shown, soft_wrap=True)
        return max(len(lines), 1)

    def story(self, lines: Sequence[str], stops: tuple[str, ...] = ()) -> None:
        """Print a story of events, with the display names of the players.

        At an interactive terminal, it pauses for a key before a line that begins with one of ``stops``, and after each
        screenful.
        """
        waits, shown = is_interactive(), 0
        for line in lines:
            # A single line needs no pause.
            if waits and shown > 1 and (line.startswith(stops) or shown >= self.console.height - 4):
                waits, shown = self._goes_on(), 0
            told = self.seat_names.in_words(line)
            shown += self.line(told, "" if told.startswith(" ") else "bold")

    def _goes_on(self) -> bool:
        """Wait for a key; return False for a key that shows the rest at once."""
        self.console.print(_ON, style="dim", end="")
        try:
            return click.getchar() in ("\r", "\n", " ")
        except EOFError:
            raise click.Abort from None
        finally:
            click.echo(f"\r{' ' * len(_ON)}\r", nl=False)

    def show(self, what: RenderableType) -> None:
        """Print a board after an empty line."""
        self.console.print()
        self.console.print(what)

    def menu(self, choices: Sequence[Choice]) -> None:
        """Print the choices with their numbers, one paragraph per group."""
        start = 0
        for end in range(1, len(choices) + 1):
            if end == len(choices) or choices[end].group != choices[start].group:
                self._paragraph(choices[start].group, choices[start:end], start + 1)
                start = end

    def _paragraph(self, group: str, choices: Sequence[Choice], first: int) -> None:
        notes = {choice.note for choice in choices}
        if group and len(choices) > 1 and len(notes) == 1:
            group += f", {notes.pop()}" if any(notes) else ""
            choices = [replace(choice, note="") for choice in choices]
        items = [
            Text.assemble((f"{k})", "bold cyan"), f" {choice.item}", (choice.note and f", {choice.note}", "dim"))
            for k, choice in enumerate(choices, first)
        ]
        if all(choice.is_on_board for choice in choices) and self.console.width >= BOARD_COLUMNS:
            items = [Text(f"a number on the board, {first} to {first + len(items) - 1}")]
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
        """Print tables of explanations one below the other, in a pager if they are long."""
        show_paged(self.console, lambda: print_tables(self.console, tables))


def print_tables(console: Console, tables: Sequence[HelpTable]) -> None:
    """Print tables of explanations without a pager."""
    for table in tables:
        console.print()
        console.print(Text(table.title, "bold"))
        console.print(_rich(table))


def _rich(table: HelpTable) -> Table:
    shown = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=any(table.columns))
    for number, head in enumerate(table.columns):
        is_last = number == len(table.columns) - 1
        is_number = all(_NUMBER.fullmatch(row[number]) for row in table.rows)
        justify: Literal["right", "left"] = "right" if is_number else "left"
        shown.add_column(head, style="" if number else "bold", no_wrap=not is_last, justify=justify)
    for *entries, sentence in table.rows:
        shown.add_row(*map(Text, entries), Words(sentence))
    return shown
