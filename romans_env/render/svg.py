"""SVG as text: elements, and letters that cannot break out of them.

Four functions that add up strings: a picture must be made in about a millisecond, and libraries that build trees of
elements take several.
"""

from __future__ import annotations

import html
from functools import cache
from typing import Any


def element(name: str, *children: str, **attributes: Any) -> str:
    """An element as text.

    Args:
        name: the name of the element.
        children: the elements within; they are not escaped.
        attributes: ``stroke_width`` is ``stroke-width`` and ``class_`` is ``class``; None leaves one out.
    """
    said = "".join(
        f' {_attribute_name(key)}="{_escaped(value)}"' for key, value in attributes.items() if value is not None
    )
    return f"<{name}{said}>{''.join(children)}</{name}>" if children else f"<{name}{said}/>"


def group(*children: str, x: float = 0, y: float = 0, turn: float = 0, scale: float = 1) -> str:
    """Elements that are drawn larger or smaller, turned by so many degrees, and moved by (x, y)."""
    moves = [f"translate({_number(x)} {_number(y)})"] if x or y else []
    moves += [f"rotate({_number(turn)})"] if turn else []
    moves += [f"scale({_number(scale)})"] if scale != 1 else []
    return element("g", *children, transform=" ".join(moves) or None)


def letters(text: str, x: float, y: float, size: float, **attributes: Any) -> str:
    """A line of text at a baseline; it is escaped."""
    return element("text", html.escape(text, quote=False), x=x, y=y, font_size=size, **attributes)


def box(x: float, y: float, width: float, height: float, radius: float = 0, **attributes: Any) -> str:
    """A rectangle, with round corners if need be."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius or None, **attributes)


@cache
def _attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _escaped(value: Any) -> str:
    return html.escape(value) if isinstance(value, str) else _number(value)


def _number(value: float) -> str:
    return f"{value:.6g}"
