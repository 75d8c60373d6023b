"""A position for play in a browser: large cards, and the areas that explain them or select actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from romans_env.render.hit_areas import HitArea
from romans_env.render.picture import Picture
from romans_env.render.svg import Element, element, letters


class Sheet(NamedTuple):
    """A picture to play on.

    Attributes:
        picture: a picture of a part of the position.
        hit_areas: its areas; later ones lie above earlier ones.
    """

    picture: Picture
    hit_areas: Sequence[HitArea] = ()


Sheets = Sequence[Sheet]
"""The main sheet, then the sheets shown next to it, or below it on a narrow screen."""
DrawSheets = Callable[[dict[str, Any], "str | None", Sequence[str], Sequence[str], bool], Sheets]


def keyed(part: Element, key: str, change: str | None = None, source: str | None = None) -> Element:
    """Return a part that a page tracks from one picture to the next: it moves the part, or turns it if it has changed.

    Args:
        part: the part, such as a card, or a number as text, which is counted up or down.
        key: the key of the part. It reveals no more than the part shows: cards that look alike have the same key.
        change: how the part changes if it is not turned: ``"roll"``.
        source: for a number, the key of the part from which its gains come.
    """
    return element("g", part, data_key=key, data_change=change, data_from=source)


def centred(text: str, x: float, y: float, size: float, look: str, **attributes: Any) -> Element:
    """Return a line of text centred at x, with the classes ``look``."""
    return letters(text, x, y, size, class_=look, text_anchor="middle", **attributes)


def flush(text: str, x: float, y: float, size: float, look: str, **attributes: Any) -> Element:
    """Return a line of text that ends at x, with the classes ``look``."""
    return letters(text, x, y, size, class_=look, text_anchor="end", **attributes)


def below_each_other(drawn: Sheets) -> Picture:
    """Return sheets of equal width as one picture, from top to bottom."""
    (first, *_) = pictures = [sheet.picture for sheet in drawn]
    return Picture(tuple(band for picture in pictures for band in picture.bands), first.width, first.style)


def fitted(text: str, room: float, width: float) -> dict[str, Any]:
    """Return attributes that squeeze a text of about ``width`` into ``room``, if it is wider."""
    return stretched(round(room, 1)) if width > room else {}


def stretched(width: float) -> dict[str, Any]:
    """Return attributes that give a text exactly this width."""
    return {"textLength": width, "lengthAdjust": "spacingAndGlyphs"}
