"""Signs for warriors and forts, which differ in their outlines, not only in colour."""

from __future__ import annotations

import math

from romans_env.render.signs import Shapes, sign_of
from romans_env.render.svg import Element


def _path(d: str) -> tuple[str, str]:
    return ("fill", d)


def _line(d: str) -> tuple[str, str]:
    return ("line", d)


def _wheel() -> Shapes:
    """Return the shapes of a wheel: a rim, a hub and eight spokes."""
    spokes = []
    for k in range(8):
        x, y = math.cos(math.pi * k / 4), math.sin(math.pi * k / 4)
        spokes.append(f"M{12 + 2 * x:.1f} {12 + 2 * y:.1f}L{12 + 9 * x:.1f} {12 + 9 * y:.1f}")
    return (_line("M12 2.8a9.2 9.2 0 1 0 .01 0z"), ("thin", "".join(spokes)), _path("M12 9a3 3 0 1 0 .01 0z"))


WARRIOR_SIGNS: dict[str, Shapes] = {
    # A crown.
    "qween": (_path("M2.5 6.5l5 4.6L12 3.5l4.5 7.6 5-4.6-2.2 11H4.7z"), _path("M4.7 19h14.6v2.4H4.7z")),
    # A sickle.
    "druhid": (
        _path("M7.2 14.2C3 8.2 8.6 1.2 15.6 2.3 20 3 22.6 7 21.6 11.4 20 7.6 16.6 5.4 13.3 6.2 10 7 9 10.4 9.8 12.8z"),
        _line("M8.4 13.6L3.6 20.4"),
    ),
    # A sword.
    "zvord": (_path("M20.8 2.2l1 1L20.6 8 11.2 17.4 6.6 12.8 16 3.4z"), _line("M4.6 12.2l7.2 7.2M7.6 16.4L3.4 20.6")),
    # An axe with two blades.
    "axx": (
        _line("M12 3v18.5"),
        _path("M10.3 6.2C7.6 6.2 5.8 5 4.6 2.8 1.2 6.8 1.2 11.6 4.6 15.6 5.8 13.4 7.6 12.2 10.3 12.2z"),
        _path("M13.7 6.2C16.4 6.2 18.2 5 19.4 2.8 22.8 6.8 22.8 11.6 19.4 15.6 18.2 13.4 16.4 12.2 13.7 12.2z"),
    ),
    # A bow with its arrow.
    "archr": (
        _line("M6 3c10.5 0 15 4.5 15 15"),
        ("thin", "M6 3L21 18M3.2 20.8L18 6"),
        _path("M21.6 2.4l-1.4 6.8-5.4-5.4z"),
    ),
    # A thief's mask.
    "filchy": (
        (
            "hole",
            "M1.5 8.5C5 5.4 9 6 12 8c3-2 7-2.6 10.5.5.4 5.6-2 9.3-5.7 9.3-2.3 0-3.6-2.6-4.8-2.6s-2.5 2.6-4.8 2.6"
            "c-3.7 0-6.1-3.7-5.7-9.3zM5 11.6c.6 1.8 1.8 2.6 3.2 2.6 1.2 0 2-.6 2.2-1.6-1.2-1.6-3.4-2.2-5.4-1z"
            "M19 11.6c-2-1.2-4.2-.6-5.4 1 .2 1 1 1.6 2.2 1.6 1.4 0 2.6-.8 3.2-2.6z",
        ),
    ),
    # A horseshoe.
    "horsie": (("thick", "M6.6 20.6C1.6 12.6 4.4 4.6 12 4.6s10.4 8 5.4 16"), ("thin", "M3.4 21.4h5M15.6 21.4h5")),
    # A chariot's wheel.
    "chariott": _wheel(),
}

FORT_SIGNS: dict[str, Shapes] = {
    # A standard on its pole.
    "legion": (_line("M12 2v20.4"), _path("M4 5h16v9.5l-2.7 2.6-2.6-2.6-2.7 2.6-2.7-2.6-2.6 2.6L4 14.5z")),
    # A tower.
    "dinary": (
        ("hole", "M4 3h3.6v2.6h2.6V3h3.6v2.6h2.6V3H20v6.2l-2 1.6V21.5H6V10.8L4 9.2zM10 21.5v-4.6a2 2 0 0 1 4 0v4.6z"),
    ),
    # The moon over sleepers.
    "unwary": (_path("M13 3.2A9.4 9.4 0 1 0 20.6 17 8.6 8.6 0 0 1 13 3.2z"), ("thin", "M15.4 4.4h5.4l-5.4 6h5.4")),
    # A beacon.
    "signal": (
        _path(
            "M12.4 1.5c.6 3.5 5.6 5.5 5.6 10.2 0 3.2-2.5 5.3-6 5.3s-6-2.1-6-5.3c"
            "0-2.5 1.3-4.2 2.7-5.6.1 2 .8 3 1.8 3.5.3-3.4.4-5.6 1.9-8.1z"
        ),
        _path("M5 18.4h14l-2 4H7z"),
    ),
    # Coins.
    "tax": (
        _path("M3 16.6c0 3 18 3 18 0v2.6c0 3.6-18 3.6-18 0zM3 11.4c0 3 18 3 18 0V14c0 3.6-18 3.6-18 0z"),
        _path("M3 6.2c0-4 18-4 18 0v2.6c0 3.6-18 3.6-18 0z"),
    ),
}

_WIDTHS = {"thin": 1.8, "line": 2.6, "thick": 4.6}


def warrior_sign(warrior: str, x: float, y: float, size: float, colour: str) -> Element:
    """Draw the sign of a warrior with its upper left corner at (x, y), in the colour of a class of the palette."""
    return sign_of(WARRIOR_SIGNS[warrior], x, y, size, colour, _WIDTHS)


def fort_sign(fort: str, x: float, y: float, size: float, colour: str) -> Element:
    """Draw the sign of a fort's kind."""
    return sign_of(FORT_SIGNS[fort.partition("-")[0]], x, y, size, colour, _WIDTHS)
