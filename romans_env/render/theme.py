"""The common parts of the pictures of all games: colours, marks of seats, a header that names the player to act.

Each seat has a mark whose shape is its own, so that seats differ in more than colour. A class such as ``c0`` fills with
a colour; with the prefix ``s`` (``sc0``) it strokes with the same colour.
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
"""A colour in the light theme and its counterpart in the dark theme."""
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
"""The ink on colours that are dark in the light theme. In the dark theme all seat colours are bright."""
SEAT_MARKS = ("M12 1.5a10.5 10.5 0 1 0 .01 0z", "M3 3h18v18H3z", "M12 1.5L23 21.5H1z", "M12 .5L23.5 12 12 23.5.5 12z")
"""The paths of the marks by seat: a circle, a square, a triangle, a lozenge."""
_MARK_GAP = 7


def seat_colours(colours: Sequence[Shades], backs: Sequence[str] = (), marks: Sequence[str] = ()) -> dict[str, Shades]:
    """Return the colours of the classes of each seat, such as ``c0`` for the first seat.

    The name of a class is a letter and the number of the seat. The letter is c for the seat's colour, o for ink on that
    colour, k for the backs of the seat's cards, and m for the mark on the backs.

    Args:
        colours: the colours by seat; the first seat's colour must be bright in both themes.
        backs: the dark theme's colours of backs by seat; in the light theme, backs have the seat's colour. Empty for
            no backs.
        marks: the dark theme's colours of marks by seat; in the light theme, marks have the colour of class o. Empty
            for no marks.
    """
    inks = [ON_DARK if seat else ON_BRIGHT for seat in range(len(colours))]
    of_backs = [(light, dark) for (light, _), dark in zip(colours, backs, strict=False)]
    of_marks = [(light, dark) for (light, _), dark in zip(inks, marks, strict=False)]
    by_letter = {"c": colours, "o": inks, "k": of_backs, "m": of_marks}
    return {f"{letter}{seat}": shades for letter, by_seat in by_letter.items() for seat, shades in enumerate(by_seat)}


def style(scope: str, colours: Mapping[str, Shades]) -> Style:
    """Return the style of a drawing: classes for the given colours, ``b`` for bold letters and ``n`` for no fill."""
    light, dark = (colour_classes({name: shades[theme] for name, shades in colours.items()}) for theme in (0, 1))
    return Style(scope, FONTS, {"b": {"font-weight": "700"}, "n": {"fill": "none"}}, light, dark)


def seat_mark(
    seat: int, x: float, y: float, size: float, colour: str | None = None, marks: Sequence[str] = SEAT_MARKS
) -> Element:
    """Draw the mark of a seat with its upper left corner at (x, y), in the seat's colour or the class ``colour``."""
    return outline(marks[seat], x, y, size, colour or f"c{seat}")


def seat_frame(x: float, y: float, width: float, height: float, radius: float, thick: float | None = None) -> Element:
    """Draw the background of a seat's panel; ``thick`` is the width of its frame if the seat is to act, else None."""
    look = "panel sink" if thick else "panel sline"
    return box(x, y, width, height, radius, class_=look, stroke_width=thick or 1)


@cache
def weave(width: int, height: int) -> str:
    """Return the path of the slanting lines on a card's back, cut off at the card's edges."""
    lines = []
    for k in range(10, width + height - 4, 9):
        left, right = max(0, k - height), min(k, width)
        lines.append(f"M{left} {k - left}L{right} {k - right}")
    return "".join(lines)


def card_back(seat: int, width: float, height: float, corner: float) -> list[Element]:
    """Draw the back of a card without the seat's mark: the colour and the slanting lines."""
    lines = weave(int(width), int(height))
    return [
        box(0, 0, width, height, corner, class_=f"k{seat}"),
        element("path", d=lines, class_=f"n sm{seat}", stroke_width=1.2, stroke_opacity=0.3),
    ]


def mark_of_back(seat: int, width: float, height: float, size: float) -> list[Element]:
    """Draw the seat's mark in the middle of a card's back."""
    x, y = width / 2, height / 2
    return [
        element("circle", cx=x, cy=y, r=size / 2 + 7, class_=f"k{seat}"),
        seat_mark(seat, x - size / 2, y - size / 2, size, f"m{seat}"),
    ]


@dataclass(frozen=True)
class HeaderForm:
    """The layout of a picture's header, with a title at the left, and the player to act or the winners at the right.

    All lengths are in pixels at scale 1. A line of text is given as a pair of its baseline and its font size.

    Attributes:
        left: x of the left edge of the text.
        right: x of the right edge of the text.
        title: the line with the title, at the left.
        asked: the line with the player to act or the winners, at the right.
        mark: upper edge and size of the mark of the player's seat.
        viewer: the line that names the viewer; None for no such line.
        detail: the line with details of the decision; None for no such line.
        marks: the paths of the marks by seat.
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
        """Draw the title and, if the layout has a line for it, the name of the viewer."""
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
        """Draw the player to act, or the winners if no decision is pending; draw nothing if there are neither.

        Args:
            decision: the pending decision of a position, or None.
            winners: the winners of the game, drawn if no decision is pending.
            seats: the names of all seats.
            questions: the subjects of decisions in words, by kind of decision.
            about: a function that returns details of a decision; an empty text for no details.
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
