"""The colours, by theme; `romans_env.render.theme` explains the names of the classes.

The clans' colours can be told apart with all common kinds of colour blindness (after Okabe and Ito's palette), and they
differ in lightness.
"""

from __future__ import annotations

from romans_env.render.theme import INKS, SURFACES, seat_colours, style

STYLE = style(
    "rgh",
    {
        **SURFACES,
        **INKS,
        "bg": ("#ece7dd", "#14171c"),
        "panel": ("#fbf9f5", "#1f242b"),
        "muted": ("#59606b", "#a9b1bc"),
        "line": ("#cdc5b6", "#3d4550"),
        "stone": ("#d8d0c1", "#434b56"),
        "edge": ("#8f8778", "#77818d"),
        "legion": ("#3b4048", "#d5dae1"),
        "onlegion": ("#f6f3ec", "#14171c"),
        **seat_colours(
            (("#e3a008", "#f2b531"), ("#00896b", "#36b48d"), ("#5b3f94", "#a58be0"), ("#c8501e", "#ea7440")),
            backs=("#6b5316", "#175443", "#4a3d6b", "#713619"),
            marks=("#f2b531", "#36b48d", "#b9a3ea", "#f08a5c"),
        ),
    },
)
"""The style of all drawings of the game."""
