"""Areas of a picture that stand for something: a card to explain, an action to select."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple


class HitArea(NamedTuple):
    """A rectangle of a picture that explains something or selects actions when a user points at it.

    An action may belong to several areas, such as a card and the place it goes to. A user selects the action by
    selecting both areas, or by dragging one area onto the other.

    Attributes:
        x: left edge, in pixels of the picture at scale 1.
        y: upper edge, in the same pixels.
        width: width, in the same pixels.
        height: height, in the same pixels.
        name: what the area shows, such as ``Axx 4``.
        text: an explanation of the thing shown, in a sentence; empty for no explanation.
        actions: names of the legal actions that the area helps to select.
    """

    x: float
    y: float
    width: float
    height: float
    name: str
    text: str = ""
    actions: tuple[str, ...] = ()

    def moved(self, x: float, y: float, scale: float = 1) -> HitArea:
        """Return the area in the coordinates outside of a group that is first scaled and then moved by (x, y)."""
        return self._replace(
            x=x + scale * self.x, y=y + scale * self.y, width=scale * self.width, height=scale * self.height
        )


def __getattr__(name: str) -> Any:
    if name == "Spot":
        warnings.warn("Spot is HitArea now; the old name goes with the next version", DeprecationWarning, stacklevel=2)
        return HitArea
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
