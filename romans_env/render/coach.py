"""A coach for a player's first game: it states the aim and explains the first decisions of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Lesson:
    """An explanation of one kind of decision, in a sentence or two.

    Attributes:
        decision: the kind of decision, see `romans_env.core.protocol.Rules.decision_kind`.
        text: why the player has to make the decision, or a hint for making it.
    """

    decision: str
    text: str


@dataclass(frozen=True)
class Coach:
    """The explanations shown during a player's first game.

    Attributes:
        aim: the aim of the game in three lines.
        lessons: the explanations. The first lesson for a kind of decision is shown when such a decision first occurs,
            the second lesson when such a decision occurs again.
    """

    aim: tuple[str, str, str]
    lessons: tuple[Lesson, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the coach as JSON-able data: ``aim``, and ``lessons``, each with ``decision`` and ``text``."""
        lessons = [{"decision": lesson.decision, "text": lesson.text} for lesson in self.lessons]
        return {"aim": list(self.aim), "lessons": lessons}
