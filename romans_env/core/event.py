"""Events: what happened in a game, as its rules report it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from romans_env.errors import UserError, shortened


class EventError(UserError, ValueError):
    """Rules reported something that is not a valid event."""


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    Attributes:
        kind: the kind of event, such as ``battle``, for which the game's text renderer has a sentence. Without one, the
            text is the name of the player followed by the kind, so a verb such as ``raises`` is best.
        details: further values as plain JSON, which the sentence contains. ``player`` is the name of the acting seat.
        secret: the detail that only ``player`` may know, such as ``card``; None if all details are public.
        private_to: the only seat that may know of the event; None if all may.

    Raises:
        EventError: if the secret detail does not exist.
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
        """Return a value that rules reported as an event.

        Args:
            told: an event; a text, which becomes the kind of a public event; or a mapping whose keys are attributes of
                an event and further details.

        Raises:
            EventError: if it is none of these.
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
        """Return whether the event must be kept from a viewer, the name of a seat; the viewer None sees everything."""
        return viewer is not None and self.private_to not in (None, viewer)

    def seen_by(self, viewer: str | None) -> Event:
        """Return the event as a viewer may know it; the viewer None sees everything.

        For viewers other than the event's player, a secret detail is replaced by None, and each item of a secret list
        by None.
        """
        if self.secret is None or viewer in (None, self.details.get("player")):
            return self
        hidden = self.details[self.secret]
        shown = [None] * len(hidden) if isinstance(hidden, list) else None
        return replace(self, details={**self.details, self.secret: shown}, secret=None)


def with_draws_joined(events: Iterable[Event]) -> list[Event]:
    """Return the events, with consecutive draws of a seat for the same reason joined into one event."""
    joined: list[Event] = []
    for event in events:
        if event.kind == "draws" and joined and joined[-1].kind == "draws":
            last, new = joined[-1].details, event.details
            if (last["player"], last.get("why")) == (new["player"], new.get("why")):
                event = replace(event, details={**new, "cards": last["cards"] + new["cards"]})
                joined.pop()
        joined.append(event)
    return joined
