"""A coach for somebody's first game: what it is about, and why the first questions are asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Lesson:
    """A sentence or two for a decision.

    Attributes:
        decision: the kind of the decision, see `romans_env.core.protocol.Rules.decision_kind`.
        text: why it is asked, or what is good to know there.
    """

    decision: str
    text: str


@dataclass(frozen=True)
class Coach:
    """What a first game is accompanied by.

    Attributes:
        aim: the aim of the game in three lines.
        lessons: the first for a kind of decision is for the first time that it is asked, the second for the second.
    """

    aim: tuple[str, str, str]
    lessons: tuple[Lesson, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the coach as plain JSON: ``aim``, and ``lessons`` with their ``decision`` and ``text``."""
        lessons = [{"decision": lesson.decision, "text": lesson.text} for lesson in self.lessons]
        return {"aim": list(self.aim), "lessons": lessons}
