"""The cards on the table: warriors face-up, face-down and in hand, and the forts of the wall.

The same few cards are drawn again and again, so what has been drawn is kept.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from romans_env.render.romans_go_home.symbols import fort_sign, warrior_sign
from romans_env.render.romans_go_home.words import WARRIOR_TITLES
from romans_env.render.svg import Element, box, element, group, letters
from romans_env.render.theme import seat_mark, weave
from romans_env.romans_go_home.material import STRENGTH, WARRIORS

CARD_WIDTH, CARD_HEIGHT = 77, 50
FORT_WIDTH, FORT_HEIGHT = 77, 74
CHIP_HEIGHT = 20

_BAND = 29
_MINUS = "\N{MINUS SIGN}"


def strength_of(warrior: str) -> int:
    """The number on a warrior's card (RULES 1.1)."""
    return int(STRENGTH[WARRIORS.index(warrior)])


@lru_cache(maxsize=2048)
def face_up(warrior: str, seat: int, x: float, y: float, revealed: bool = False, charmed: bool = False) -> Element:
    """A warrior on the table; a thick frame for one revealed this turn, a heart for one that is charmed."""
    frame = {"class_": "n sink", "stroke_width": 2.6} if revealed else {"class_": f"n sc{seat}", "stroke_width": 1.4}
    parts = [
        box(0, 0, CARD_WIDTH, CARD_HEIGHT, 5, class_="card"),
        element("path", d=f"M5 0H{_BAND}V{CARD_HEIGHT}H5a5 5 0 0 1-5-5V5a5 5 0 0 1 5-5z", class_=f"c{seat}"),
        warrior_sign(warrior, 3.5, 14, 22, f"o{seat}"),
        letters(str(strength_of(warrior)), 52, 28, 24, class_="b ink", text_anchor="middle"),
        letters(WARRIOR_TITLES[warrior], 52.5, 43, 11, class_="ink", text_anchor="middle", **_fitted(warrior)),
        box(0, 0, CARD_WIDTH, CARD_HEIGHT, 5, **frame),
    ]
    if charmed:
        parts.append(heart(68, 2))
    return group(*parts, x=x, y=y)


def _fitted(warrior: str) -> dict[str, Any]:
    """A long name is made to fit: wide letters would carry it over the edge."""
    return {"textLength": 42, "lengthAdjust": "spacingAndGlyphs"} if len(WARRIOR_TITLES[warrior]) > 7 else {}


@lru_cache(maxsize=2048)
def gone(warrior: str, seat: int, x: float, y: float) -> Element:
    """Where a warrior lay that was revealed this turn and has left the table."""
    return group(
        box(0.5, 0.5, CARD_WIDTH - 1, CARD_HEIGHT - 1, 5, class_="n smuted", stroke_dasharray="4 3"),
        warrior_sign(warrior, 8, 6, 20, "muted"),
        letters(str(strength_of(warrior)), 56, 23, 17, class_="muted", text_anchor="middle"),
        letters(
            WARRIOR_TITLES[warrior],
            CARD_WIDTH / 2,
            42,
            11,
            class_="muted",
            text_anchor="middle",
            text_decoration="line-through",
        ),
        x=x,
        y=y,
    )


@lru_cache(maxsize=2048)
def face_down(warrior: str | None, seat: int, x: float, y: float) -> Element:
    """The back of a card; one whose face the viewer knows shows it in a window."""
    back = [
        box(0, 0, CARD_WIDTH, CARD_HEIGHT, 5, class_=f"k{seat}"),
        element("path", d=weave(CARD_WIDTH, CARD_HEIGHT), class_=f"n sm{seat}", stroke_width=1.2, stroke_opacity=0.3),
    ]
    if warrior is None:
        back += [
            element("circle", cx=CARD_WIDTH / 2, cy=CARD_HEIGHT / 2, r=15, class_=f"k{seat}"),
            seat_mark(seat, CARD_WIDTH / 2 - 8, CARD_HEIGHT / 2 - 8, 16, f"m{seat}"),
        ]
    else:
        back += [
            box(5, 5, CARD_WIDTH - 10, CARD_HEIGHT - 10, 3, class_="card"),
            warrior_sign(warrior, 11, 8, 18, "muted"),
            letters(str(strength_of(warrior)), 57, 23.5, 17, class_="b muted", text_anchor="middle"),
            letters(WARRIOR_TITLES[warrior], CARD_WIDTH / 2, 40, 11, class_="muted", text_anchor="middle"),
        ]
    return group(*back, x=x, y=y)


@lru_cache(maxsize=2048)
def in_hand(warrior: str | None, seat: int, x: float, y: float) -> Element:
    """A card that has not been laid yet: no frame, and lower than those on the table."""
    frame = box(
        1, 9, CARD_WIDTH - 2, CARD_HEIGHT - 9, 5, class_=f"n sc{seat}", stroke_dasharray="2 3", stroke_width=1.6
    )
    if warrior is None:
        face = seat_mark(seat, CARD_WIDTH / 2 - 7, 22, 14)
        return group(frame, face, x=x, y=y)
    return group(
        frame,
        warrior_sign(warrior, 11, 13, 17, "ink"),
        letters(str(strength_of(warrior)), 57, 28, 16, class_="b ink", text_anchor="middle"),
        letters(WARRIOR_TITLES[warrior], CARD_WIDTH / 2, 44, 11, class_="ink", text_anchor="middle"),
        x=x,
        y=y,
    )


def heart(x: float, y: float) -> Element:
    """The sign of a charmed warrior."""
    return group(
        element("circle", cx=5, cy=5, r=8, class_="ink"),
        element("path", d="M5 9.500L.8 5.200A2.5 2.5 0 0 1 5 2.2 2.5 2.5 0 0 1 9.2 5.200z", class_="card"),
        x=x,
        y=y,
    )


@lru_cache(maxsize=2048)
def fort(name: str, x: float, y: float, is_contested: bool) -> Element:
    """A fort of the wall; the one that is fought for has a thick frame."""
    kind = name.partition("-")[0]
    body, ink = ("legion", "onlegion") if kind == "legion" else ("stone", "ink")
    points = points_in_words(name)
    # The minus is wide.
    middle, size = (53, 23) if points.startswith(_MINUS) else (55, 25)
    return group(
        element(
            "path",
            d=_CRENELLATED,
            class_=f"{body} {'sink' if is_contested else 'sedge'}",
            stroke_width=3 if is_contested else 1.2,
            stroke_linejoin="round",
        ),
        fort_sign(name, 7, 19, 26, ink),
        letters(points, middle, 42, size, class_=f"b {ink}", text_anchor="middle"),
        letters(kind, FORT_WIDTH / 2, 65, 12, class_=ink, text_anchor="middle"),
        x=x,
        y=y,
    )


def empty_slot(x: float, y: float) -> Element:
    """Where a fort was."""
    return group(
        box(1, 12, FORT_WIDTH - 2, FORT_HEIGHT - 12, 3, class_="n sedge", stroke_dasharray="4 4", stroke_opacity=0.7),
        x=x,
        y=y,
    )


@lru_cache(maxsize=2048)
def chip(name: str, copies: int, x: float, y: float) -> tuple[Element, float]:
    """A captured fort, small, and how wide it is; several of a kind are one chip with their number."""
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
    """A fort's points as they are written on it (RULES 1.2)."""
    kind, _, value = name.partition("-")
    return f"{_MINUS}{value}" if kind == "legion" else value


def crenellated(width: float, height: float) -> str:
    """The outline of a wall with five merlons."""
    teeth, depth = 5, 8
    step = width / (2 * teeth - 1)
    d = f"M0 {height:g}V0"
    for k in range(teeth):
        d += f"H{(2 * k + 1) * step:.4g}"
        if k < teeth - 1:
            d += f"V{depth}H{(2 * k + 2) * step:.4g}V0"
    return f"{d}V{height:g}z"


_CRENELLATED = crenellated(FORT_WIDTH, FORT_HEIGHT)
