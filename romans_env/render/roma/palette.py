"""The colours of Roma by theme and class (see `romans_env.render.theme`). Seats' colours also differ in lightness."""

from __future__ import annotations

from romans_env.render.theme import INKS, ON_DARK, SURFACES, seat_colours, style

STYLE = style(
    "roma",
    {
        **SURFACES,
        "stone": ("#dcd6cb", "#474f5a"),
        **INKS,
        "coin": ("#f3dc9a", "#5c4a17"),
        "die": ("#8d1f2d", "#e9aab2"),
        "ondie": ON_DARK,
        **seat_colours(
            (("#e3a008", "#f2b531"), ("#1f4e8c", "#86b4f0")), backs=("#6b5316", "#1f3f70"), marks=("#f2b531", "#a8caf7")
        ),
    },
)
"""The style of all drawings of the game."""
