"""The colours, by theme; `romans_env.render.theme` explains the names of the classes.

The seats' colours can be told apart with all common kinds of colour blindness (after Okabe and Ito's palette), and they
differ in lightness. In addition, each terrain has a pattern and each province a code of two letters.
"""

from __future__ import annotations

from romans_env.render.theme import INKS, ON_DARK, SURFACES, seat_colours, style

# First the things on the map, then terrains and their patterns (v), then the colours of the provinces (p).
STYLE = style(
    "struggle",
    {
        **SURFACES,
        **INKS,
        "panel": ("#fbfaf7", "#1f242b"),
        "muted": ("#545b65", "#b2bac4"),
        "line": ("#c9c3b8", "#3f4751"),
        "faint": ("#8b8a84", "#87909a"),
        "coin": ("#f1d27a", "#6b5620"),
        "sea": ("#c9dbe4", "#16242e"),
        "shallow": ("#dde9ee", "#1d303c"),
        "coast": ("#6d8794", "#5c7886"),
        "route": ("#2d5b78", "#9cc6df"),
        "side": ("#f4efe2", "#1b2026"),
        "road": ("#7b6038", "#b59a6c"),
        "paper": ("#fffdf6", "#20262d"),
        "hot": ("#b3261e", "#ff9c8f"),
        "legion": ("#8d1f2d", "#e58a94"),
        "onlegion": ON_DARK,
        "field": ("#f0dfa6", "#5a5130"),
        "mountain": ("#c9c1b9", "#4b4a4b"),
        "pasture": ("#c8dda4", "#3b4c2c"),
        "forest": ("#93b78d", "#21372b"),
        "vfield": ("#cfae58", "#8a7a44"),
        "vmountain": ("#968c83", "#77767a"),
        "vpasture": ("#8fb060", "#67804a"),
        "vforest": ("#547f53", "#4c7157"),
        **seat_colours(
            (("#e9a800", "#f2b531"), ("#1f5fb4", "#7db3f5"), ("#c8401e", "#f07a4f"), ("#5b3f94", "#b59cf0"))
        ),
        "p0": ("#7a6a35", "#cbb66a"),
        "p1": ("#31708f", "#7fbfdd"),
        "p2": ("#a3561f", "#e39a5d"),
        "p3": ("#4b7a43", "#93c487"),
        "p4": ("#9c3350", "#e88aa4"),
        "onp": ON_DARK,
    },
)
"""The style of all drawings of the game."""
