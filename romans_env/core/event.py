"""What happened in a game, as its rules tell it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    Attributes:
        kind: such as ``battle``; the words of the game have a line for each.
        details: names and numbers that say what, JSON-able; the text renderer puts them into words. ``player`` is the
            seat that acts.
        secret: the detail that the rivals of ``player`` may not know, such as ``card``; None where all is open.
        private_to: the only seat that may know that it happened at all; None where all may.
    """

    kind: str
    details: dict[str, Any] = field(default_factory=dict)
    secret: str | None = None
    private_to: str | None = None

    def seen_by(self, viewer: str | None) -> Event:
        """Return the event as a viewer may know it; None sees all.

        To others than the event's player, a secret detail becomes None, and a list of secret cards a list of None.
        """
        if self.secret is None or viewer in (None, self.details["player"]):
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
