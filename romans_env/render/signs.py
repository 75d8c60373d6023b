"""Signs for cards and pieces: flat shapes in one colour, 24 by 24 pixels before scaling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from romans_env.render.svg import Element, element, group, stroke

SIGN_SIZE = 24
Shapes = tuple[tuple[str, str], ...]
"""The parts of a sign as pairs (kind, path); kinds are ``fill``, ``hole`` (even-odd fill) and names of line widths."""
SCROLL: Shapes = (
    ("line", "M7 4v16h10V4"),
    ("fill", "M4 1.5h16v4H4zM4 18.5h16v4H4z"),
    ("thin", "M9.5 9h5M9.5 12h5M9.5 15h5"),
)
HELMET: Shapes = (("thick", "M3.5 7c4-6 13-6 17 0"), ("hole", "M4 22v-8a8 7 0 0 1 16 0v8h-5v-6H9v6z"))
_WIDTHS = {"thin": 1.6, "line": 2.4, "thick": 3.6}


def sign_of(
    shapes: Shapes, x: float, y: float, size: float, colour: str, widths: Mapping[str, float] = _WIDTHS
) -> Element:
    """Draw a sign with its upper left corner at (x, y), in the colour of the class ``colour``."""
    return group(*(_shape(kind, d, colour, widths) for kind, d in shapes), x=x, y=y, scale=size / SIGN_SIZE)


def outline(d: str, x: float, y: float, size: float, colour: str, **attributes: Any) -> Element:
    """Draw a sign that consists of one filled path, with its upper left corner at (x, y)."""
    return group(element("path", d=d, class_=colour, **attributes), x=x, y=y, scale=size / SIGN_SIZE)


def _shape(kind: str, d: str, colour: str, widths: Mapping[str, float]) -> Element:
    if kind in widths:
        return stroke(d, colour, widths[kind])
    return element("path", d=d, class_=colour, fill_rule="evenodd" if kind == "hole" else None)
