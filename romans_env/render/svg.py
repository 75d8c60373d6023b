"""SVG elements as tuples, and their serialisation, which escapes text so that it cannot inject markup.

A picture must be built in about a millisecond; libraries that build element trees take several milliseconds.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple


class Element(NamedTuple):
    """An SVG element. Equal elements look the same, so a rendering can be cached with its element as the key.

    Attributes:
        name: the name of the element.
        attributes: pairs of name and value.
        children: child elements and pieces of text.
    """

    name: str
    attributes: tuple[tuple[str, Any], ...]
    children: tuple[Element | str, ...]


def element(name: str, *children: Element | str, **attributes: Any) -> Element:
    """Return an SVG element with the given children and attributes.

    Args:
        name: the name of the element.
        children: child elements and text.
        attributes: the attributes by name; ``stroke_width`` means ``stroke-width`` and ``class_`` means ``class``.
            An attribute whose value is None is left out.
    """
    pairs = [(_attribute_name(key), value) for key, value in attributes.items() if value is not None]
    return Element(name, tuple(pairs), children)


def group(*children: Element | str, x: float = 0, y: float = 0, turn: float = 0, scale: float = 1) -> Element:
    """Return a group of elements, scaled, rotated by ``turn`` degrees, and moved by (x, y)."""
    moves = [f"translate({_number(x)} {_number(y)})"] if x or y else []
    moves += [f"rotate({_number(turn)})"] if turn else []
    moves += [f"scale({_number(scale)})"] if scale != 1 else []
    return element("g", *children, transform=" ".join(moves) or None)


def letters(text: str, x: float, y: float, size: float, **attributes: Any) -> Element:
    """Return a line of text with its baseline starting at (x, y)."""
    return element("text", text, x=x, y=y, font_size=size, **attributes)


def stroke(d: str, colour: str, width: float, **attributes: Any) -> Element:
    """Return a line with round ends along the path ``d``, in the colour of the class ``colour``."""
    return element("path", d=d, class_=f"n s{colour}", stroke_width=width, **attributes, stroke_linecap="round")


def box(x: float, y: float, width: float, height: float, radius: float = 0, **attributes: Any) -> Element:
    """Return a rectangle, with rounded corners if ``radius`` is not 0."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius or None, **attributes)


ClassStyles = Callable[[str], Mapping[str, Any]]
"""A function that maps class names, separated by spaces, to the attributes they set."""


def styled(part: Element, styles: ClassStyles) -> Element:
    """Return an element with its class replaced by the attributes that the class sets; its children are unchanged."""
    attributes: dict[str, Any] = {}
    for key, value in part.attributes:
        attributes |= styles(value) if key == "class" else {key: value}
    return part._replace(attributes=tuple(attributes.items()))


def as_text(part: Element | str, change: Callable[[Element], Element] | None = None) -> str:
    """Return an element as SVG source; text content is escaped.

    Args:
        part: the element, or a piece of text.
        change: a function that returns a replacement for an element; it is called for each element before its children.
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
