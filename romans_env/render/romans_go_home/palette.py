"""The colours, by theme.

The clans' colours are apart for every common kind of colour blindness (after Okabe and Ito's palette) and in lightness;
beside them every clan has a mark of its own shape. A class fills with its colour, and with an ``s`` before its name
draws a line in it.
"""

from __future__ import annotations

from romans_env.render.picture import FONTS, Style, colour_classes

# Surfaces and inks; then by seat: c, the clan's colour; o, what stands out on it; k, its cards' backs; m, their mark.
_LIGHT = {
    "bg": "#ece7dd",
    "panel": "#fbf9f5",
    "card": "#ffffff",
    "ink": "#1f2329",
    "muted": "#59606b",
    "line": "#cdc5b6",
    "stone": "#d8d0c1",
    "edge": "#8f8778",
    "legion": "#3b4048",
    "onlegion": "#f6f3ec",
    "c0": "#e3a008",
    "c1": "#00896b",
    "c2": "#5b3f94",
    "c3": "#c8501e",
    "o0": "#1f2329",
    "o1": "#ffffff",
    "o2": "#ffffff",
    "o3": "#ffffff",
    "k0": "#e3a008",
    "k1": "#00896b",
    "k2": "#5b3f94",
    "k3": "#c8501e",
    "m0": "#1f2329",
    "m1": "#ffffff",
    "m2": "#ffffff",
    "m3": "#ffffff",
}
_DARK = {
    "bg": "#14171c",
    "panel": "#1f242b",
    "card": "#2b323b",
    "ink": "#eef1f5",
    "muted": "#a9b1bc",
    "line": "#3d4550",
    "stone": "#434b56",
    "edge": "#77818d",
    "legion": "#d5dae1",
    "onlegion": "#14171c",
    "c0": "#f2b531",
    "c1": "#36b48d",
    "c2": "#a58be0",
    "c3": "#ea7440",
    "o0": "#14171c",
    "o1": "#14171c",
    "o2": "#14171c",
    "o3": "#14171c",
    "k0": "#6b5316",
    "k1": "#175443",
    "k2": "#4a3d6b",
    "k3": "#713619",
    "m0": "#f2b531",
    "m1": "#36b48d",
    "m2": "#b9a3ea",
    "m3": "#f08a5c",
}


STYLE = Style(
    scope="rgh",
    font=FONTS,
    shared={"b": {"font-weight": "700"}, "n": {"fill": "none"}},
    light=colour_classes(_LIGHT),
    dark=colour_classes(_DARK),
)
"""What the classes of a drawing mean."""
