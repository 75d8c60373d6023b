"""A coach for a first game: the aim of the game, and an explanation of the first decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Lesson:
    """An explanation of a decision, in a sentence or two.

    Attributes:
        decision: the kind of the decision, see `romans_env.core.protocol.Rules.decision_kind`.
        text: why the decision is asked, or what is good to know about it.
    """

    decision: str
    text: str


@dataclass(frozen=True)
class Coach:
    """The explanations given during a first game.

    Attributes:
        aim: the aim of the game in three lines.
        lessons: the first one for a kind of decision is shown the first time it is asked, the second one the second
            time.
    """

    aim: tuple[str, str, str]
    lessons: tuple[Lesson, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the coach as plain JSON: ``aim``, and ``lessons`` with their ``decision`` and ``text``."""
        lessons = [{"decision": lesson.decision, "text": lesson.text} for lesson in self.lessons]
        return {"aim": list(self.aim), "lessons": lessons}
