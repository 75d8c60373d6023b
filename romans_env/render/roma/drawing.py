"""The drawing of a position of Roma: the common table at the top, and below it the discs of both seats, face to face.

It shows the same as the sheet for browsers, in a fixed size: hands are rows of chips next to the players' names, and a
hand or a discard pile that would not fit is drawn smaller.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from romans_env.render.picture import Picture, Theme
from romans_env.render.roma.cards import PLAYERS
from romans_env.render.roma.palette import STYLE
from romans_env.render.roma.questions import QUESTIONS, about
from romans_env.render.roma.sentences import counts_in_words
from romans_env.render.roma.sheets import DIE, Drawing, Form, die
from romans_env.render.svg import Element, box, group, letters
from romans_env.render.theme import HeaderForm
from romans_env.roma.material import NUM_DICE

_FORM = Form(600, (93, 68), 6, die=DIE, row=54, lines=2, has_effects=False)
_LEFT, _RIGHT = 10, _FORM.right
_HEAD = HeaderForm(_LEFT, _RIGHT, title=(23, 16), asked=(22, 13), mark=(10, 14), viewer=(41, 12), detail=(41, 12))
_HEAD_HEIGHT, _TABLE_HEIGHT, _DISCARD_HEIGHT = 50, 44, 62
_DISCARD_LINES, _DISCARD_LETTERS = 3, 84


def draw(
    position: dict[str, Any], viewer: str | None = None, winners: Sequence[str] = (), theme: Theme = "auto"
) -> Picture:
    """Draw a position as a picture, 600 pixels wide and equally high for all positions.

    The viewer's side is at the bottom; for the full state, ``player_0``'s side is.
    """
    bands = _Still(position, viewer, winners, (), _FORM).sheet().picture.bands
    return Picture(bands, _FORM.width, STYLE, theme)


def turn_in_words(position: dict[str, Any]) -> str:
    """Return the number of the turn and its player in words, or ``Opening``."""
    turn = position["turn"]
    return f"Turn {turn} of {PLAYERS[(turn - 1) % 2]}" if turn else "Opening"


class _Still(Drawing):
    """The drawing for pictures, which adds the decision and the discard pile, and has hands next to players' names."""

    _draws_hand = False

    def _add_table(self) -> None:
        decides = _HEAD.at_the_right(self._position["decision"], self._winners, PLAYERS, QUESTIONS, about)
        self._add(_HEAD_HEIGHT, [*_HEAD.at_the_left(turn_in_words(self._position), self._viewer), *decides])
        self._add(_TABLE_HEIGHT, _table(self._position))

    def _add_hand(self) -> None:
        self._add(_DISCARD_HEIGHT, _discard_pile(self._position))


def _table(position: dict[str, Any]) -> list[Element]:
    """Draw the dice, the stock of points, both piles, and the defence that cards lose to the card essedum."""
    dice = position["dice"]
    parts: list[Element] = []
    for place in range(NUM_DICE):
        x = _LEFT + place * (DIE + 6)
        if place < len(dice):
            parts.append(group(die(dice[place]), x=x, y=4))
        else:
            parts.append(box(x + 1, 5, DIE - 2, DIE - 2, 6, class_="n smuted", stroke_dasharray="3 3"))
    shown = [
        ("stock", str(position["stock"])),
        ("pile", str(position["pile_size"])),
        ("discard pile", str(sum(position["discard"].values()))),
    ]
    if position["essedum"]:
        shown.append(("essedum: defence", f"\N{MINUS SIGN}{2 * position['essedum']}"))
    right = float(_LEFT + NUM_DICE * (DIE + 6) + 14)
    for name, number in shown:
        parts.append(letters(name, right, 24, 12, class_="muted"))
        right += 6.9 * len(name) + 5
        width = 12 + 9.5 * len(number)
        parts += [
            box(right, 7, width, 24, 5, class_="panel sline"),
            letters(number, right + width / 2, 24.5, 15, class_="b ink", text_anchor="middle"),
        ]
        right += width + 14
    return parts


def _discard_pile(position: dict[str, Any]) -> list[Element]:
    """Draw the cards of the discard pile."""
    # A line must not break between a number and its card.
    named = [card.replace(" ", "\N{NO-BREAK SPACE}") for card in counts_in_words(position["discard"])]
    text = f"Discard pile: {', '.join(named) or 'empty'}"
    letters_in_line = _DISCARD_LETTERS
    while len(lines := textwrap.wrap(text, letters_in_line, break_on_hyphens=False)) > _DISCARD_LINES:
        letters_in_line += 4
    drawn = [letters(line, 0, 14 + 16 * k, 12, class_="muted") for k, line in enumerate(lines)]
    return [group(*drawn, x=_LEFT, y=2, scale=_DISCARD_LETTERS / letters_in_line)]
