"""The drawing of a position: the wall, and below it the clans' lines, each card under the fort it fights for.

It is the browser's table in a fixed size. A clan's face-up warriors lie to the left of the slots still to come, its
face-down ones under their slots; a card not laid yet lies in one of the open slots. This always fits, because the
warriors in hand, laid and face-up never outnumber the slots, except for the one set aside, which has its own place at
the right; until it is set aside, the cards in hand share the open slots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from romans_env.render.hit_areas import HitArea
from romans_env.render.picture import Picture, Theme
from romans_env.render.romans_go_home.cards import CHIP_HEIGHT, chip
from romans_env.render.romans_go_home.palette import STYLE
from romans_env.render.romans_go_home.sheets import HAND_SIZE, Drawing, Form, card, in_order
from romans_env.render.svg import Element, group, letters
from romans_env.render.theme import HeaderForm

_FORM = Form(600, (79, 56), 62, 0)
_HEAD_HEIGHT = 46
_HEAD = HeaderForm(8, _FORM.width - 8, title=(21, 16), asked=(21, 12.5), mark=(9, 14), viewer=(38, 11.5))
_FORTS_FROM, _FORTS_TO = 128, 385

DECISIONS = {
    "discard": "whom to set aside",
    "place": "whom to place next",
    "reorder": "Zvord's new order",
    "charm": "whom to charm",
    "take": "which fort to take",
    "axx": "whether Axx stays",
    "unwary": "whether the weakest stays",
    "lose": "whom to lose",
    "give_up": "which fort to give up",
}
"""The subject of each kind of decision, in words."""


def draw(
    position: dict[str, Any], viewer: str | None = None, winners: Sequence[str] = (), theme: Theme = "auto"
) -> Picture:
    """Draw a position as a picture, see `romans_env.draw`: 600 wide, with the same height throughout a game."""
    bands = _Still(position, viewer, winners).sheet().picture.bands
    return Picture(bands, _FORM.width, STYLE, theme)


class _Still(Drawing):
    """A table without interaction: seats in their order, and each hand in its line."""

    _counts_hands = False

    def __init__(self, position: dict[str, Any], viewer: str | None, winners: Sequence[str]):
        super().__init__(position, None, winners, (), _FORM)
        self._seen_by = viewer

    def _head(self) -> tuple[int, list[Element], list[HitArea]]:
        turn = self._position["turn"]
        when = f"Round {self._position['round']}, " + (f"turn {turn} of {HAND_SIZE - 1}" if turn else "planning")
        decides = _HEAD.at_the_right(self._position["decision"], self._winners, self._clans, DECISIONS)
        return _HEAD_HEIGHT, [*_HEAD.at_the_left(when, self._seen_by), *decides], []

    def _wall(self) -> tuple[int, list[Element], list[HitArea]]:
        height, parts, hit_areas = super()._wall()
        left = _FORM.column(HAND_SIZE)
        if self._position["lost_forts"]:
            parts.append(letters("lost forts", left, 12, 11, class_="muted"))
        x = y = 0.0
        for name, copies in Counter(self._position["lost_forts"]).items():
            drawn, width = chip(name, copies, 0, 0)
            if x and x + width > _FORM.card[0]:
                x, y = 0.0, y + CHIP_HEIGHT + 3
            parts.append(group(drawn, x=left + x, y=18 + y))
            x += width + 4
        return height, parts, hit_areas

    def _captured(self, clan: str, cards: Any) -> tuple[Element, list[HitArea], int]:
        parts, x = [], 0.0
        for name, copies in Counter(cards["forts"]).items():
            drawn, width = chip(name, copies, x, 0)
            parts.append(drawn)
            x += width + 4
        # Forts that do not fit are drawn smaller.
        room = _FORTS_TO - _FORTS_FROM
        return group(*parts, x=_FORTS_FROM, y=6, scale=min(1.0, room / max(x, 1.0))), [], 1

    def _open(self, clan: str, cards: Any, seat: int, first: int) -> Iterator[tuple[float, Element, HitArea | None]]:
        hand, num_open = in_order(cards["hand"]), HAND_SIZE - first
        share = min(1.0, num_open / max(1, len(hand)))
        wide = _FORM.step * share - 4
        for k, name in enumerate(hand):
            yield first + k * share, card(name, seat, 0, 0, wide, _FORM.card[1], "hand"), None

    def _has_aside(self, clan: str, cards: Any) -> bool:
        held = len(cards["hand"]) + len(cards["hidden"])
        return not clan.startswith("neutral") and (self._position["turn"] > 0 or held < HAND_SIZE)
