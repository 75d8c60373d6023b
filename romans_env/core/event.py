"""What happened in a game, as its rules tell it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from romans_env.errors import UserError, shortened


class EventError(UserError, ValueError):
    """Something that rules tell as an event and that is none."""


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    Attributes:
        kind: such as ``battle``; the words of the game have a line for each. A game without words of its own is told
            with the kind as it is, behind the name of the player: ``raises``.
        details: names and numbers that say what, JSON-able; the text renderer puts them into words. ``player`` is the
            seat that acts.
        secret: the detail that the rivals of ``player`` may not know, such as ``card``; None where all is open.
        private_to: the only seat that may know that it happened at all; None where all may.

    Raises:
        EventError: there is no such detail as the secret one.
    """

    kind: str
    details: dict[str, Any] = field(default_factory=dict)
    secret: str | None = None
    private_to: str | None = None

    def __post_init__(self) -> None:
        if self.secret is not None and self.secret not in list(self.details):
            raise EventError(
                f"the secret of an event is one of its details, not {shortened(self.secret)}: "
                f"{shortened(self.kind)} has {', '.join(self.details) or 'none'}"
            )

    @classmethod
    def of(cls, told: Any) -> Event:
        """Return what rules tell as an event.

        Args:
            told: an event; a text, which all may know; or an object, whose keys are the attributes, and further
                details.

        Raises:
            EventError: it is none of these.
        """
        if isinstance(told, Event):
            return told
        if isinstance(told, str):
            return cls(told)
        details = told.get("details", {}) if isinstance(told, Mapping) else None
        if not isinstance(details, Mapping):
            raise EventError(f"an event is a romans_env.core.event.Event, a text or an object, not {shortened(told)}")
        names = {one.name for one in fields(cls)}
        further = {name: value for name, value in told.items() if name not in names}
        return cls(told.get("kind", ""), {**further, **details}, told.get("secret"), told.get("private_to"))

    def is_kept_from(self, viewer: str | None) -> bool:
        """Return whether a viewer may not know that it happened; None sees all."""
        return viewer is not None and self.private_to not in (None, viewer)

    def seen_by(self, viewer: str | None) -> Event:
        """Return the event as a viewer may know it; None sees all.

        To others than the event's player, a secret detail becomes None, and a list of secret cards a list of None.
        """
        if self.secret is None or viewer in (None, self.details.get("player")):
            return self
        hidden = self.details[self.secret]
        shown = [None] * len(hidden) if isinstance(hidden, list) else None
        return replace(self, details={**self.details, self.secret: shown}, secret=None)


def with_draws_joined(events: Iterable[Event]) -> list[Event]:
    """Return events in which the cards that a seat draws one by one, for the same reason, are one event."""
    joined: list[Event] = []
    for event in events:
        if event.kind == "draws" and joined and joined[-1].kind == "draws":
            last, new = joined[-1].details, event.details
            if (last["player"], last.get("why")) == (new["player"], new.get("why")):
                event = replace(event, details={**new, "cards": last["cards"] + new["cards"]})
                joined.pop()
        joined.append(event)
    return joined
