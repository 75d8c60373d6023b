"""Sheets: pictures of a position for play in a browser, with areas that explain cards or select actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from romans_env.render.hit_areas import HitArea
from romans_env.render.picture import Picture
from romans_env.render.svg import Element, element, letters


class Sheet(NamedTuple):
    """A picture to play on in a browser.

    Attributes:
        picture: the picture, which shows the position or a part of it.
        hit_areas: areas of the picture that react to a pointer; later areas lie above earlier areas.
    """

    picture: Picture
    hit_areas: Sequence[HitArea] = ()


Sheets = Sequence[Sheet]
"""The main sheet, followed by the sheets shown next to it (on a narrow screen, below it)."""
DrawSheets = Callable[[dict[str, Any], "str | None", Sequence[str], Sequence[str], bool], Sheets]


def keyed(part: Element, key: str, change: str | None = None, source: str | None = None) -> Element:
    """Return an element with a key, so that a page can animate it from one picture to the next.

    The page moves the element to its new place, and turns it over if it has changed.

    Args:
        part: the element, such as a card. If it is a number as text, the page counts up or down to the new number.
        key: the key of the element. It must reveal no more than the element shows: cards that look alike share a key.
        change: ``"roll"`` to roll a changed element like a die; None to turn it over.
        source: for a number, the key of the element from which added units come; None for no such element.
    """
    return element("g", part, data_key=key, data_change=change, data_from=source)


def centred(text: str, x: float, y: float, size: float, look: str, **attributes: Any) -> Element:
    """Return a line of text whose centre is at x, with its baseline at y and the classes ``look``."""
    return letters(text, x, y, size, class_=look, text_anchor="middle", **attributes)


def flush(text: str, x: float, y: float, size: float, look: str, **attributes: Any) -> Element:
    """Return a line of text that ends at x, with its baseline at y and the classes ``look``."""
    return letters(text, x, y, size, class_=look, text_anchor="end", **attributes)


def below_each_other(drawn: Sheets) -> Picture:
    """Join sheets of equal width into one picture, from top to bottom."""
    (first, *_) = pictures = [sheet.picture for sheet in drawn]
    return Picture(tuple(band for picture in pictures for band in picture.bands), first.width, first.style)


def fitted(text: str, room: float, width: float) -> dict[str, Any]:
    """Return attributes that squeeze a text of about the given width into ``room``; none if the text fits."""
    return stretched(round(room, 1)) if width > room else {}


def stretched(width: float) -> dict[str, Any]:
    """Return attributes that stretch or squeeze a text to exactly the given width."""
    return {"textLength": width, "lengthAdjust": "spacingAndGlyphs"}
