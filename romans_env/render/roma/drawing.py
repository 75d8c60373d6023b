"""The drawing of a position: the table at the top, then both seats' discs face to face, the viewer's below.

A picture is bands that are always of the same height; a hand, or a discard pile, that would not fit is drawn smaller.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from romans_env.render.picture import Band, Picture, Theme
from romans_env.render.roma import cards
from romans_env.render.roma.palette import STYLE
from romans_env.render.roma.questions import QUESTIONS, about
from romans_env.render.roma.words import counts_in_words
from romans_env.render.svg import Element, box, element, group, letters
from romans_env.render.theme import Head, seat_frame, seat_mark
from romans_env.roma.material import CARDS, DECK_SIZE, DEFENCE, NUM_DICE, NUM_DISCS

WIDTH = 600
PLAYERS = ("player_0", "player_1")
_EDGE, LEFT = 8, 15
COLUMN = cards.CARD_WIDTH + 6
HEAD_HEIGHT, TABLE_HEIGHT, INFO_HEIGHT, DISCS_HEIGHT, NUMBERS_HEIGHT, DISCARD_HEIGHT = 50, 44, 60, 76, 24, 62
_HEAD = Head(LEFT, WIDTH - LEFT, title=(23, 16), asked=(22, 13), mark=(10, 14), viewer=(41, 12), detail=(41, 12))
_HAND_LEFT = 166
_HAND_WIDTH = WIDTH - _HAND_LEFT - LEFT
DIE = 30
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_DISCARD_LINES, _DISCARD_LETTERS = 3, 84
_HAND_STEP = cards.CHIP_HEIGHT + 4
Chip = tuple[Element, float]
"""What is drawn in a hand, and how wide it is."""


def draw(
    position: dict[str, Any], viewer: str | None = None, winners: Sequence[str] = (), theme: Theme = "auto"
) -> Picture:
    """Draw a position as a picture, see `romans_env.draw`: 600 wide, of the same height at every position.

    The viewer's side is below; player_0's where the full state is shown.
    """
    below = PLAYERS.index(viewer) if viewer in PLAYERS else 0
    bands = [
        Band(HEAD_HEIGHT, _head(position, viewer, winners)),
        Band(TABLE_HEIGHT, tuple(_table(position))),
        Band(INFO_HEIGHT, tuple(_info(position, 1 - below, winners))),
        Band(DISCS_HEIGHT, tuple(_discs(position, 1 - below))),
        Band(NUMBERS_HEIGHT, _numbers()),
        Band(DISCS_HEIGHT, tuple(_discs(position, below))),
        Band(INFO_HEIGHT, tuple(_info(position, below, winners))),
        Band(DISCARD_HEIGHT, tuple(_discard_pile(position))),
    ]
    return Picture(tuple(bands), WIDTH, STYLE, theme)


# -- the head and the table


def turn_in_words(position: dict[str, Any]) -> str:
    """Return whose turn it is."""
    turn = position["turn"]
    return f"Turn {turn} of {PLAYERS[(turn - 1) % 2]}" if turn else "Opening"


def _head(position: dict[str, Any], viewer: str | None, winners: Sequence[str]) -> tuple[Element, ...]:
    decides = _HEAD.at_the_right(position["decision"], winners, PLAYERS, QUESTIONS, about)
    return (*_HEAD.at_the_left(turn_in_words(position), viewer), *decides)


def _table(position: dict[str, Any]) -> list[Element]:
    """Draw the dice, the stock, both piles, and how much essedum lowers the defence."""
    dice = position["dice"]
    parts: list[Element] = []
    for place in range(NUM_DICE):
        x = LEFT + place * (DIE + 6)
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
    right = float(LEFT + NUM_DICE * (DIE + 6) + 14)
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


def die(value: int) -> Element:
    """Draw a die, `DIE` wide, with its value as pips."""
    pips = [
        element("circle", cx=DIE / 2 + 8 * column, cy=DIE / 2 + 8 * row, r=3, class_="ondie")
        for column, row in _PIPS[value]
    ]
    return group(box(0, 0, DIE, DIE, 6, class_="die"), *pips)


# -- a seat


def _info(position: dict[str, Any], seat: int, winners: Sequence[str]) -> list[Element]:
    """Draw a seat's name, points, money, hand, and the cards that it has put aside."""
    player = PLAYERS[seat]
    one, decision = position["players"][player], position["decision"]
    is_asked = decision is not None and decision["agent"] == player
    return [
        seat_frame(_EDGE, 2, WIDTH - 2 * _EDGE, INFO_HEIGHT - 5, 7, 2.4 if is_asked else None),
        seat_mark(seat, LEFT, 9, 16),
        letters(player, LEFT + 23, 22, 14, class_="b ink"),
        *_points(one["points"], player in winners),
        cards.coin(LEFT + 104, 42.5),
        letters(str(one["money"]), LEFT + 115, 48, 16, class_="b ink"),
        *_hand(position, seat),
    ]


def _points(points: int, has_won: bool) -> list[Element]:
    """Draw a seat's points, on a dark ground if it won the game."""
    ground = [box(LEFT - 4, 31, 84, 23, 5, class_="ink")] if has_won else []
    number, unit = str(points), "points" if points != 1 else "point"
    return [
        *ground,
        letters(number, LEFT, 48, 17, class_="b panel" if has_won else "b ink"),
        letters(unit, LEFT + 12 * len(number) + 5, 48, 12, class_="panel" if has_won else "muted"),
    ]


def _hand(position: dict[str, Any], seat: int) -> list[Element]:
    """Draw the chips of a hand in two lines, smaller where they would not fit."""
    chips = chips_of(position, seat)
    widest, scale = float(_HAND_WIDTH), 1.0
    while len(lines := in_lines(chips, widest / scale)) > 2 / scale:
        scale *= 0.95
    top = (INFO_HEIGHT - 1 - scale * (_HAND_STEP * len(lines) - 4)) / 2
    drawn = [group(*(group(chips[k][0], x=x) for k, x in line), y=n * _HAND_STEP) for n, line in enumerate(lines)]
    return [group(*drawn, x=_HAND_LEFT, y=top, scale=scale)]


def chips_of(position: dict[str, Any], seat: int, has_hand: bool = True) -> list[Chip]:
    """Return chips of what is known of a seat's hand, unless drawn elsewhere, and of the cards that it has put aside.

    Returns:
        Elements, each with its width.
    """
    one = position["players"][PLAYERS[seat]]
    chips = [_label(f"hand {one['hand_size']}:"), *_hand_chips(one, position["turn"], seat)] if has_hand else []
    if one["aside"] is None:
        chips += [_label("aside:"), cards.backs(_num_aside(position, seat), seat)]
    elif one["aside"]:
        chips += [_label("aside:"), *(cards.chip(card, copies, False) for card, copies in one["aside"].items())]
    return chips


def _hand_chips(one: dict[str, Any], turn: int, seat: int) -> list[Chip]:
    known = one["known"]
    if one["hand"] is not None:
        chips: list[Chip] = []
        for card, copies in one["hand"].items():
            seen = min(copies, known.get(card, 0))
            chips += [cards.chip(card, seen, True)] if seen else []
            chips += [cards.chip(card, copies - seen, False)] if copies > seen else []
        return chips
    # Known cards that lie face-down or aside are not in the hand; which they are is not known.
    is_in_hand = turn > 0 and one["aside"] is not None
    num_known = sum(known.values()) if is_in_hand else 0
    num_backs = one["hand_size"] - num_known
    chips = [cards.backs(num_backs, seat)] if num_backs else []
    if known and not is_in_hand:
        chips.append(_label("known:"))
    return chips + [cards.chip(card, copies, True) for card, copies in known.items()]


def _num_aside(position: dict[str, Any], seat: int) -> int:
    """Return how many cards a rival has put aside: all cards but those that are elsewhere."""
    one, other = (position["players"][PLAYERS[k]] for k in (seat, 1 - seat))
    seen = position["pile_size"] + sum(position["discard"].values())
    seen += one["hand_size"] + other["hand_size"] + sum((other["aside"] or {}).values())
    for player in (one, other):
        on_discs = {disc for disc, card in enumerate(player["discs"], 1) if card} | set(player["face_down"])
        seen += len(on_discs)
    return DECK_SIZE - int(seen)


def _label(text: str) -> Chip:
    return letters(text, 0, 14.3, 12, class_="muted"), 6.6 * len(text)


def in_lines(chips: Sequence[Chip], width: float) -> list[list[tuple[int, float]]]:
    """Return the chips in lines of a width: of each its number and its left edge."""
    lines: list[list[tuple[int, float]]] = [[]]
    x = 0.0
    for k, (_, wide) in enumerate(chips):
        if lines[-1] and x + wide > width:
            lines.append([])
            x = 0.0
        lines[-1].append((k, x))
        x += wide + 5
    return lines


def _discs(position: dict[str, Any], seat: int) -> list[Element]:
    one, decision = position["players"][PLAYERS[seat]], position["decision"]
    drawn = []
    for disc, card in enumerate(one["discs"], 1):
        x = LEFT + (disc - 1) * COLUMN
        is_active = decision is not None and decision["agent"] == PLAYERS[seat] and decision["disc"] == disc
        if disc in one["face_down"]:
            drawn.append(cards.face_down(card, seat, x))
        elif card is None:
            drawn.append(cards.free_disc(seat, x, disc in one["blocked"], is_active))
        else:
            drawn.append(
                cards.on_disc(card, seat, x, defence_of(position, seat, disc), disc in one["blocked"], is_active)
            )
    return [group(*drawn, y=(DISCS_HEIGHT - cards.CARD_HEIGHT) / 2)]


def defence_of(position: dict[str, Any], seat: int, disc: int) -> int:
    """Return the defence of a card on a disc now (ROMA 5.5)."""
    discs = position["players"][PLAYERS[seat]]["discs"]
    turris = sum(card == "turris" for other, card in enumerate(discs, 1) if other != disc)
    is_attacked = position["turn"] and (position["turn"] - 1) % 2 != seat
    essedum = 2 * position["essedum"] if is_attacked else 0
    return int(DEFENCE[CARDS.index(discs[disc - 1])]) + turris - essedum


def _numbers() -> tuple[Element, ...]:
    """Draw the numbers of the discs, between the two sides."""
    first, discs = LEFT + cards.CARD_WIDTH / 2, range(NUM_DISCS)
    return tuple(part for k in discs for part in cards.disc_number(k + 1, first + k * COLUMN, NUMBERS_HEIGHT / 2, 11))


def _discard_pile(position: dict[str, Any]) -> list[Element]:
    """Draw what lies on the discard pile."""
    # No line ends between a number and its card.
    named = [card.replace(" ", "\N{NO-BREAK SPACE}") for card in counts_in_words(position["discard"])]
    text = f"Discard pile: {', '.join(named) or 'empty'}"
    letters_in_line = _DISCARD_LETTERS
    while len(lines := textwrap.wrap(text, letters_in_line, break_on_hyphens=False)) > _DISCARD_LINES:
        letters_in_line += 4
    drawn = [letters(line, 0, 14 + 16 * k, 12, class_="muted") for k, line in enumerate(lines)]
    return [group(*drawn, x=LEFT, y=2, scale=_DISCARD_LETTERS / letters_in_line)]
