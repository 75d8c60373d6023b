"""Signs: flat shapes in one colour, 24 by 24."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from romans_env.render.svg import Element, element, group

SIGN_SIZE = 24
Shapes = tuple[tuple[str, str], ...]
"""The parts of a sign, each with a path: ``fill``, ``hole`` (within an outline, left out) or how thick a line is."""
_WIDTHS = {"thin": 1.6, "line": 2.4, "thick": 3.6}


def sign_of(
    shapes: Shapes, x: float, y: float, size: float, colour: str, widths: Mapping[str, float] = _WIDTHS
) -> Element:
    """Draw a sign, its corner at (x, y), in the colour of a class of the palette."""
    return group(*(_shape(kind, d, colour, widths) for kind, d in shapes), x=x, y=y, scale=size / SIGN_SIZE)


def outline(d: str, x: float, y: float, size: float, colour: str, **attributes: Any) -> Element:
    """Draw a sign that is a single filled path."""
    return group(element("path", d=d, class_=colour, **attributes), x=x, y=y, scale=size / SIGN_SIZE)


def _shape(kind: str, d: str, colour: str, widths: Mapping[str, float]) -> Element:
    if kind in widths:
        return element("path", d=d, class_=f"n s{colour}", stroke_width=widths[kind], stroke_linecap="round")
    return element("path", d=d, class_=colour, fill_rule="evenodd" if kind == "hole" else None)
