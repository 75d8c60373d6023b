"""Signs for the cards of Roma, for a card's defence, and for cards that the rival knows."""

from __future__ import annotations

from functools import lru_cache

from romans_env.render.signs import HELMET, SCROLL, Shapes, outline, sign_of
from romans_env.render.svg import Element

CARD_SIGNS: dict[str, Shapes] = {
    # A dagger.
    "sicarius": (("fill", "M12 1l3.2 12H8.8z"), ("line", "M6.5 14h11M12 14v8")),
    # A pair of compasses.
    "architectus": (("line", "M12 5.5L6 22M12 5.5L18 22"), ("thin", "M8.5 15h7"), ("fill", "M12 1a3 3 0 1 0 .01 0z")),
    "consiliarius": SCROLL,
    # A flag on its staff.
    "legat": (("line", "M5 2v20.5"), ("fill", "M6.5 3h15l-4 4.5 4 4.5h-15z")),
    # A trident.
    "gladiator": (("line", "M12 23V4M5 6v3c0 5 14 5 14 0V6"), ("fill", "M12 1l2 4h-4zM5 3l2 4H3zM19 3l2 4h-4z")),
    # A purse.
    "mercator": (
        ("fill", "M9 2h6l-1.5 4.5h-3zM9.5 8h5c4.5 2.5 6 5.5 6 8.5 0 4-3 6-8.5 6s-8.5-2-8.5-6c0-3 1.5-6 6-8.5z"),
    ),
    # A bundle of rods.
    "consul": (("thick", "M7.5 2v20.5M12 2v20.5M16.5 2v20.5"), ("thin", "M4.5 8h15M4.5 16.5h15")),
    # A shield with its boss.
    "legionarius": (("hole", "M5 2c4.5-1.3 9.5-1.3 14 0v20c-4.5 1.3-9.5 1.3-14 0zM12 9a3 3 0 1 0 .01 0z"),),
    # A fire.
    "nero": (
        (
            "hole",
            "M12.5 1c.8 4.5 7 7.5 7 13.5 0 5-3.2 8-7.5 8s-7.5-3-7.5-8"
            "c0-3.5 1.8-5.5 3.5-7.5.2 2.8 1 4 2.3 4.8.3-4.5.6-7.5 2.2-10.8z"
            "M12 14c-1.5 1.8-2.6 2.9-2.6 4.7 0 1.6 1 2.7 2.6 2.7s2.6-1.1 2.6-2.7c0-1.8-1.1-2.9-2.6-4.7z",
        ),
    ),
    "praetorianus": HELMET,
    # A mask.
    "scaenicus": (
        (
            "hole",
            "M3.5 3c5.5 2 11.5 2 17 0 1 10-1 18-8.5 19.5C4.5 21 2.5 13 3.5 3z"
            "M7 9.5c1.5-1.5 3-1.5 4 0-1 1.3-3 1.3-4 0zM13 9.5c1-1.5 2.5-1.5 4 0-1 1.3-3 1.3-4 0z"
            "M8 15c2.5 1.5 5.5 1.5 8 0-.8 4-7.2 4-8 0z",
        ),
    ),
    # A crook.
    "haruspex": (("line", "M9 23V9.5C9 .5 20.5 1 20.5 8c0 5.5-7 5.5-7 1.2 0-2.2 3-2.2 3 0"),),
    # A wreath.
    "senator": (
        ("line", "M11 21.5C3.5 18.5 2.5 9.5 7 3M13 21.5c7.5-3 8.5-12 4-18.5"),
        ("thick", "M3 8l2.5 2.5M2.5 14l3.5 1M5.5 19.5l3-1M21 8l-2.5 2.5M21.5 14l-3.5 1M18.5 19.5l-3-1"),
    ),
    # Two spears.
    "velites": (("line", "M3 22L18 6M21 22L6 6"), ("fill", "M22 1.5l-1.5 7L15 3.5zM2 1.5l7 2L3.5 8.5z")),
    # A wheel.
    "essedum": (
        ("line", "M12 2.5a9.5 9.5 0 1 0 .01 0z"),
        ("thin", "M12 3v18M3 12h18M5.6 5.6l12.8 12.8M5.6 18.4L18.4 5.6"),
    ),
    # Scales.
    "tribunus": (
        ("line", "M12 2v20M4.5 5.5h15M7 22h10"),
        ("thin", "M5 6l-3 8.5M5 6l3 8.5M19 6l-3 8.5M19 6l3 8.5"),
        ("fill", "M1 14h8a4 3.5 0 0 1-8 0zM15 14h8a4 3.5 0 0 1-8 0z"),
    ),
    # A sword.
    "centurio": (("fill", "M12 .5l2.8 3.5v11H9.2V4z"), ("line", "M5.5 16.5h13M12 16.5v6")),
    # A staff with its snake.
    "aesculapinum": (
        ("line", "M12 1.5v21"),
        ("thin", "M6.5 5.5c4-4 11-1.5 9.5 2.5-1.2 3-8 2-8 5.5 0 3 7.5 2.2 7.5 5 0 2-3 2.5-4.5 2.5"),
    ),
    # A hall with two gates.
    "basilica": (
        ("hole", "M1.5 8.5L12 2l10.5 6.5v14h-21zM5 22.5h5V16a2.5 2.5 0 0 0-5 0zM14 22.5h5V16a2.5 2.5 0 0 0-5 0z"),
    ),
    # A crane with its load.
    "machina": (
        ("line", "M3 21.5h13M6 21.5L17 3M14 21.5l-4.5-7"),
        ("thin", "M17.5 3v10"),
        ("fill", "M14 12.5h7v5.5h-7z"),
    ),
    # A front of columns.
    "forum": (
        (
            "fill",
            "M1.5 8.5L12 2l10.5 6.5zM3.5 10h3.5v8.5H3.5zM10.2 10h3.5v8.5h-3.5zM17 10h3.5v8.5H17zM1.5 20h21v2.8h-21z",
        ),
    ),
    # A stall.
    "mercatus": (("fill", "M4 2.5h16l3 7.5H1zM3 15h18v3H3z"), ("line", "M4 10v12.5M20 10v12.5")),
    # A catapult.
    "onager": (
        ("line", "M2 18h20M6 18L16.5 6"),
        ("fill", "M18 1.5a3.5 3.5 0 1 0 .01 0zM6 17a3 3 0 1 0 .01 0zM18 17a3 3 0 1 0 .01 0z"),
    ),
    # A round temple.
    "templum": (
        (
            "fill",
            "M3 10a9 8.5 0 0 1 18 0zM5 11.5h2.5v7H5zM10.7 11.5h2.5v7h-2.5zM16.5 11.5H19v7h-2.5zM2.5 20h19v2.8h-19z",
        ),
    ),
    # A tower.
    "turris": (("hole", "M5 1.5h3.5v3h2v-3h3v3h2v-3H19v8l-2 1.5v12H7V11L5 9.5zM10.5 23v-4a1.5 1.5 0 0 1 3 0v4z"),),
}
SHIELD = "M3 2h18v9c0 6-4 10-9 12C7 21 3 17 3 11z"
_EYE = "M1 12C6 3.5 18 3.5 23 12 18 20.5 6 20.5 1 12zM12 7.5a4.5 4.5 0 1 0 .01 0z"


@lru_cache(maxsize=1024)
def card_sign(card: str, x: float, y: float, size: float, colour: str) -> Element:
    """Draw the sign of a card with its upper left corner at (x, y), in the colour of the class ``colour``."""
    return sign_of(CARD_SIGNS[card], x, y, size, colour)


def shield(x: float, y: float, size: float, colour: str) -> Element:
    """Draw the shield on which a card's defence is written, with its upper left corner at (x, y)."""
    return outline(SHIELD, x, y, size, colour)


def eye(x: float, y: float, size: float, colour: str) -> Element:
    """Draw the eye that marks a hidden card that the rival knows, with its upper left corner at (x, y)."""
    return outline(_EYE, x, y, size, colour, fill_rule="evenodd")
