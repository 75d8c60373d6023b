"""Signs of seats, tribes, cards and things on the map."""

from __future__ import annotations

from functools import lru_cache, partial

from romans_env.render import theme
from romans_env.render.signs import HELMET, SCROLL, SIGN_SIZE, Shapes, sign_of
from romans_env.render.svg import Element, element, group

SEAT_MARKS = ("M12 1.5a10.5 10.5 0 1 0 .01 0z", "M2.5 2.5h19v19h-19z", "M12 .5L23.6 22H.4z", "M12 0L24 12 12 24 0 12z")
"""The marks by seat; they are larger than those of other games, as each is the background of a figure."""
seat_mark = partial(theme.seat_mark, marks=SEAT_MARKS)
MARK_MIDDLES = (12.0, 12.0, 15.0, 12.0)
"""By seat: the vertical centre for things drawn on a mark, measured from its upper edge."""

SIGNS: dict[str, Shapes] = {
    # A horse's head.
    "horseman": (
        (
            "fill",
            "M9 1.5l2.6 2.6C16.5 4.6 20 8.6 20.4 14c.2 3 .1 5.7-.4 8.5H9.6c.3-3.6 2-5.3 3.6-7.4-2 .4-3.4.5-4.6 1.4"
            "-1.3 1-2.3 2.2-3.6 2-1.6-.2-2.6-2-2-3.6C4 12.3 5.5 10 6.3 7.6 6.8 5.9 8 4.5 8.6 3.7z",
        ),
    ),
    # A shield before a spear.
    "warrior": (
        ("line", "M19.5 23V4.5"),
        ("fill", "M19.5 0l2.6 6.2h-5.2z"),
        ("hole", "M3 4.5c4-2 8-2 12 0v8.5c0 5-3 8-6 9.5-3-1.5-6-4.5-6-9.5zM9 9a3 3 0 1 0 .01 0z"),
    ),
    # A cart.
    "wagon": (
        ("fill", "M1 6h19l-2.2 8.5H4z"),
        ("line", "M18 11.5l5-3"),
        (
            "hole",
            "M7 14.2a4 4 0 1 0 .01 0zM7 16.7a1.5 1.5 0 1 1-.01 0z"
            "M15.5 14.2a4 4 0 1 0 .01 0zM15.5 16.7a1.5 1.5 0 1 1-.01 0z",
        ),
    ),
    # An ear.
    "grain": (
        ("line", "M12 23V9"),
        ("fill", "M12 0c2.4 2 2.4 4.6 0 7-2.4-2.4-2.4-5 0-7z"),
        ("fill", "M11 12C7 12 5 9.5 4.8 6c3.7.2 6 2.5 6.2 6zM13 12c4 0 6-2.5 6.2-6-3.7.2-6 2.5-6.2 6z"),
        ("fill", "M11 18.5c-4 0-6-2.5-6.2-6 3.7.2 6 2.5 6.2 6zM13 18.5c4 0 6-2.5 6.2-6-3.7.2-6 2.5-6.2 6z"),
    ),
    # A lump with its facets.
    "ore": (("hole", "M7 3h9l6.5 8L18 21H6L1.5 11.5zM8.5 6L6 11l4.5 2L13 7zM15 9l-2 5.5 2.5 4 3-6.5z"),),
    # An ox's head.
    "cattle": (
        ("line", "M2.5 3C2 8 5 9.5 8 9.2M21.5 3c.5 5-2.5 6.5-5.5 6.2"),
        (
            "hole",
            "M7 7.5h10l1 4-2.2 3.5-.6 5c-.3 2-1.5 3-3.2 3s-2.9-1-3.2-3l-.6-5L6 11.5z"
            "M9.3 11.5h1.6v2H9.3zM13.1 11.5h1.6v2h-1.6z",
        ),
    ),
    # A horseshoe.
    "horse": (
        (
            "hole",
            "M12 1.5c6 0 9 4.5 9 10 0 4-1.5 7.5-3 11h-4.5c2-4 3-7.5 3-11 0-3.5-1.7-5.5-4.5-5.5s-4.5 2-4.5 5.5"
            "c0 3.5 1 7 3 11H6c-1.5-3.5-3-7-3-11 0-5.5 3-10 9-10z",
        ),
    ),
    # A tuft.
    "pasture": (("line", "M12 22V6M12 22C10 15 7.5 11.5 3 9.5M12 22c2-7 4.5-10.5 9-12.5"),),
    # A card.
    "card": (("hole", "M5 1.5h14v21H5zM7.5 4v16h9V4zM12 7.5l3 4.5-3 4.5L9 12z"),),
    # Nothing.
    "none": (("line", "M12 3.5a8.5 8.5 0 1 0 .01 0zM6 18L18 6"),),
    "diplomacy": SCROLL,
    # A dagger.
    "traitor": (("fill", "M12 1l3.2 12H8.8z"), ("line", "M6.5 14h11M12 14v8.5")),
    # A chest.
    "treasure": (("hole", "M2 12c0-5 2-8.5 5-8.5h10c3 0 5 3.5 5 8.5zM2 13.5h20v8H2zM10.5 12h3v4.5h-3z"),),
    "great_warrior": HELMET,
    # A lyre.
    "culture": (("line", "M6 2.5c-4 8-3 15 6 19 9-4 10-11 6-19M5 8h14"), ("thin", "M9 8v10.5M12 8v12M15 8v10.5")),
    # A crown.
    "crown": (("fill", "M2 20h20l1.5-13-6.5 5L12 3l-5 9L.5 7z"),),
}


@lru_cache(maxsize=4096)
def sign(name: str, x: float, y: float, size: float, colour: str) -> Element:
    """Draw a sign with its upper left corner at (x, y), in the colour of a class of the palette."""
    return sign_of(SIGNS[name], x, y, size, colour)


@lru_cache(maxsize=64)
def figure(seat: int, tribe: str) -> Element:
    """Draw the figure of a tribe on its seat's mark, 28 by 28, centred at (0, 0)."""
    size, middle = 26.0, MARK_MIDDLES[seat]
    inner = (15.0, 13.5, 11.0, 13.0)[seat]
    half = size / 2
    outline = element("path", d=SEAT_MARKS[seat], class_=f"c{seat} spaper", stroke_width=3, stroke_linejoin="round")
    rim = element("path", d=SEAT_MARKS[seat], class_="n sink", stroke_width=1, stroke_linejoin="round")
    return group(
        group(outline, rim, x=-half, y=-half, scale=size / SIGN_SIZE),
        sign(tribe, -inner / 2, -half + middle * size / SIGN_SIZE - inner / 2, inner, f"o{seat}"),
    )
