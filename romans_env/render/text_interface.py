"""The text interface of a game at a terminal: its aim, its cards in words, its board, its choices.

The `Renderer` of a game gives the location of its `TextInterface`. For a game without a text interface,
`text_interface_of` makes a plain one.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from romans_env.core.game import Game
from romans_env.core.games import imported, spec_of
from romans_env.core.protocol import Rules, Setup
from romans_env.render.coach import Coach
from romans_env.render.renderer import renderer_of
from romans_env.render.seat_names import SeatNames
from romans_env.render.wording import wins

NO_BREAK = "\u00a0"
"""A space at which a line is not broken; it is displayed as an ordinary space."""
CHECKOUT_RULES = Path(__file__).resolve().parents[2] / "docs" / "environments"


@dataclass(frozen=True)
class Choice:
    """A legal action in words, as it is offered to a person.

    Attributes:
        item: the entry for the action in the numbered list below the question, such as ``Zvord 3``.
        phrase: the action as a phrase without a subject, such as ``place Zvord 3 in slot 2``.
        group: the words that several choices have in common; choices with the same group are listed in one paragraph.
        is_on_board: whether the board shows the number of the choice, so that the list can leave the choice out.
        is_way_out: whether the action ends the turn or a series of choices; a page shows it apart from other choices.
        fold: a common name for a large number of choices that a page lists only on request, by group; else empty.
        note: the action's effect or target in a few words, for a player's first game. A list at a terminal shows it
            after the item, or after the group if all choices of the group have the same note.
    """

    item: str
    phrase: str
    group: str = ""
    is_on_board: bool = False
    is_way_out: bool = False
    fold: str = ""
    note: str = ""


@dataclass(frozen=True)
class HelpTable:
    """A table of explanations.

    Attributes:
        title: the title above the table.
        columns: the heads of the columns; the first column holds names, the last column holds sentences.
        rows: a row for each card or term, with one entry per column; words that belong together may be joined by
            `NO_BREAK`.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Ending(NamedTuple):
    """The end of a game in words: how it was won, and why it is over.

    Attributes:
        how: the words that follow "NAME wins" if there is one winner, such as ``by three Legion forts``; empty if
            ``why`` says enough.
        why: a sentence on what ended the game and what decides who wins.
    """

    how: str
    why: str


class Words:
    """A text for rich, in a table cell for instance, whose lines are not broken at `NO_BREAK`."""

    def __init__(self, text: str):
        self._text = text

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        longest = max(map(len, self._text.split(" ")))
        return Measurement(longest, len(self._text)).with_maximum(options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in textwrap.wrap(self._text, options.max_width, break_long_words=False, break_on_hyphens=False):
            yield Text(line.replace(NO_BREAK, " "))


class Items(Words):
    """A list in words whose lines are broken only between items.

    Args:
        items: the items, such as ``["Dinary 3", "Legion -1"]``.
        nothing: the text for an empty list.
    """

    def __init__(self, items: Sequence[str], nothing: str = "none"):
        super().__init__(unbroken(items) or nothing)


def unbroken(items: Sequence[str]) -> str:
    """Return a list in words whose lines can be broken only between items."""
    return ", ".join(item.replace(" ", NO_BREAK) for item in items)


class ByHeight:
    """Shows one of two boards, depending on the height of the terminal.

    Args:
        low: the board for terminals with fewer than ``lines`` lines.
        high: the board for terminals with at least ``lines`` lines.
        lines: the number of lines of a terminal that is high enough for ``high``.
    """

    def __init__(self, low: RenderableType, high: RenderableType, lines: int):
        self._low, self._high, self._lines = low, high, lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._high if console.size.height >= self._lines else self._low


def columns(*heads: str, **settings: Any) -> Table:
    """Return an empty table without borders, with one column per head, right-aligned if the head ends in ``>``."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=bool(heads), **settings)
    for head in heads:
        table.add_column(head.removesuffix(">"), justify="right" if head.endswith(">") else "left")
    return table


def plain_board(game: Game, viewer: str, seat_names: SeatNames) -> RenderableType:
    """Return the position as the lines of text of the game's renderer, for a game without a board of its own."""
    lines = renderer_of(game.rules.name).position_lines(game, viewer)
    return Group(*(seat_names.painted(seat_names.in_words(line)) for line in lines))


def plain_question(game: Game, viewer: str, seat_names: SeatNames) -> str:
    """Return a question that fits any decision, with the name of the kind of decision in the rules."""
    return f"What do you choose ({game.rules.decision_kind(game.states, 0)})?"


def plain_choice(position: dict[str, Any], viewer: str, name: str, seat_names: SeatNames) -> Choice:
    """Return an action as a choice whose words are the name of the action."""
    return Choice(name, name)


def plain_setup(setup: Setup) -> str:
    """Return the name of a setup as tables show it; empty if it is the title of the game."""
    return "" if str(setup) == spec_of(setup.game).title else str(setup)


@dataclass(frozen=True)
class TextInterface:
    """The text interface of a game at a terminal. Each part has a plain default that works for any game.

    Attributes:
        aim: what a player tries to achieve, in two lines of at most 76 characters.
        sentence: a description of the game in a sentence, for somebody who chooses a game.
        minutes: the approximate number of minutes that a person needs for a game against agents; 0 if unknown.
        setup_in_words: ``setup_in_words(setup)`` describes a setup, such as ``2 players, no neutral clan``; returns an
            empty text if there is only one setup.
        help_tables: tables that explain the cards, each in a sentence, and the course of a turn.
        board: ``board(game, viewer, seat_names)`` returns the viewer's knowledge of the position, at most 80 columns
            wide.
        overview: like ``board``, but with all details, shown on request; None if ``board`` shows all details.
        question: ``question(game, viewer, seat_names)`` returns the viewer's decision as a sentence.
        choice: ``choice(position, viewer, name, seat_names)`` returns a legal action, given by name, in words.
        stops: beginnings of lines of ``story``; before such a line, a reader at a terminal is asked to press a key.
        ending: ``ending(position)`` returns why a finished game ended and how it was won.
        points_table: ``points_table(game, seat_names)`` returns the sources of the points of a finished game, with one
            row per seat; None if the game has no points or cannot tell.
        coach: the explanations for a player's first game; None for no coach.
        sentences: ``sentences(game, events, viewer)`` returns some of the game's events as lines, with the game's names
            of seats, and with `NO_BREAK` where a line must not break. The viewer is a player, None for the full state,
            or any other name for a spectator who sees what all players know. If the attribute is None, ``story`` uses
            the story of the game's renderer.
        rules_page: the path of the rules in Markdown; None if there is no such file.
        rules_text: the rules as lines of text, for a game with neither an aim nor a page; by default
            the docstring of the rules class.
        names: ``names(rules)`` returns the names of cards and places in the game's texts and actions, in all spellings,
            so that invented names can replace them (see `romans_env.render.renaming`); None if that is impossible.
    """

    aim: tuple[str, ...] = ()
    sentence: str = ""
    minutes: int = 0
    setup_in_words: Callable[[Any], str] = plain_setup
    help_tables: tuple[HelpTable, ...] = ()
    board: Callable[[Game, str, SeatNames], RenderableType] = plain_board
    overview: Callable[[Game, str, SeatNames], RenderableType] | None = None
    question: Callable[[Game, str, SeatNames], str] = plain_question
    choice: Callable[[dict[str, Any], str, str, SeatNames], Choice] = plain_choice
    stops: tuple[str, ...] = ()
    ending: Callable[[dict[str, Any]], Ending] = lambda position: Ending("", "")
    points_table: Callable[[Game, SeatNames], HelpTable | None] = lambda game, seat_names: None
    coach: Coach | None = None
    sentences: Callable[[Game, Sequence[Any], str | None], list[str]] | None = None
    rules_page: Path | None = None
    rules_text: tuple[str, ...] = ()
    names: Callable[[Rules], Sequence[str]] | None = None

    def choices(self, game: Game, viewer: str, actions: Sequence[int], seat_names: SeatNames) -> list[Choice]:
        """Return the given legal actions of the viewer in words, in the same order."""
        position = game.position(viewer)
        return [self.choice(position, viewer, game.action_name(action), seat_names) for action in actions]

    def story(self, game: Game, viewer: str) -> list[str]:
        """Return the events so far as a list of lines, which only grows while the game goes on."""
        if self.sentences is not None:
            return self.sentences(game, game.events(), viewer)
        lines = renderer_of(game.rules.name).story(game, viewer)
        return lines


def text_interface_of(game: str) -> TextInterface:
    """Return the text interface of the game with the given name.

    Raises:
        ValueError: if there is no such game.
    """
    where = renderer_of(game).text_interface
    terminal: TextInterface = TextInterface() if where is None else imported(where)
    if terminal.aim or terminal.rules_page or terminal.rules_text:
        return terminal
    text = _docstring_of(spec_of(game).part("rules"))
    in_short = " ".join(text.partition("\n\n")[0].split())
    return replace(terminal, rules_text=tuple(text.splitlines()), sentence=terminal.sentence or in_short)


def _docstring_of(rules: type[Rules]) -> str:
    """Return the docstring of a rules class; empty if the class has no docstring of its own."""
    text = inspect.cleandoc(vars(rules).get("__doc__") or "")
    # The default docstring of a dataclass is its signature.
    return "" if text.startswith(f"{rules.__name__}(") else text


def phrases_of(game: Game, seat: str, actions: Sequence[int]) -> dict[str, str]:
    """Return the phrases of the given legal actions of a seat, by the actions' names."""
    seat_names = SeatNames({name: name for name in game.rules.seats}, reader=seat, ascii_only=True)
    choices = text_interface_of(game.rules.name).choices(game, seat, actions, seat_names)
    return {game.action_name(action): choice.phrase for action, choice in zip(actions, choices, strict=True)}


def result_in_words(game: Game, seat_names: SeatNames) -> tuple[str, str]:
    """Return two texts on a finished game: who won and how, and why the game is over with the points of all seats."""
    winners = [seat_names.name(winner) for winner in game.winners()]
    own_return = game.returns().get(seat_names.reader, 0.0) if seat_names.reader else 0.0
    is_winner = seat_names.reader in game.winners()
    ending = text_interface_of(game.rules.name).ending(game.position())
    how = f" {seat_names.in_words(ending.how)}" if ending.how and len(winners) == 1 else ""
    if is_winner and len(winners) > 1:
        result = f"You share the win with {' and '.join(name for name in winners if name != 'you')}"
    elif is_winner or own_return > 0:
        result = f"You win{how}"
    elif len(game.players) == 1:
        result = "A draw" if own_return == 0 else "The player loses" if seat_names.reader is None else "You lose"
    else:
        result = f"{' and '.join(winners)} {wins(winners)}{how}"
    points = ", ".join(f"{seat_names.name(seat)} {points}" for seat, points in game.points().items())
    return f"{result}.", f"{seat_names.in_words(ending.why)} Points: {points}.".strip()


def page_beside(module_file: str, docs_name: str) -> Path:
    """Return the path of a game's rules: ``rules.md`` next to the module if it exists, or else a page of ``docs/``."""
    packaged = Path(module_file).with_name("rules.md")
    return packaged if packaged.exists() else CHECKOUT_RULES / docs_name
