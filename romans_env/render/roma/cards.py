"""Cards as they are drawn: on discs, and small ones in hands. What has been drawn is kept."""

from __future__ import annotations

from functools import lru_cache

from romans_env.render.roma.symbols import card_sign, eye, shield
from romans_env.render.sheets import centred, stretched
from romans_env.render.svg import Element, box, element, group, letters
from romans_env.render.theme import card_back, mark_of_back, seat_mark
from romans_env.roma.material import CARDS, COST, NUM_CHARACTERS

CARD_WIDTH, CARD_HEIGHT = 90, 68
CHIP_HEIGHT = 20

_STRIP = 15
_WIDE_NAME = 11
_NARROW = {**dict.fromkeys("il", 3.4), **dict.fromkeys("rtf", 4.8), "m": 11.7, " ": 3.8, "\N{MULTIPLICATION SIGN}": 10}
"""About how wide letters are that are not as wide as most, at size 12."""


def cost_of(card: str) -> int:
    """Return what a card costs (ROMA 1.2)."""
    return int(COST[CARDS.index(card)])


def is_character(card: str) -> bool:
    """Return whether a card is a character, not a building (ROMA 1.2)."""
    return CARDS.index(card) < NUM_CHARACTERS


@lru_cache(maxsize=4096)
def on_disc(card: str, seat: int, x: float, defence: int, is_blocked: bool, is_active: bool) -> Element:
    """Draw a card that lies face-up on a disc, with a thick frame if its effect is carried out."""
    ground, frame = "card" if is_character(card) else "stone", "sink" if is_active else f"sc{seat}"
    parts = [
        box(0, 0, CARD_WIDTH, CARD_HEIGHT, 6, class_=ground),
        *_strip("blocked" if is_blocked else "character" if is_character(card) else "building", seat, is_blocked),
        card_sign(card, CARD_WIDTH / 2 - 13, 5, 26, "ink"),
        price(cost_of(card), 14, 15, 10),
        shield(CARD_WIDTH - 26, 3, 23, "ink"),
        letters(str(defence), CARD_WIDTH - 14.5, 18.5, 13, class_=f"b {ground}", text_anchor="middle"),
        _name(card, 46),
        box(0, 0, CARD_WIDTH, CARD_HEIGHT, 6, class_=f"n {frame}", stroke_width=2 + is_active),
    ]
    return group(*parts, x=x)


@lru_cache(maxsize=1024)
def face_down(card: str | None, seat: int, x: float) -> Element:
    """Draw the back of a card on a disc; a card that the viewer knows shows its name in a window."""
    back = card_back(seat, CARD_WIDTH, CARD_HEIGHT, 6)
    if card is None:
        back += mark_of_back(seat, CARD_WIDTH, CARD_HEIGHT, 18)
    else:
        window = "card" if is_character(card) else "stone"
        back += [
            box(4, 6, CARD_WIDTH - 8, CARD_HEIGHT - 12, 3, class_=window),
            card_sign(card, CARD_WIDTH / 2 - 12, 10, 24, "muted"),
            _name(card, 52),
        ]
    return group(*back, x=x)


@lru_cache(maxsize=64)
def free_disc(seat: int, x: float, is_blocked: bool, is_active: bool) -> Element:
    """Draw a disc without a card."""
    width = 2.6 if is_active else 1.4
    frame = {"stroke_dasharray": "5 4", "stroke_width": width, "class_": f"n {'sink' if is_active else 'smuted'}"}
    parts = [box(1, 1, CARD_WIDTH - 2, CARD_HEIGHT - 2, 6, **frame)]
    if is_blocked:
        parts = [*_strip("blocked", seat, True), *parts]
    else:
        parts.append(letters("free", CARD_WIDTH / 2, CARD_HEIGHT / 2 + 4, 12, class_="muted", text_anchor="middle"))
    return group(*parts, x=x)


@lru_cache(maxsize=1024)
def chip(card: str, copies: int, is_known: bool) -> tuple[Element, float]:
    """Draw a card of a hand with its cost, and an eye if the rival knows it; return how wide it is too."""
    text = card if copies == 1 else f"{card} \N{MULTIPLICATION SIGN}{copies}"
    left, name = 20, sum(_NARROW.get(letter, 7.3) for letter in text)
    width = left + name + (19 if is_known else 5)
    drawn = [
        box(0.5, 0.5, width - 1, CHIP_HEIGHT - 1, 4, class_=f"{'card' if is_character(card) else 'stone'} sline"),
        price(cost_of(card), 10, CHIP_HEIGHT / 2, 7.5, 11),
        letters(text, left, 14.3, 12, class_="ink", **stretched(name)),
    ]
    if is_known:
        drawn.append(eye(width - 17, 3.5, 13, "ink"))
    return group(*drawn), width


@lru_cache(maxsize=64)
def backs(number: int, seat: int) -> tuple[Element, float]:
    """Draw the backs of cards that the viewer does not know; return how wide they are too."""
    drawn = [
        box(0.5, 0.5, 15, CHIP_HEIGHT - 1, 3, class_=f"k{seat}"),
        seat_mark(seat, 4, 6, 8, f"m{seat}"),
        letters(f"\N{MULTIPLICATION SIGN}{number}", 19, 14.3, 12, class_="ink"),
    ]
    return group(*drawn), 19 + 8 * (1 + len(str(number)))


def _strip(text: str, seat: int, is_blocked: bool) -> list[Element]:
    """Draw the lower edge of a card."""
    top = CARD_HEIGHT - _STRIP
    edge = f"M0 {top}H{CARD_WIDTH}V{CARD_HEIGHT - 6}a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6z"
    ground, ink = ("ink", "b panel") if is_blocked else (f"c{seat}", f"o{seat}")
    return [
        element("path", d=edge, class_=ground),
        letters(text, CARD_WIDTH / 2, CARD_HEIGHT - 4, 11, class_=ink, text_anchor="middle"),
    ]


def _name(card: str, y: float) -> Element:
    """Draw the name of a card; a long one is made to fit, as wide letters would carry it over the edge."""
    fit = stretched(CARD_WIDTH - 10) if len(card) >= _WIDE_NAME else {}
    return centred(card, CARD_WIDTH / 2, y, 12, "b ink", **fit)


def price(number: int, x: float, y: float, radius: float, size: float = 13) -> Element:
    """Draw what a card costs, on a coin."""
    return group(
        element("circle", cx=x, cy=y, r=radius, class_="coin sink", stroke_width=1),
        letters(str(number), x, y + 0.36 * size, size, class_="ink", text_anchor="middle"),
    )


def disc_number(number: int, x: float, y: float, radius: float) -> list[Element]:
    """Return the number of a disc."""
    return [
        element("circle", cx=x, cy=y, r=radius, class_="panel smuted", stroke_width=1),
        centred(str(number), x, y + 5, 14, "b ink"),
    ]


def coin(x: float, y: float) -> Element:
    """Draw the sign of money."""
    return element("circle", cx=x, cy=y, r=6, class_="coin sink", stroke_width=1)
