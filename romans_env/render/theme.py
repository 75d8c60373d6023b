"""What the pictures of all games have in common: colours, the marks of seats, and a head that says who decides what.

Beside its colour every seat has a mark of its own shape. A class fills with its colour, and with an ``s`` before its
name draws a line in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from romans_env.render.picture import FONTS, Style, colour_classes
from romans_env.render.signs import outline
from romans_env.render.svg import Element, box, element, letters
from romans_env.render.wording import wins

Shades = tuple[str, str]
"""A colour in the light theme, and in the dark one."""
SURFACES: dict[str, Shades] = {
    "bg": ("#e9e6e1", "#14171c"),
    "panel": ("#faf9f6", "#1f242b"),
    "card": ("#ffffff", "#2b323b"),
}
INKS: dict[str, Shades] = {
    "ink": ("#1f2329", "#eef1f5"),
    "muted": ("#565d67", "#aeb6c0"),
    "line": ("#c9c3b8", "#3d4550"),
}
ON_BRIGHT: Shades = ("#1f2329", "#14171c")
ON_DARK: Shades = ("#ffffff", "#14171c")
"""What stands out on colours that are dark in the light theme; in the dark theme all are bright."""
SEAT_MARKS = ("M12 1.5a10.5 10.5 0 1 0 .01 0z", "M3 3h18v18H3z", "M12 1.5L23 21.5H1z", "M12 .5L23.5 12 12 23.5.5 12z")
"""By seat: a circle, a square, a triangle, a lozenge."""
_MARK_GAP = 7


def seat_colours(colours: Sequence[Shades], backs: Sequence[str] = (), marks: Sequence[str] = ()) -> dict[str, Shades]:
    """Return the colours of the classes that each seat has, such as ``c0`` of the first seat.

    The letters are c, the colour of the seat; o, what is drawn on it; k, the backs of its cards; m, a mark on these.

    Args:
        colours: the colours by seat; the first is bright in both themes.
        backs: the backs in the dark theme by seat; in the light theme they have the seat's colour. Empty: no backs.
        marks: the marks in the dark theme by seat; in the light theme they have the colour of o. Empty: no marks.
    """
    inks = [ON_DARK if seat else ON_BRIGHT for seat in range(len(colours))]
    of_backs = [(light, dark) for (light, _), dark in zip(colours, backs, strict=False)]
    of_marks = [(light, dark) for (light, _), dark in zip(inks, marks, strict=False)]
    by_letter = {"c": colours, "o": inks, "k": of_backs, "m": of_marks}
    return {f"{letter}{seat}": shades for letter, by_seat in by_letter.items() for seat, shades in enumerate(by_seat)}


def style(scope: str, colours: Mapping[str, Shades]) -> Style:
    """Return what the classes of a drawing mean: each colour, ``b`` for bold letters, ``n`` for no filling."""
    light, dark = (colour_classes({name: shades[theme] for name, shades in colours.items()}) for theme in (0, 1))
    return Style(scope, FONTS, {"b": {"font-weight": "700"}, "n": {"fill": "none"}}, light, dark)


def seat_mark(
    seat: int, x: float, y: float, size: float, colour: str | None = None, marks: Sequence[str] = SEAT_MARKS
) -> Element:
    """Draw the mark of a seat, its corner at (x, y), in its own colour unless another is given."""
    return outline(marks[seat], x, y, size, colour or f"c{seat}")


def seat_frame(x: float, y: float, width: float, height: float, radius: float, thick: float | None = None) -> Element:
    """Draw the ground of a seat's panel; ``thick`` is the width of its frame where the seat decides, else None."""
    look = "panel sink" if thick else "panel sline"
    return box(x, y, width, height, radius, class_=look, stroke_width=thick or 1)


@cache
def weave(width: int, height: int) -> str:
    """Return the path of slanting lines all over a card's back, each cut at the card's edges."""
    lines = []
    for k in range(10, width + height - 4, 9):
        left, right = max(0, k - height), min(k, width)
        lines.append(f"M{left} {k - left}L{right} {k - right}")
    return "".join(lines)


def card_back(seat: int, width: float, height: float, corner: float) -> list[Element]:
    """Return the ground of a card's back."""
    lines = weave(int(width), int(height))
    return [
        box(0, 0, width, height, corner, class_=f"k{seat}"),
        element("path", d=lines, class_=f"n sm{seat}", stroke_width=1.2, stroke_opacity=0.3),
    ]


def mark_of_back(seat: int, width: float, height: float, size: float) -> list[Element]:
    """Return the seat's mark in the middle of a card's back, which shows no face."""
    x, y = width / 2, height / 2
    return [
        element("circle", cx=x, cy=y, r=size / 2 + 7, class_=f"k{seat}"),
        seat_mark(seat, x - size / 2, y - size / 2, size, f"m{seat}"),
    ]


@dataclass(frozen=True)
class HeaderForm:
    """The upper band of a picture: what is on the table, and at the right who decides what, or who has won.

    Lines are a baseline and a size of letters, in pixels at scale 1.

    Attributes:
        left: edge of the letters.
        right: edge of the letters.
        title: the line at the left.
        asked: the line at the right.
        mark: of the seat that decides, its upper edge and its size.
        viewer: the line that says whose view it is; None: there is none.
        detail: the line that says what a decision is about; None: there is none.
        marks: by seat.
    """

    left: float
    right: float
    title: tuple[float, float]
    asked: tuple[float, float]
    mark: tuple[float, float]
    viewer: tuple[float, float] | None = None
    detail: tuple[float, float] | None = None
    marks: Sequence[str] = SEAT_MARKS

    def at_the_left(self, title: str, viewer: str | None) -> list[Element]:
        """Draw the title, and whose view it is."""
        parts = [letters(title, self.left, *self.title, class_="b ink")]
        if self.viewer is not None:
            whose = f"as {viewer} sees it" if viewer else "the full state"
            parts.append(letters(whose, self.left, *self.viewer, class_="muted"))
        return parts

    def at_the_right(
        self,
        decision: dict[str, Any] | None,
        winners: Sequence[str],
        seats: Sequence[str],
        questions: Mapping[str, str],
        about: Callable[[dict[str, Any]], str] = lambda decision: "",
    ) -> list[Element]:
        """Draw who decides, or who has won; nothing where it is neither.

        Args:
            decision: the decision of a position.
            winners: the winners of the game, who are named where nobody decides.
            seats: the names of all seats.
            questions: what a decision is about, by its kind.
            about: a function that returns details of a decision.
        """
        if decision:
            seat, strong, rest = decision["agent"], f"{decision['agent']} decides", questions[decision["kind"]]
            detail = about(decision)
        elif winners:
            seat, strong, rest, detail = winners[0], " and ".join(winners), wins(winners), ""
        else:
            return []
        y, size = self.asked
        top, across = self.mark
        x, words = self.right - across, (element("tspan", strong, class_="b"), f" {rest}")
        parts = [element("text", *words, x=x - _MARK_GAP, y=y, font_size=size, text_anchor="end", class_="ink")]
        if self.detail is not None:
            parts.append(letters(detail, self.right, *self.detail, class_="ink", text_anchor="end"))
        return [*parts, seat_mark(list(seats).index(seat), x, top, across, marks=self.marks)]
