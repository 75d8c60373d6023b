"""A game between a person at a terminal and agents."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
from rich.text import Text

import romans_agents
from romans_agents.base import has_action_probabilities
from romans_agents.errors import raised_by
from romans_agents.searches.comparison import share_of_return
from romans_agents.specs.listing import describe_agent
from romans_env import Game
from romans_env.core.undo import Undo
from romans_env.errors import error_line, shortened
from romans_env.render.renderer import renderer_of
from romans_env.render.seat_names import SeatNames
from romans_env.render.text_interface import NO_BREAK, Choice, HelpTable, TextInterface, result_in_words
from romans_training.cli.screen import Screen, drop_typed_ahead, is_interactive, show_paged
from romans_training.compare.annotations import annotation_of

_LIKELY = 3
"""Number of actions that a hint names, for an agent with action probabilities."""
_LATEST = 8
"""Number of lines of the story to show first when a game is continued."""


class Session:
    """A game between a person and agents.

    Args:
        game: the game, at its start or where it was stopped.
        seat: the person's seat.
        opponents: the agents, by seat.
        adviser: the agent that gives hints.
        text_interface: how the game is put into words.
        screen: where the game is shown.
        seat_names: display names of the seats.

    Attributes:
        game: the current game; an undo replaces the object.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        opponents: Mapping[int, romans_agents.Agent],
        adviser: romans_agents.Agent,
        text_interface: TextInterface,
        screen: Screen,
        seat_names: SeatNames,
    ):
        self.game = game
        self._seat, self._player = seat, game.players[seat]
        self._opponents, self._adviser = opponents, adviser
        self._text_interface, self._screen, self._seat_names = text_interface, screen, seat_names
        self._undo, self._is_new, self._is_explained = Undo(), True, False
        self._num_played = len(game.actions)
        # When a game is continued, the latest events are enough.
        self._lines_shown = max(0, len(self._story()) - _LATEST) if self._num_played else 0
        self._waiting: deque[str] = deque()
        self._commands: dict[str, Callable[[], None]] = {
            "?": self._explain,
            "help": self._explain,
            "w": self._show_overview,
            "u": self._take_back,
            "undo": self._take_back,
            "h": self._advise,
            "hint": self._advise,
        }

    @property
    def has_new_choices(self) -> bool:
        """Whether the person has made choices in this session that were not taken back."""
        return any(player == self._player for player, _ in self.game.actions[self._num_played :])

    def run(self) -> bool:
        """Play to the end; return False if the person stops before."""
        try:
            return self._play()
        except (click.Abort, KeyboardInterrupt):
            click.echo()
            return False

    def _play(self) -> bool:
        while not self.game.is_over:
            seat = self.game.seat_to_act
            assert seat is not None
            if seat != self._seat:
                self._let_act(seat)
                continue
            action = self._ask()
            if action is None:
                return False
            before, phrase = self.game.clone(), self._in_words([action])[0].phrase
            self.game.act(action)
            self._is_new = not self._undo.chosen(before, action, phrase, self.game)
        self._show_events()
        self._show_board()
        self._screen.line()
        self._screen.line(" ".join(result_in_words(self.game, self._seat_names)), "bold")
        points = self._text_interface.points_table(self.game, self._seat_names)
        if points is not None:
            self._screen.tables([points])
        return True

    def show(self) -> None:
        """Show the events since the last call, the board, and the question that the person is to answer."""
        self._show_events()
        self._show_board()
        self._show_question()

    def _let_act(self, seat: int) -> None:
        opponent, console = self._opponents[seat], self._screen.console
        waits = opponent.searches and console.is_terminal
        status = console.status(Text(f"{self._seat_names.name(self.game.players[seat])} decides"))
        with raised_by(opponent), status if waits else contextlib.nullcontext():
            action = opponent.act(self.game.view(seat))
        self.game.act(action)

    # -- the person's decisions

    def _ask(self) -> int | None:
        """Return the person's action, or None to stop."""
        # Text typed before an event was shown cannot answer the question after it; input from a script can.
        if self._is_new and is_interactive():
            drop_typed_ahead()
            if self._waiting:
                self._screen.line(f"Something new has happened, so this was ignored: {' '.join(self._waiting)}")
                self._waiting.clear()
        is_shown = not self._waiting
        if is_shown:
            self.show()
            if self._is_new:
                drop_typed_ahead()
        legal = self.game.legal_actions()
        while True:
            if not self._waiting:
                if not is_shown:
                    self._show_question()
                    is_shown = True
                self._waiting.extend(click.prompt("your choice", prompt_suffix="> ").split())
                continue
            answer = self._waiting.popleft()
            if answer in ("q", "quit"):
                return None
            if answer in self._commands:
                self._commands[answer]()
                legal, is_shown = self.game.legal_actions(), False
                continue
            action = self._understood(answer, legal)
            if action is not None:
                return action
            self._waiting.clear()
            if answer.startswith("?"):
                self._explain(answer[1:].lower())
                is_shown = False
                continue
            numbers = f"a number from 1 to {len(legal)}"
            self._screen.line(f"{shortened(answer)} is not a choice: answer with {numbers}, a name, or{NO_BREAK}?")

    def _understood(self, answer: str, legal: list[int]) -> int | None:
        if answer.isdecimal():
            number = int(answer)
            return legal[number - 1] if 1 <= number <= len(legal) else None
        names = {self.game.action_name(action): action for action in legal}
        for name, action in names.items():
            if answer.lower() in (name, name.partition(":")[2]):
                return action
        return None

    def _in_words(self, actions: Sequence[int]) -> list[Choice]:
        return self._text_interface.choices(self.game, self._player, actions, self._seat_names)

    def _show_question(self) -> None:
        self._screen.line()
        self._screen.line(self._text_interface.question(self.game, self._player, self._seat_names), "bold")
        self._screen.menu(self._in_words(self.game.legal_actions()))

    # -- commands

    def _explain(self, name: str = "") -> None:
        tables = self._text_interface.help_tables
        if name:
            found = _rows_about(name, tables)
            if not found:
                no_card = f"No card has {name!r} in its name."
                self._screen.line(
                    no_card if tables else "This game has nothing to explain by name; ? lists the commands."
                )
            tables = found
        else:
            position_name = renderer_of(self.game.rules.name).position_name
            tables = (*tables, _commands_table(position_name, self._adviser.name, has_cards=bool(tables)))
        self._screen.tables(tables)

    def _take_back(self) -> None:
        taken = self._undo.take_back()
        if taken is None:
            self._screen.line(f"There is nothing to take back: {self._undo.why_empty}.")
            return
        self.game, phrase = taken
        self._lines_shown = min(self._lines_shown, len(self._story()))
        self._screen.line(f"Taken back: {phrase}.")
        self._show_board()

    def _advise(self) -> None:
        try:
            self._screen.line(self._advice())
        except Exception as error:  # an agent from a file may raise anything
            self._screen.line(f"{self._adviser.name} gives no hint: {error_line(error)}")

    def _advice(self) -> str:
        """Return the adviser's choice, with its estimate of the game or, the first time, the idea behind the agent."""
        opinion = annotation_of(self._adviser, self.game.view(self._seat))
        likely = sorted(opinion.probabilities.items(), key=lambda item: -item[1])[:_LIKELY]
        if has_action_probabilities(self._adviser):
            told = ", or ".join(f"{self._told(name)} ({_percent(share)})" for name, share in likely if share >= 0.01)
        else:
            told = self._told(likely[0][0])
        said = [f"{self._adviser.name} would {told}."]
        if opinion.value is not None:
            share = float(share_of_return(np.array(opinion.value), len(self.game.players)).clip(0, 1))
            said.append(f"It expects you to win {_percent(share)} of such games if everyone plays as it does.")
        elif not self._is_explained and (idea := _idea_of(self._adviser, self.game.rules.name)):
            said.append(f"Its idea: {idea}")
        self._is_explained = True
        return " ".join(said)

    def _told(self, name: str) -> str:
        """Return a choice in the words of a hint, with its number if the board shows numbers."""
        action = self.game.action_id(name)
        choice = self._in_words([action])[0]
        number = self.game.legal_actions().index(action) + 1
        return f"{choice.phrase}, number {number}" if choice.is_on_board else choice.phrase

    # -- what is shown

    def _story(self) -> list[str]:
        return self._text_interface.story(self.game, self._player)

    def _show_events(self) -> None:
        lines = self._story()
        if lines[self._lines_shown :]:
            self._screen.line()
            self._screen.story(lines[self._lines_shown :], self._text_interface.stops)
        self._lines_shown = len(lines)

    def _show_board(self) -> None:
        self._screen.show(self._text_interface.board(self.game, self._player, self._seat_names))

    def _show_overview(self) -> None:
        show = self._text_interface.overview or self._text_interface.board
        shown = show(self.game, self._player, self._seat_names)
        show_paged(self._screen.console, lambda: self._screen.show(shown))


def _percent(share: float) -> str:
    return f"{100 * share:.0f}{NO_BREAK}%"


def _idea_of(agent: romans_agents.Agent, game: str) -> str:
    """Return the summary of an agent that comes with the package, beginning with a small letter; "" for others."""
    if agent.name.partition(":")[0] not in romans_agents.names(game):
        return ""
    summary = describe_agent(agent.name.partition(":")[0], game).summary
    return summary[:1].lower() + summary[1:]


def ask_for_file(screen: Screen, letter: str, does: str, default: Path) -> Path | None:
    """Ask at the end of a game whether to write a file; return its path, or None if the person declines.

    Args:
        screen: where to ask.
        letter: the answer that accepts, optionally followed by a path.
        does: effect of the answer, such as ``saves the game``.
        default: path to use if the answer names none.
    """
    drop_typed_ahead()
    screen.line(f"{letter} {does} (in {default}, or {letter} FILE for another file); anything else ends.")
    try:
        words = click.prompt("your choice", "", prompt_suffix="> ", show_default=False).split()
    except (click.Abort, EOFError):
        click.echo()
        return None
    if not words or words[0].lower() != letter:
        return None
    return Path(" ".join(words[1:])) if words[1:] else default


def _rows_about(name: str, tables: Sequence[HelpTable]) -> tuple[HelpTable, ...]:
    """Return the tables, reduced to the cards whose name contains ``name``."""
    found = (replace(table, rows=tuple(row for row in table.rows if name in row[0].lower())) for table in tables)
    return tuple(table for table in found if table.rows)


def _commands_table(position_name: str, adviser: str, has_cards: bool) -> HelpTable:
    """Return the help on commands; ``position_name`` is the game's word for its position, such as "the table"."""
    of_cards = (("?NAME", "Explains one card."),) if has_cards else ()
    return HelpTable(
        "Commands",
        ("", ""),
        (
            ("1, 2, 3", "Makes the choice with that number; several numbers, separated by spaces, are played in turn."),
            ("name", "Makes the choice with that name, as written in records."),
            *of_cards,
            ("w", f"Shows {position_name} again."),
            (
                "u, undo",
                "Takes your last choice back, unless something new has been shown or someone else has decided.",
            ),
            ("h, hint", f"Shows what the agent {adviser} would do."),
            ("q", "Stops the game."),
        ),
    )
