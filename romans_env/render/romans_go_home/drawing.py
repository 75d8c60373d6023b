"""The drawing of a position: the wall, and below it the clans' lines, every card under the fort it fights for.

A clan's face-up warriors are left of the slots still to come and its face-down ones under theirs; a card not laid yet
is drawn smaller in a place that is still open. That always fits: warriors in hand, laid and face-up are never more than
the slots, but for the one that is set aside, which has a place of its own at the right; until there is one, the cards
in hand share the slots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from romans_env.render.picture import Band, Picture, Theme
from romans_env.render.romans_go_home.cards import (
    CARD_HEIGHT,
    CARD_WIDTH,
    CHIP_HEIGHT,
    FORT_WIDTH,
    chip,
    empty_slot,
    face_down,
    face_up,
    fort,
    gone,
    in_hand,
)
from romans_env.render.romans_go_home.palette import STYLE
from romans_env.render.svg import Element, box, element, group, letters
from romans_env.render.theme import Head, seat_frame, seat_mark

WIDTH = 600
_EDGE = 8
COLUMN = CARD_WIDTH + 3
_FIRST_COLUMN = 14
ASIDE = WIDTH - _FIRST_COLUMN - CARD_WIDTH
"""Where the set-aside warriors and the lost forts are."""
HEAD_HEIGHT, WALL_HEIGHT, WALL_TOP = 33, 101, 17
CLAN_HEIGHT, PANEL_HEIGHT = 95, 88
FORTS_FROM, FORTS_TO = 128, 385
_HEAD = Head(_FIRST_COLUMN, WIDTH - _FIRST_COLUMN, title=(25, 16), asked=(24, 12.5), mark=(12, 14))

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
"""What a decision is about, in words."""


def draw(
    position: dict[str, Any], viewer: str | None = None, winners: Sequence[str] = (), theme: Theme = "auto"
) -> Picture:
    """A position as a picture, see `romans_env.draw`: 600 wide, as high as the table's clans need.

    The height is the same at every position of a game.
    """
    return Picture(tuple(_bands(position, viewer, winners)), WIDTH, STYLE, theme)


def _bands(position: dict[str, Any], viewer: str | None, winners: Sequence[str]) -> list[Band]:
    """A head, the wall, and a band for every clan."""
    clans = list(position["clans"])
    return [
        Band(HEAD_HEIGHT, tuple(_head(position, clans, winners))),
        Band(WALL_HEIGHT, tuple(_wall(position, clans, viewer))),
        *(Band(CLAN_HEIGHT, tuple(_clan(position, clan, seat, clan in winners))) for seat, clan in enumerate(clans)),
    ]


def _head(position: dict[str, Any], clans: list[str], winners: Sequence[str]) -> list[Element]:
    turn = position["turn"]
    when = f"Round {position['round']}, " + (f"turn {turn} of {len(position['wall'])}" if turn else "planning")
    decides = _HEAD.at_the_right(position["decision"], winners, clans, DECISIONS)
    return [*_HEAD.at_the_left(when, None), *decides]


def _wall(position: dict[str, Any], clans: list[str], viewer: str | None) -> list[Element]:
    parts = [letters(f"as {viewer} sees it", _FIRST_COLUMN, 8, 11.5, class_="muted")] if viewer else []
    turn, this_turn = position["turn"], position["this_turn"]
    for slot, name in enumerate(position["wall"], 1):
        x = _FIRST_COLUMN + (slot - 1) * COLUMN
        if slot == turn:
            parts.append(element("path", d=f"M{x + 32.5} 6h13l-6.5 7z", class_="ink"))
        if name is not None:
            parts.append(fort(name, x, WALL_TOP, slot == turn))
            continue
        parts.append(empty_slot(x, WALL_TOP))
        if slot == turn and this_turn["captor"]:
            captor = this_turn["captor"]
            middle = x + FORT_WIDTH / 2
            parts.append(seat_mark(clans.index(captor), middle - 9, WALL_TOP + 20, 18))
            parts.append(letters("taken by", middle, WALL_TOP + 51, 11, class_="muted", text_anchor="middle"))
            parts.append(letters(captor, middle, WALL_TOP + 65, 12, class_="b ink", text_anchor="middle"))
    return parts + _lost(position["lost_forts"])


def _lost(names: list[str]) -> list[Element]:
    """The forts that are out of the game."""
    parts = [letters("lost forts", ASIDE, WALL_TOP - 5, 11, class_="muted")] if names else []
    x = y = 0.0
    for name, copies in Counter(names).items():
        drawn, width = chip(name, copies, 0, 0)
        if x and x + width > CARD_WIDTH:
            x, y = 0.0, y + CHIP_HEIGHT + 3
        parts.append(group(drawn, x=ASIDE + x, y=WALL_TOP + 3 + y))
        x += width + 4
    return parts


def _clan(position: dict[str, Any], clan: str, seat: int, has_won: bool) -> list[Element]:
    cards, decision = position["clans"][clan], position["decision"]
    is_asked = decision is not None and decision["agent"] == clan
    return [
        seat_frame(_EDGE, 1, WIDTH - 2 * _EDGE, PANEL_HEIGHT, 7, 2.4 if is_asked else None),
        seat_mark(seat, _FIRST_COLUMN, 8, 16),
        letters(clan, _FIRST_COLUMN + 23, 21, 14, class_="b ink"),
        _captured(cards["forts"]),
        *_total(position, clan),
        *_points(cards["points"], has_won),
        group(*_line(position, clan, seat), y=PANEL_HEIGHT - CARD_HEIGHT - 5),
    ]


def _captured(names: list[str]) -> Element:
    parts, x = [], 0.0
    for name, copies in Counter(names).items():
        drawn, width = chip(name, copies, x, 0)
        parts.append(drawn)
        x += width + 4
    # A hoard of every kind is drawn smaller rather than cut off.
    return group(*parts, x=FORTS_FROM, y=6, scale=min(1.0, (FORTS_TO - FORTS_FROM) / max(x, 1.0)))


def _total(position: dict[str, Any], clan: str) -> list[Element]:
    """What the clan fights with this turn, on a dark ground where it won the fort."""
    this_turn = position["this_turn"]
    if this_turn["revealed"][clan] is None or not any(this_turn["totals"].values()):
        return []
    if this_turn["revealed"][clan] == "filchy":
        return [letters("does not fight", 486, 21, 11.5, class_="muted", text_anchor="end")]
    total, won = str(this_turn["totals"][clan]), this_turn["captor"] == clan
    width = 14 + 10 * len(total)
    return [
        letters("total", 486 - width - 5, 21, 11.5, class_="muted", text_anchor="end"),
        box(486 - width, 5, width, 22, 5, class_="ink" if won else "n sline"),
        letters(total, 486 - width / 2, 21, 15, class_="b panel" if won else "b ink", text_anchor="middle"),
    ]


def _points(points: int, has_won: bool) -> list[Element]:
    """The clan's points, on a dark ground where it won the game."""
    right = WIDTH - _FIRST_COLUMN
    shown = f"\N{MINUS SIGN}{-points}" if points < 0 else str(points)
    unit = "points" if abs(points) != 1 else "point"
    return [
        *([box(right - 82, 3, 86, 26, 5, class_="ink")] if has_won else []),
        letters(shown, right - 43, 22, 18, class_="b panel" if has_won else "b ink", text_anchor="end"),
        letters(unit, right - 38, 21, 11.5, class_="panel" if has_won else "muted"),
    ]


def _line(position: dict[str, Any], clan: str, seat: int) -> list[Element]:
    """A clan's cards, each in its column."""
    cards, turn, this_turn = position["clans"][clan], position["turn"], position["this_turn"]
    is_player = not clan.startswith("neutral")
    slots = len(position["wall"])
    revealed = this_turn["revealed"][clan] if turn else None
    earlier = list(cards["face_up"])
    drawn = []
    if revealed is not None:
        x = column_x(turn)
        if revealed in earlier and not _is_wrecked(this_turn, revealed):
            earlier.remove(revealed)
            drawn.append(face_up(revealed, seat, x, 0, revealed=True, charmed=this_turn["charmed"] == clan))
        else:
            drawn.append(gone(revealed, seat, x, 0))
    before = turn - 1 if revealed is not None else turn
    drawn += [face_up(name, seat, column_x(before - k), 0) for k, name in enumerate(reversed(earlier))]
    drawn += [face_down(name, seat, column_x(turn + 1 + k), 0) for k, name in enumerate(cards["hidden"])]
    first_open = turn + 1 + len(cards["hidden"])
    drawn += _hand(cards["hand"], seat, first_open, slots)
    return drawn + _set_aside(cards, is_player, seat, position)


def _hand(hand: Sequence[str | None], seat: int, first_open: int, slots: int) -> list[Element]:
    """The cards not laid yet, from the first open slot on."""
    num_open = slots - first_open + 1
    if len(hand) <= num_open:
        return [in_hand(name, seat, column_x(first_open + k), 0) for k, name in enumerate(hand)]
    # The place at the right is for the warrior that is set aside: until there is one, all cards are smaller.
    scale = num_open / len(hand)
    cards = [in_hand(name, seat, k * COLUMN, 0) for k, name in enumerate(hand)]
    return [group(*cards, x=column_x(first_open), y=CARD_HEIGHT * (1 - scale), scale=scale)]


def column_x(slot: int) -> float:
    return _FIRST_COLUMN + (slot - 1) * COLUMN


def _is_wrecked(this_turn: dict[str, Any], warrior: str) -> bool:
    """Whether the warrior is one of several Ch'ariotts revealed this turn (RULES 4.2)."""
    return warrior == "chariott" and list(this_turn["revealed"].values()).count(warrior) > 1


def _set_aside(cards: dict[str, Any], clan_plays: bool, seat: int, position: dict[str, Any]) -> list[Element]:
    """The warrior that a player has set aside, as soon as there is one: positions for other seats do not show it."""
    held = len(cards["hand"]) + len(cards["hidden"])
    if not clan_plays or (position["turn"] == 0 and held > len(position["wall"])):
        return []
    x = ASIDE - 6
    return [
        face_down(cards["set_aside"], seat, ASIDE, 0),
        group(letters("aside", 0, 0, 10.5, class_="muted", text_anchor="middle"), x=x, y=CARD_HEIGHT / 2, turn=-90),
    ]
