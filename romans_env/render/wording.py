"""A game in words: what follows from how its folder puts events and positions into lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from romans_env.game import Game


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
