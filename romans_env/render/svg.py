"""SVG as elements, which are tuples, and their text; letters cannot break out of it.

A picture must be made in about a millisecond, and libraries that build trees of elements take several.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple


class Element(NamedTuple):
    """An element. Two that are equal look alike, so that what has been drawn can be looked up.

    Attributes:
        name: the name of the element.
        attributes: names and values.
        children: the elements within, and text.
    """

    name: str
    attributes: tuple[tuple[str, Any], ...]
    children: tuple[Element | str, ...]


def element(name: str, *children: Element | str, **attributes: Any) -> Element:
    """Return an element.

    Args:
        name: the name of the element.
        children: the elements within, and text.
        attributes: ``stroke_width`` is ``stroke-width`` and ``class_`` is ``class``; None leaves one out.
    """
    pairs = [(_attribute_name(key), value) for key, value in attributes.items() if value is not None]
    return Element(name, tuple(pairs), children)


def group(*children: Element | str, x: float = 0, y: float = 0, turn: float = 0, scale: float = 1) -> Element:
    """Return a group of elements scaled, turned by an angle in degrees, and moved by (x, y)."""
    moves = [f"translate({_number(x)} {_number(y)})"] if x or y else []
    moves += [f"rotate({_number(turn)})"] if turn else []
    moves += [f"scale({_number(scale)})"] if scale != 1 else []
    return element("g", *children, transform=" ".join(moves) or None)


def letters(text: str, x: float, y: float, size: float, **attributes: Any) -> Element:
    """Return a line of text at a baseline."""
    return element("text", text, x=x, y=y, font_size=size, **attributes)


def stroke(d: str, colour: str, width: float, **attributes: Any) -> Element:
    """Return a line with round ends along a path, in the colour of a class of the palette."""
    return element("path", d=d, class_=f"n s{colour}", stroke_width=width, **attributes, stroke_linecap="round")


def box(x: float, y: float, width: float, height: float, radius: float = 0, **attributes: Any) -> Element:
    """Return a rectangle, with round corners if ``radius`` is not 0."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius or None, **attributes)


ClassStyles = Callable[[str], Mapping[str, Any]]
"""The attributes that the names of classes, with spaces between them, are short for."""


def styled(part: Element, styles: ClassStyles) -> Element:
    """Return an element, not those within, with attributes in place of its class."""
    attributes: dict[str, Any] = {}
    for key, value in part.attributes:
        attributes |= styles(value) if key == "class" else {key: value}
    return part._replace(attributes=tuple(attributes.items()))


def as_text(part: Element | str, change: Callable[[Element], Element] | None = None) -> str:
    """Return an element as SVG; text is escaped.

    Args:
        part: the element, or text.
        change: a function that returns what is written in the place of an element; it is called before those within.
    """
    if isinstance(part, str):
        return html.escape(part, quote=False)
    name, attributes, children = part if change is None else change(part)
    said = "".join([f' {key}="{_escaped(value)}"' for key, value in attributes])
    if not children:
        return f"<{name}{said}/>"
    return f"<{name}{said}>{''.join([as_text(child, change) for child in children])}</{name}>"


@cache
def _attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _escaped(value: Any) -> str:
    return html.escape(value) if isinstance(value, str) else _number(value)


def _number(value: float) -> str:
    return f"{value:.6g}"
