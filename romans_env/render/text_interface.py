"""What a game offers those who play it at a terminal: its aim, its cards in words, its table, its choices.

A game's folder has a `TextInterface`, which its `Renderer` names; a game without gets a plain one of
`text_interface_of`.
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
"""A space at which a line of a story is not broken; it is shown as any other."""
CHECKOUT_RULES = Path(__file__).resolve().parents[2] / "docs" / "environments"


@dataclass(frozen=True)
class Choice:
    """A legal action as a reader chooses it.

    Attributes:
        item: in a numbered list, below the question, such as ``Zvord 3``.
        phrase: what a player does who chooses it, without a subject: ``place Zvord 3 in slot 2``.
        group: what choices with the same group have in common; they are listed in one paragraph.
        is_on_board: whether the board shows its number, so that the list need not.
        is_way_out: whether it ends the turn, or a row of choices: a page has it apart from the others.
        fold: a name for choices of which there are so many that a page lists them on request, by their groups.
        note: what it does, or whom it meets, in a few words for a first game; a list at a terminal has it behind the
            item, and behind the group where all of a group have the same.
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
        title: above it.
        columns: heads of the columns; the first holds names, the last a sentence.
        rows: a row for each card or notion, of as many entries as there are columns; words that belong together may be
            joined by `NO_BREAK`.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Ending(NamedTuple):
    """Why a game is over.

    Attributes:
        how: what follows who wins alone, such as ``by three Legion forts``; empty where ``why`` says it.
        why: what has ended the game and what decides it, as a sentence.
    """

    how: str
    why: str


class Words:
    """A text, in a cell of a table, say, that is not broken where `NO_BREAK` joins its words."""

    def __init__(self, text: str):
        self._text = text

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        longest = max(map(len, self._text.split(" ")))
        return Measurement(longest, len(self._text)).with_maximum(options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in textwrap.wrap(self._text, options.max_width, break_long_words=False, break_on_hyphens=False):
            yield Text(line.replace(NO_BREAK, " "))


class Items(Words):
    """A list in words that is broken between its items alone.

    Args:
        items: such as ``["Dinary 3", "Legion -1"]``.
        nothing: what is shown in place of an empty list.
    """

    def __init__(self, items: Sequence[str], nothing: str = "none"):
        super().__init__(unbroken(items) or nothing)


def unbroken(items: Sequence[str]) -> str:
    """Return a list in words that is to be broken between its items alone."""
    return ", ".join(item.replace(" ", NO_BREAK) for item in items)


class ByHeight:
    """One of two boards, by the height of the terminal.

    Args:
        low: for any.
        high: for one of at least so many lines.
        lines: how many.
    """

    def __init__(self, low: RenderableType, high: RenderableType, lines: int):
        self._low, self._high, self._lines = low, high, lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._high if console.size.height >= self._lines else self._low


def columns(*heads: str, **settings: Any) -> Table:
    """Return an empty table without lines, with a column for each head, at the right where the head ends in ``>``."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=bool(heads), **settings)
    for head in heads:
        table.add_column(head.removesuffix(">"), justify="right" if head.endswith(">") else "left")
    return table


def plain_board(game: Game, viewer: str, seat_names: SeatNames) -> RenderableType:
    """Return the position as the renderer's lines of text."""
    lines = renderer_of(game.rules.name).position_lines(game, viewer)
    return Group(*(seat_names.painted(seat_names.in_words(line)) for line in lines))


def plain_question(game: Game, viewer: str, seat_names: SeatNames) -> str:
    """Return what the player to act decides, by the name that the rules give the decision."""
    return f"What do you choose ({game.rules.decision_kind(game.states, 0)})?"


def plain_choice(position: dict[str, Any], viewer: str, name: str, seat_names: SeatNames) -> Choice:
    """Return an action by its name."""
    return Choice(name, name)


def plain_setup(setup: Setup) -> str:
    """Return a setup by the name that tables show; empty where that is the game's own."""
    return "" if str(setup) == spec_of(setup.game).title else str(setup)


@dataclass(frozen=True)
class TextInterface:
    """A game at a terminal. Every part has a plain form, which needs nothing of the game.

    Attributes:
        aim: what a player tries to do, in two lines of at most 76 characters.
        sentence: what the game is like, for somebody who chooses one.
        minutes: that a game takes a person against agents, about.
        setup_in_words: ``setup_in_words(setup)``: such as ``2 players, no neutral clan``; empty where there is but one.
        help_tables: every card in a sentence, and how a turn goes.
        board: ``board(game, viewer, seat_names)``: what the viewer may know of the position, at most 80 columns wide.
        overview: the same as ``board`` with all that can be shown, on request; None: ``board`` shows it.
        question: ``question(game, viewer, seat_names)``: what the viewer decides, as a sentence.
        choice: ``choice(position, viewer, name, seat_names)``: a legal action of the viewer in words, by its name.
        stops: how lines of ``story`` begin before which a reader at a terminal presses a key.
        ending: ``ending(position)``: why a game that is over has ended, and how it was won.
        points_table: ``points_table(game, seat_names)``: what brought the points of a game that is over, a row for each
            seat; None: the game counts none, or cannot say.
        coach: what somebody is told in a first game; None: nothing.
        sentences: ``sentences(game, events, viewer)``: some of the game's events, with its names of seats, as lines;
            what must stay on one line is joined by `NO_BREAK`. The viewer is a player, None for the full state, or
            another name for somebody who sees what all players know. None: only the renderer's story is known.
        rules_page: the page of rules, in Markdown; None: there is none.
        rules_text: the rules as lines of text, where there is neither an aim nor a page; by default the docstring of
            the class of the rules.
        names: ``names(rules)``: the names of cards and places in its texts and in those of its actions, in every
            spelling (see `romans_env.render.renaming`): what may be called by invented names; None: nothing may.
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
        """Return legal actions of the viewer in words."""
        position = game.position(viewer)
        return [self.choice(position, viewer, game.action_name(action), seat_names) for action in actions]

    def story(self, game: Game, viewer: str) -> list[str]:
        """Return all that happened, as lines that only grow in number while the game goes on."""
        if self.sentences is not None:
            return self.sentences(game, game.events(), viewer)
        lines = renderer_of(game.rules.name).story(game, viewer)
        return lines


def text_interface_of(game: str) -> TextInterface:
    """Return the terminal of a game, by the game's name.

    Raises:
        ValueError: there is no such game.
    """
    where = renderer_of(game).text_interface
    terminal: TextInterface = TextInterface() if where is None else imported(where)
    if terminal.aim or terminal.rules_page or terminal.rules_text:
        return terminal
    text = _docstring_of(spec_of(game).part("rules"))
    in_short = " ".join(text.partition("\n\n")[0].split())
    return replace(terminal, rules_text=tuple(text.splitlines()), sentence=terminal.sentence or in_short)


def _docstring_of(rules: type[Rules]) -> str:
    """Return the docstring of a class of rules; empty where it has none of its own."""
    text = inspect.cleandoc(vars(rules).get("__doc__") or "")
    # A dataclass has its signature for one.
    return "" if text.startswith(f"{rules.__name__}(") else text


def phrases_of(game: Game, seat: str, actions: Sequence[int]) -> dict[str, str]:
    """Return legal actions of a seat in words, by name."""
    seat_names = SeatNames({name: name for name in game.rules.seats}, reader=seat, ascii_only=True)
    choices = text_interface_of(game.rules.name).choices(game, seat, actions, seat_names)
    return {game.action_name(action): choice.phrase for action, choice in zip(actions, choices, strict=True)}


def result_in_words(game: Game, seat_names: SeatNames) -> tuple[str, str]:
    """Return who wins a game that is over and how, and why, with the points of all."""
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
    """Return the path of the rules: ``rules.md`` beside a module of an installed package, or a page of ``docs/``."""
    packaged = Path(module_file).with_name("rules.md")
    return packaged if packaged.exists() else CHECKOUT_RULES / docs_name
