"""Details of cards, and the chips of captured forts."""

from __future__ import annotations

from functools import lru_cache

from romans_env.render.romans_go_home.symbols import fort_sign
from romans_env.render.svg import Element, box, element, group, letters
from romans_env.romans_go_home.material import STRENGTH, WARRIORS

CHIP_HEIGHT = 20
_MINUS = "\N{MINUS SIGN}"


def strength_of(warrior: str) -> int:
    """Return the number on a warrior's card (RULES 1.1)."""
    return int(STRENGTH[WARRIORS.index(warrior)])


def heart(x: float, y: float) -> Element:
    """Draw the sign of a charmed warrior at (x, y)."""
    return group(
        element("circle", cx=5, cy=5, r=8, class_="ink"),
        element("path", d="M5 9.500L.8 5.200A2.5 2.5 0 0 1 5 2.2 2.5 2.5 0 0 1 9.2 5.200z", class_="card"),
        x=x,
        y=y,
    )


@lru_cache(maxsize=2048)
def chip(name: str, copies: int, x: float, y: float) -> tuple[Element, float]:
    """Draw a captured fort as a small chip, with a number if there are several; return the chip and its width."""
    kind, points = name.partition("-")[0], points_in_words(name)
    body, ink = ("legion", "onlegion") if kind == "legion" else ("stone", "ink")
    width = 20 + 9 * len(points) + (4 if points.startswith(_MINUS) else 0)
    drawn = [
        box(0, 0, width, CHIP_HEIGHT, 3, class_=body),
        fort_sign(name, 3, 3.5, 13, ink),
        letters(points, width - 4, 15, 13, class_=f"b {ink}", text_anchor="end"),
    ]
    if copies > 1:
        drawn.append(letters(f"\N{MULTIPLICATION SIGN}{copies}", width + 2, 15, 11, class_="muted"))
        width += 18
    return group(*drawn, x=x, y=y), width


def points_in_words(name: str) -> str:
    """Return a fort's points as written on it (RULES 1.2)."""
    kind, _, value = name.partition("-")
    return f"{_MINUS}{value}" if kind == "legion" else value


def crenellated(width: float, height: float) -> str:
    """Return the outline of a wall with five merlons, as an SVG path."""
    teeth, depth = 5, 8
    step = width / (2 * teeth - 1)
    d = f"M0 {height:g}V0"
    for k in range(teeth):
        d += f"H{(2 * k + 1) * step:.4g}"
        if k < teeth - 1:
            d += f"V{depth}H{(2 * k + 2) * step:.4g}V0"
    return f"{d}V{height:g}z"
