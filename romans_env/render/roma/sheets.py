"""The sheet for play of Roma in a browser: the discs of both seats, face to face, and the viewer's hand below them.

On a narrow screen the discs form two blocks of three, so that opposite cards still face each other.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from romans_env.render.hit_areas import HitArea
from romans_env.render.picture import Band, Picture
from romans_env.render.roma.card_help import EFFECTS
from romans_env.render.roma.cards import (
    PLAYERS,
    chips_of,
    coin,
    cost_of,
    defence_of,
    disc_number,
    in_lines,
    is_character,
    price,
)
from romans_env.render.roma.palette import STYLE
from romans_env.render.roma.sentences import counts_in_words
from romans_env.render.roma.symbols import card_sign, eye, shield
from romans_env.render.sheets import Sheet, Sheets, centred, fitted, flush, keyed
from romans_env.render.svg import Element, box, element, group, letters
from romans_env.render.theme import card_back, mark_of_back, seat_frame, seat_mark
from romans_env.roma.material import NUM_DISCS

_OF_HAND = ("give", "keep", "lay")
_OF_DICE = ("money", "cards", "activate", "die")
_EFFECT_SIZE, _EFFECT_STEP, _EFFECT_LETTERS = 8.8, 9.8, 21
_NUMBERS = 22
DIE = 30
"""The width of a die before scaling, in pixels."""
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


class Form(NamedTuple):
    """The layout of a sheet; sizes are in pixels at scale 1.

    Attributes:
        width: width of the sheet.
        card: width and height of a card.
        columns: number of discs that lie side by side.
        die: width of a die.
        row: height of a seat's panel, not counting lines of chips (the cards of a hand in small).
        lines: number of lines of chips next to a seat's name; 0 to draw as many lines as needed below the name.
        has_effects: whether cards show their effects; otherwise they show whether they are characters or buildings.
    """

    width: int
    card: tuple[int, int]
    columns: int
    die: int
    row: int
    lines: int
    has_effects: bool

    @property
    def right(self) -> int:
        """The x coordinate of the right edge of the discs."""
        return self.columns * (self.card[0] + 4) + 6


_WIDE = Form(868, (104, 104), 6, die=50, row=32, lines=1, has_effects=True)
_NARROW = Form(360, (112, 64), 3, die=44, row=32, lines=0, has_effects=False)


def sheets(
    position: dict[str, Any], viewer: str | None, winners: Sequence[str], actions: Sequence[str], is_narrow: bool
) -> Sheets:
    """Draw the sheet of a position for play in a browser.

    Args:
        position: the position as plain data.
        viewer: the player who plays; None for the full state.
        winners: the winners of the game, if it is over.
        actions: the names of the viewer's legal actions.
        is_narrow: whether the sheet is for a narrow screen.
    """
    return [Drawing(position, viewer, winners, actions, _NARROW if is_narrow else _WIDE).sheet()]


class Drawing:
    """Draws the sheet of a position from top to bottom, and collects its hit areas."""

    _draws_hand = True
    """Whether the viewer's hand is drawn as cards below the discs."""

    def __init__(
        self, position: dict[str, Any], viewer: str | None, winners: Sequence[str], actions: Sequence[str], form: Form
    ):
        self._position, self._viewer, self._winners = position, viewer, winners
        self._actions, self._form = tuple(actions), form
        self._below = PLAYERS.index(viewer) if viewer in PLAYERS else 0
        self._left, self._top = 10, 0
        self._bands: list[Band] = []
        self._hit_areas: list[HitArea] = []

    def sheet(self) -> Sheet:
        """Draw the sheet; to be called only once."""
        form = self._form
        self._add_table()
        self._add_seat(1 - self._below, 6)
        for first in range(1, NUM_DISCS + 1, form.columns):
            numbers = range(first, first + form.columns)
            self._add(form.card[1] + 2, *self._discs(1 - self._below, numbers))
            self._add(_NUMBERS, self._disc_numbers(numbers))
            self._add(form.card[1] + 8, *self._discs(self._below, numbers))
        self._add_seat(self._below, 4)
        self._add_hand()
        return Sheet(Picture(tuple(self._bands), form.width, STYLE), self._hit_areas)

    def _add(self, height: int, parts: Sequence[Element], hit_areas: Sequence[HitArea] = ()) -> None:
        self._bands.append(Band(height, tuple(parts)))
        self._hit_areas += [hit_area.moved(0, self._top) for hit_area in hit_areas]
        self._top += height

    def _named(self, *kinds: str, end: str) -> tuple[str, ...]:
        """Return the names of the legal actions of the given kinds that end in ``:`` and ``end``."""
        return tuple(name for name in self._actions if name.partition(":")[0] in kinds and name.endswith(f":{end}"))

    # -- the common table

    def _add_table(self) -> None:
        """Add the dice and the stock above the discs or, if the sheet is wide, as a layer at the right of the discs."""
        form, (parts, hit_areas) = self._form, self._stock()
        if form.columns < NUM_DISCS:
            self._add(form.die + 34, parts, hit_areas)
        else:
            left = form.width - 214
            self._add(0, [group(*parts, x=left)], [hit_area.moved(left, 0) for hit_area in hit_areas])

    def _stock(self) -> tuple[list[Element], list[HitArea]]:
        """Draw the dice, the stock of points, both piles, and the defence that cards lose to the card essedum."""
        position, form = self._position, self._form
        is_wide, turn = form.columns == NUM_DISCS, position["turn"]
        parts = [letters(f"Turn {turn}" if turn else "Opening", 10, 22, 14, class_="b ink")]
        hit_areas, top = [], 34 if is_wide else 30
        for place, value in enumerate(position["dice"]):
            x = 10 + place * (form.die + 10)
            parts.append(keyed(group(die(value), x=x, y=top, scale=form.die / DIE), f"die {place}", change="roll"))
            chosen = self._named(*_OF_DICE, end=str(value))
            hit_areas.append(HitArea(x, top, form.die, form.die, f"Die {value}", "", chosen))
        discard = position["discard"]
        shown = [("stock", position["stock"]), ("pile", position["pile_size"]), ("discarded", sum(discard.values()))]
        shown += [("defence", -2 * position["essedum"])] if position["essedum"] else []
        for k, (name, number) in enumerate(shown):
            x, y = (10 + 100 * (k % 2), top + form.die + 30 + 28 * (k // 2)) if is_wide else (178, 22 + 18 * k)
            parts.append(letters(name, x, y, 12, class_="muted"))
            parts.append(keyed(letters(str(number), x + 66, y, 15, class_="b ink"), name))
        if is_wide and discard:
            for k, line in enumerate(textwrap.wrap(", ".join(counts_in_words(discard)), 36)[:12]):
                parts.append(letters(line, 10, top + form.die + 90 + 14 * k, 10.5, class_="muted"))
        return parts, hit_areas

    def _disc_numbers(self, numbers: Sequence[int]) -> list[Element]:
        first, step = self._left + self._form.card[0] / 2, self._form.card[0] + 4
        places = enumerate(numbers)
        return [part for k, number in places for part in disc_number(number, first + k * step, _NUMBERS / 2 - 1, 10)]

    # -- a seat

    def _add_seat(self, seat: int, gap: int) -> None:
        """Add a seat's name, points, money and known cards; on a narrow screen the cards are on lines of their own."""
        player, decision, form = PLAYERS[seat], self._position["decision"], self._form
        one, right = self._position["players"][player], form.right
        is_asked, has_won = decision is not None and decision["agent"] == player, player in self._winners
        chips, height = self._chips(seat)
        points, unit = str(one["points"]), "points" if one["points"] != 1 else "point"
        ink, middle = "b panel" if has_won else "b ink", form.row / 2
        parts = [
            seat_frame(6, 1, right - 2, height - 1, 8, 2.4 if is_asked else None),
            seat_mark(seat, 14, middle - 8, 16),
            letters(player, 36, middle + 5, 14, class_="b ink"),
            *([box(right - 134, middle - 12, 76, 25, 5, class_="ink")] if has_won else []),
            keyed(flush(points, right - 104, middle + 6, 17, ink), f"points {seat}", source="stock"),
            letters(unit, right - 100, middle + 5, 12, class_="panel" if has_won else "muted"),
            coin(right - 44, middle + 1),
            keyed(letters(str(one["money"]), right - 33, middle + 6, 16, class_="b ink"), f"money {seat}"),
        ]
        self._add(height + gap, [*parts, *chips])

    def _chips(self, seat: int) -> tuple[list[Element], int]:
        """Draw the known cards of a seat as chips, except a hand drawn as cards; return them and the panel's height."""
        form, is_drawn = self._form, self._draws_hand and seat == self._below
        hand = self._position["players"][PLAYERS[seat]]["hand"]
        chips = chips_of(self._position, seat, has_hand=hand is None or not is_drawn)
        scale, left, room = 1.05, 14, form.right - 24
        lines = in_lines(chips, room / scale) if chips else []
        height, top = form.row + 24 * len(lines), 40 - 10 * scale
        if form.lines:
            left, room = 140, form.right - 290
            # Chips that do not fit are drawn smaller.
            while len(lines := in_lines(chips, room / scale)) * scale > 1.05 * form.lines:
                scale *= 0.95
            height, top = form.row, form.row / 2 - (12 * len(lines) - 2) * scale
        if not chips:
            return [], height
        drawn = [group(*(group(chips[k][0], x=x) for k, x in line), y=24 * n) for n, line in enumerate(lines)]
        return [group(*drawn, x=left, y=top, scale=scale)], height

    def _discs(self, seat: int, numbers: Sequence[int]) -> tuple[list[Element], list[HitArea]]:
        one, decision, form = self._position["players"][PLAYERS[seat]], self._position["decision"], self._form
        is_own, (wide, high) = PLAYERS[seat] == self._viewer, form.card
        parts, hit_areas = [], []
        for k, disc in enumerate(numbers):
            card, x = one["discs"][disc - 1], self._left + k * (wide + 4)
            is_blocked = disc in one["blocked"]
            is_active = decision is not None and decision["agent"] == PLAYERS[seat] and decision["disc"] == disc
            chosen = self._named(*(("lay", "activate", "own") if is_own else ("rival",)), end=str(disc))
            whose = "your" if is_own else f"{PLAYERS[seat]}'s"
            name = f"{whose} disc {disc}{', blocked' if is_blocked else ''}"
            hit_area, is_down = HitArea(x, 0, wide, high, name.capitalize(), "", chosen), disc in one["face_down"]
            if card is None and not is_down:
                parts.append(box(x, 0, wide, high, 7, class_="line", fill_opacity=0.45))
                if is_blocked:
                    parts.append(group(*_blocked(form), x=x))
                else:
                    parts.append(centred("free", x + wide / 2, high / 2 + 4, 12, "muted"))
                parts += [box(x, 0, wide, high, 7, class_="n sink", stroke_width=3.2)] if is_active else []
                hit_areas += [hit_area] if chosen else []
                continue
            defence = 0 if card is None or is_down else defence_of(self._position, seat, disc)
            drawn = _card(card, seat, form, defence, is_blocked, is_active, is_down)
            parts.append(keyed(group(drawn, x=x), f"{seat} {card or ''}"))
            if card is not None:
                now = "" if is_down else f"Defence now {defence}. "
                hit_areas.append(hit_area._replace(name=f"{card}, on {name}", text=now + _text(card)))
        return parts, hit_areas

    def _add_hand(self) -> None:
        """Add the viewer's hand; cards that do not fit side by side overlap."""
        form, one = self._form, self._position["players"][PLAYERS[self._below]]
        wide, high = form.card
        cards: list[tuple[str, bool]] = []
        for card, copies in (one["hand"] or {}).items():
            seen = min(copies, one["known"].get(card, 0))
            cards += [(card, k < seen) for k in range(copies)]
        if not cards:
            self._add(8, [])
            return
        in_row = max(form.columns, 8) if form.has_effects else form.columns
        num_rows = 1 if form.has_effects else -(-len(cards) // in_row)
        step = min(wide + 4.0, (form.width - 16 - wide) / max(1, len(cards) - 1)) if num_rows == 1 else wide + 4.0
        parts, hit_areas = [], []
        for k, (card, is_known) in enumerate(cards):
            row, column = (0, k) if num_rows == 1 else divmod(k, in_row)
            x, y = self._left + column * step, row * (high + 4)
            drawn = [_card(card, self._below, form, None, False, False, False)]
            drawn += [eye(wide - 22, 5, 16, "ink")] if is_known else []
            parts.append(keyed(group(*drawn, x=x, y=y), f"{self._below} {card}"))
            chosen = tuple(name for name in self._actions if name.split(":")[:2] in [[kind, card] for kind in _OF_HAND])
            across = step if k < len(cards) - 1 else wide
            hit_areas.append(HitArea(x, y, across, high, f"{card}, in hand", _text(card), chosen))
        self._add(num_rows * (high + 4) + 6, parts, hit_areas)


def die(value: int) -> Element:
    """Draw a die, `DIE` wide, with its value as pips."""
    pips = [
        element("circle", cx=DIE / 2 + 8 * column, cy=DIE / 2 + 8 * row, r=3, class_="ondie")
        for column, row in _PIPS[value]
    ]
    return group(box(0, 0, DIE, DIE, 6, class_="die"), *pips)


def _text(card: str) -> str:
    kind = "Character" if is_character(card) else "Building"
    return f"{kind}, costs {cost_of(card)}. {EFFECTS[card]}"


@lru_cache(maxsize=4096)
def _card(
    card: str | None, seat: int, form: Form, defence: int | None, is_blocked: bool, is_active: bool, is_down: bool
) -> Element:
    """Draw a card: with its defence if it is on a disc, and with a thick frame while its effect is carried out."""
    wide, high = form.card
    if card is None:
        return group(*card_back(seat, wide, high, 7), *mark_of_back(seat, wide, high, 18))
    ground = "card" if is_character(card) else "stone"
    ink, head, on_head = ("muted", "k", "m") if is_down else ("ink", "c", "o")
    parts = [
        box(0, 0, wide, high, 7, class_=ground),
        element("path", d=f"M0 31V7a7 7 0 0 1 7-7H{wide - 7}a7 7 0 0 1 7 7V31z", class_=f"{head}{seat}"),
        price(cost_of(card), 16, 15.5, 11),
        card_sign(card, wide / 2 - 13, 2.5, 26, f"{on_head}{seat}"),
        centred(
            card, wide / 2, 46 if form.has_effects else 45, 13, f"b {ink}", **fitted(card, wide - 8, 7.6 * len(card))
        ),
    ]
    if defence is not None and not is_down:
        parts += [shield(wide - 28, 3, 25, "ink"), centred(str(defence), wide - 15.5, 20, 14, f"b {ground}")]
    lines = textwrap.wrap(EFFECTS[card], _EFFECT_LETTERS) if form.has_effects and not is_blocked else []
    parts += [
        centred(line, wide / 2, 57.5 + k * _EFFECT_STEP, _EFFECT_SIZE, ink, **fitted(line, wide - 7, 5 * len(line)))
        for k, line in enumerate(lines)
    ]
    if not form.has_effects and not is_blocked:
        parts.append(centred("character" if is_character(card) else "building", wide / 2, high - 5, 12, "muted"))
    if is_blocked:
        parts += _blocked(form)
    frame = ("sink", 3.2) if is_active else (f"sc{seat}", 1.6)
    return group(*parts, box(0, 0, wide, high, 7, class_=f"n {frame[0]}", stroke_width=frame[1]))


def _blocked(form: Form) -> list[Element]:
    """Draw the mark of a blocked disc at the lower edge of the disc or of the card on it."""
    wide, high = form.card
    return [box(0, high - 20, wide, 20, 6, class_="ink"), centred("blocked", wide / 2, high - 6, 12, "b panel")]
