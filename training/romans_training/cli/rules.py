"""``romans rules``."""

from __future__ import annotations

import shlex

import click
from rich.markdown import Markdown
from rich.text import Text

from romans_env.core.games import spec_of
from romans_env.core.registration import option_of
from romans_env.render.text_interface import text_interface_of
from romans_training.cli.options import game_option
from romans_training.cli.screen import new_console, print_tables, show_paged


@click.command(name="rules")
@game_option
def command(game: str) -> None:
    """Print the rules of a game: first a summary that is enough to play, then the full rules."""
    text_interface, console = text_interface_of(game), new_console()
    title, page, text = spec_of(game).title, text_interface.rules_page, text_interface.rules_text
    if page is None and not text:
        raise click.UsageError(f"{title} has no printed rules: add a docstring to the class of its rules")
    in_full = None if page is None else page.read_text(encoding="utf-8")

    def show() -> None:
        console.print(Text(title if in_full is None else f"{title} in short", "bold"))
        for line in (*text_interface.aim, *text):
            console.print(line)
        # The first help table describes the course of the game.
        print_tables(console, text_interface.help_tables[:1])
        explains = "; ? explains its cards" if text_interface.help_tables else ""
        console.print(f"\nromans play {shlex.join(option_of(game))} starts a game{explains}.")
        if in_full is not None:
            console.print("The rules in full:\n")
            console.print(Markdown(in_full))

    show_paged(console, show)
