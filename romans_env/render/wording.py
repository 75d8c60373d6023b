"""A game in words: texts that are composed from a game's own wording of events and positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from string import Formatter
from typing import Any

from romans_env.core.event import Event
from romans_env.core.game import Game

Sentence = str | Callable[[Mapping[str, Any]], str]
"""The sentence for a kind of event: a template of `Sentences`, or a function of the event's details."""


@dataclass(frozen=True)
class Wording:
    """The wording of a game's events and positions.

    Environments are pickled with it, so its functions must be importable by name.

    Attributes:
        lines_of: ``lines_of(game, events, viewer)`` returns some of the game's events as lines.
        position_lines: ``position_lines(position, viewer)`` returns a position as lines.
        turn_starts: the kinds of events that begin a turn or a comparable part of the game.
    """

    lines_of: Callable[[Game, Sequence[Any], str | None], list[str]]
    position_lines: Callable[[dict[str, Any], str | None], list[str]]
    turn_starts: tuple[str, ...]

    def text(self, game: Game, viewer: str | None = None, since: int | None = None) -> str:
        """Return recent events and the position as text.

        Args:
            game: the game to show.
            viewer: the player from whose view the game is shown; None for the full state.
            since: the number of events to skip as they have been shown; None for the events of the last two turns.
        """
        events = game.events()
        happened = self._of_last_turns(events) if since is None else events[since:]
        return "\n".join([*self.lines_of(game, happened, viewer), "", *self.position(game, viewer)])

    def transcript(self, game: Game, viewer: str | None = None) -> str:
        """Return the game so far in words, as one text."""
        return "\n".join(self.story(game, viewer)) + "\n"

    def story(self, game: Game, viewer: str | None = None) -> list[str]:
        """Return the game so far in words, as lines."""
        return self.lines_of(game, game.events(), viewer)

    def position(self, game: Game, viewer: str | None = None) -> list[str]:
        """Return the current position as lines."""
        return self.position_lines(game.position(viewer), viewer)

    def _of_last_turns(self, events: Sequence[Any]) -> Sequence[Any]:
        starts = [number for number, event in enumerate(events) if event.kind in self.turn_starts]
        return events[starts[max(0, len(starts) - 2)] :] if starts else []


class Sentences:
    """Puts events into words with a table of templates such as ``{player} draws {number:card}``.

    The name in braces is a detail of the event. The part after a colon is one of:

    - a noun that a number counts, as in ``{number:card}``;
    - words that replace a detail if the viewer may not know it, as in ``{card:a card}``;
    - ``?`` and words that are left out if the detail is empty, with ``*`` for the detail, as in ``{card:? with *}``;
    - the name of a function, which is called with the detail, or with all details if there is no name before the colon,
      as in ``{:strength}``.

    Args:
        table: the sentence for each kind of event, a template or a function of the event's details.
        functions: functions that templates may name, in addition to ``entries`` and ``wins``.
    """

    def __init__(self, table: Mapping[str, Sentence], **functions: Callable[[Any], str]):
        self._functions: dict[str, Callable[[Any], str]] = {"entries": entries, "wins": wins, **functions}
        self._says = {kind: self._read(one) if isinstance(one, str) else one for kind, one in table.items()}

    def line(self, event: Event, viewer: str | None, **more: Any) -> str:
        """Return an event in words, as far as the viewer may know it; ``more`` adds details that templates may name."""
        return self._says[event.kind]({**event.seen_by(viewer).details, **more})

    def _read(self, template: str) -> Callable[[Mapping[str, Any]], str]:
        parts = [(text, name, self._worded(spec or "")) for text, name, spec, _ in Formatter().parse(template)]
        return lambda details: "".join(
            text if name is None else text + in_words(details[name] if name else details)
            for text, name, in_words in parts
        )

    def _worded(self, spec: str) -> Callable[[Any], str]:
        if not spec:
            return str
        if spec.startswith("?"):
            return lambda value: spec[1:].replace("*", str(value)) if value else ""
        return self._functions.get(spec) or partial(_counted_or_hidden, spec)


def _counted_or_hidden(words: str, value: Any) -> str:
    if value is None:
        return words
    return counted(value, words) if isinstance(value, int) else str(value)


def decision_line(
    decision: dict[str, Any] | None, questions: Mapping[str, str], about: Callable[[dict[str, Any]], str]
) -> str:
    """Return the last line of a position, which names the player to act and the decision.

    Args:
        decision: the decision of the position; None if the game is over.
        questions: the subjects of decisions in words, by kind of decision.
        about: a function that returns details of a decision; an empty text for no details.
    """
    if decision is None:
        return "  the game is over"
    detail = about(decision)
    return f"  {decision['agent']} decides {questions[decision['kind']]}" + (f" ({detail})" if detail else "")


def counted(number: int, noun: str) -> str:
    """Return a number with a noun in singular or plural, such as ``1 point`` or ``3 points``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def entries(counts: Mapping[str, Any]) -> str:
    """Return names with their values, such as ``player_0 3, player_1 5``."""
    return ", ".join(f"{name} {value}" for name, value in counts.items())


def wins(winners: Sequence[str]) -> str:
    """Return the verb for the winners: ``wins`` or ``share the win``."""
    return "wins" if len(winners) == 1 else "share the win"
