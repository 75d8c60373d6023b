"""Drawings of cities: a wall with as many towers as the city has."""

from __future__ import annotations

from functools import lru_cache

from romans_env.render.svg import Element, element, group, letters

_TOWER, _GAP = 7.6, 1.4
_WALL_TOP, _WALL_BOTTOM, _TOWER_TOP = -1.0, 10.0, -10.0
CASTLE_HEIGHT = _WALL_BOTTOM - _TOWER_TOP


def castle_width(towers: int) -> float:
    """Return the width of a city."""
    return towers * _TOWER + (towers - 1) * _GAP + 2


@lru_cache(maxsize=8)
def _outline(towers: int) -> str:
    left = -castle_width(towers) / 2
    parts = [f"M{left:.2f} {_WALL_BOTTOM}V{_WALL_TOP}h1"]
    notch = _TOWER / 5
    for _ in range(towers):
        parts.append(
            f"V{_TOWER_TOP}h{notch:.2f}v2h{notch:.2f}v-2h{notch:.2f}v2h{notch:.2f}v-2h{notch:.2f}V{_WALL_TOP}h{_GAP}"
        )
    parts[-1] = parts[-1].removesuffix(f"h{_GAP}") + "h1"
    return "".join(parts) + f"V{_WALL_BOTTOM}z"


@lru_cache(maxsize=64)
def castle(towers: int, ground: str, ink: str, text: str) -> Element:
    """Draw a city centred at (0, 0), with a short text on its wall.

    Args:
        towers: the number of towers.
        ground: the class of the wall.
        ink: the class of the text.
        text: the text, one to three letters.
    """
    return group(
        element("path", d=_outline(towers), class_="n spaper", stroke_width=4, stroke_linejoin="round"),
        element("path", d=_outline(towers), class_=f"{ground} sink", stroke_width=1.3, stroke_linejoin="round"),
        letters(text, 0, _WALL_BOTTOM - 1.4, 11, class_=f"b {ink}", text_anchor="middle"),
    )
