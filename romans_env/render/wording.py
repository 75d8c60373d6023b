"""A game in words: what follows from how its folder puts events and positions into lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from string import Formatter
from typing import Any

from romans_env.core.event import Event
from romans_env.core.game import Game

Sentence = str | Callable[[Mapping[str, Any]], str]
"""What is said of events of a kind: a template for `Sentences`, or a function of the details."""


@dataclass(frozen=True)
class Wording:
    """The words of a game. Environments are pickled with them, so its functions have names.

    Attributes:
        lines_of: ``lines_of(game, events, viewer)``: some of the game's events, as lines.
        position_lines: ``position_lines(position, viewer)``: a position as lines.
        turn_starts: kinds of the events with which a turn begins, or what counts as one.
    """

    lines_of: Callable[[Game, Sequence[Any], str | None], list[str]]
    position_lines: Callable[[dict[str, Any], str | None], list[str]]
    turn_starts: tuple[str, ...]

    def text(self, game: Game, viewer: str | None = None, since: int | None = None) -> str:
        """Return the position, below what happened before it.

        Args:
            game: the game to show.
            viewer: a player, whose view of the game is shown; None shows the full state.
            since: how many of the game's events have been printed already; None prints this turn and the turn before.
        """
        events = game.events()
        happened = self._of_last_turns(events) if since is None else events[since:]
        return "\n".join([*self.lines_of(game, happened, viewer), "", *self.position(game, viewer)])

    def transcript(self, game: Game, viewer: str | None = None) -> str:
        """Return the whole game in words."""
        return "\n".join(self.story(game, viewer)) + "\n"

    def story(self, game: Game, viewer: str | None = None) -> list[str]:
        """Return the whole game, as lines."""
        return self.lines_of(game, game.events(), viewer)

    def position(self, game: Game, viewer: str | None = None) -> list[str]:
        """Return where the game stands, as lines."""
        return self.position_lines(game.position(viewer), viewer)

    def _of_last_turns(self, events: Sequence[Any]) -> Sequence[Any]:
        starts = [number for number, event in enumerate(events) if event.kind in self.turn_starts]
        return events[starts[max(0, len(starts) - 2)] :] if starts else []


class Sentences:
    """Puts events into words by a table of templates such as ``{player} draws {number:card}``.

    Behind the colon stands the noun in which a number is counted, what is said in place of a detail that the viewer may
    not know (``{card:a card}``), what is said of a detail that is not empty (``{card:? with *}``), or the name of a
    function, which is given the detail, or all of them where none is named (``{:strength}``).

    Args:
        table: a sentence for each kind of event.
        functions: that templates name, beside ``entries`` and ``wins``.
    """

    def __init__(self, table: Mapping[str, Sentence], **functions: Callable[[Any], str]):
        self._functions: dict[str, Callable[[Any], str]] = {"entries": entries, "wins": wins, **functions}
        self._says = {kind: self._read(one) if isinstance(one, str) else one for kind, one in table.items()}

    def line(self, event: Event, viewer: str | None, **more: Any) -> str:
        """Return an event in words, as the viewer may know it; ``more`` are further details."""
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
    """Return who decides what, as the last line of a position.

    Args:
        decision: the decision of the position; None where the game is over.
        questions: what is decided, by the kind of the decision.
        about: a function that returns more about a decision, or an empty text.
    """
    if decision is None:
        return "  the game is over"
    detail = about(decision)
    return f"  {decision['agent']} decides {questions[decision['kind']]}" + (f" ({detail})" if detail else "")


def counted(number: int, noun: str) -> str:
    """Return a number and its noun, such as ``1 point`` or ``3 points``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def entries(counts: Mapping[str, Any]) -> str:
    """Return what belongs to each name, such as ``player_0 3, player_1 5``."""
    return ", ".join(f"{name} {value}" for name, value in counts.items())


def wins(winners: Sequence[str]) -> str:
    """Return what is said of the winners."""
    return "wins" if len(winners) == 1 else "share the win"
