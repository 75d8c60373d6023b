"""The colours, by theme.

The seats' colours differ in lightness, too, and beside them each seat has a mark of its own shape. A class fills with
its colour, and with an ``s`` before its name draws a line in it.
"""

from __future__ import annotations

from romans_env.render.picture import FONTS, Style, colour_classes

# Surfaces and inks; then by seat: c, its colour; o, what stands out on it; k, its cards' backs; m, a mark on these.
_LIGHT = {
    "bg": "#e9e6e1",
    "panel": "#faf9f6",
    "card": "#ffffff",
    "stone": "#dcd6cb",
    "ink": "#1f2329",
    "muted": "#565d67",
    "line": "#c9c3b8",
    "coin": "#f3dc9a",
    "die": "#8d1f2d",
    "ondie": "#ffffff",
    "c0": "#e3a008",
    "c1": "#1f4e8c",
    "o0": "#1f2329",
    "o1": "#ffffff",
    "k0": "#e3a008",
    "k1": "#1f4e8c",
    "m0": "#1f2329",
    "m1": "#ffffff",
}
_DARK = {
    "bg": "#14171c",
    "panel": "#1f242b",
    "card": "#2b323b",
    "stone": "#474f5a",
    "ink": "#eef1f5",
    "muted": "#aeb6c0",
    "line": "#3d4550",
    "coin": "#5c4a17",
    "die": "#e9aab2",
    "ondie": "#14171c",
    "c0": "#f2b531",
    "c1": "#86b4f0",
    "o0": "#14171c",
    "o1": "#14171c",
    "k0": "#6b5316",
    "k1": "#1f3f70",
    "m0": "#f2b531",
    "m1": "#a8caf7",
}
STYLE = Style(
    scope="roma",
    font=FONTS,
    shared={"b": {"font-weight": "700"}, "n": {"fill": "none"}},
    light=colour_classes(_LIGHT),
    dark=colour_classes(_DARK),
)
"""What the classes of a drawing mean."""
