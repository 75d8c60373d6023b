"""Chips, small drawings of the cards in a hand, and details of cards. Drawn chips are cached."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from romans_env.render.roma.symbols import eye
from romans_env.render.sheets import centred, stretched
from romans_env.render.svg import Element, box, element, group, letters
from romans_env.render.theme import seat_mark
from romans_env.roma.material import CARDS, COST, DECK_SIZE, DEFENCE, NUM_CHARACTERS

PLAYERS = ("player_0", "player_1")
CHIP_HEIGHT = 20
Chip = tuple[Element, float]
"""A drawn card, or a label, in a row of a hand, and its width in pixels."""
_NARROW = {**dict.fromkeys("il", 3.4), **dict.fromkeys("rtf", 4.8), "m": 11.7, " ": 3.8, "\N{MULTIPLICATION SIGN}": 10}
"""Approximate widths of the characters that differ from most in width, at font size 12."""


def cost_of(card: str) -> int:
    """Return the cost of a card in sestertii (ROMA 1.2)."""
    return int(COST[CARDS.index(card)])


def is_character(card: str) -> bool:
    """Return whether a card is a character; otherwise it is a building (ROMA 1.2)."""
    return CARDS.index(card) < NUM_CHARACTERS


def defence_of(position: dict[str, Any], seat: int, disc: int) -> int:
    """Return the current defence of a card on a disc (ROMA 5.5)."""
    discs = position["players"][PLAYERS[seat]]["discs"]
    turris = sum(card == "turris" for other, card in enumerate(discs, 1) if other != disc)
    is_attacked = position["turn"] and (position["turn"] - 1) % 2 != seat
    essedum = 2 * position["essedum"] if is_attacked else 0
    return int(DEFENCE[CARDS.index(discs[disc - 1])]) + turris - essedum


@lru_cache(maxsize=1024)
def chip(card: str, copies: int, is_known: bool) -> Chip:
    """Draw the copies of a card in a hand as one chip with the cost, and with an eye if the rival knows them."""
    text = card if copies == 1 else f"{card} \N{MULTIPLICATION SIGN}{copies}"
    left, name = 20, sum(_NARROW.get(letter, 7.3) for letter in text)
    width = left + name + (19 if is_known else 5)
    drawn = [
        box(0.5, 0.5, width - 1, CHIP_HEIGHT - 1, 4, class_=f"{'card' if is_character(card) else 'stone'} sline"),
        price(cost_of(card), 10, CHIP_HEIGHT / 2, 7.5, 11),
        letters(text, left, 14.3, 12, class_="ink", **stretched(name)),
    ]
    if is_known:
        drawn.append(eye(width - 17, 3.5, 13, "ink"))
    return group(*drawn), width


@lru_cache(maxsize=64)
def backs(number: int, seat: int) -> Chip:
    """Draw the cards that are hidden from the viewer as one chip: a card's back and the number of cards."""
    drawn = [
        box(0.5, 0.5, 15, CHIP_HEIGHT - 1, 3, class_=f"k{seat}"),
        seat_mark(seat, 4, 6, 8, f"m{seat}"),
        letters(f"\N{MULTIPLICATION SIGN}{number}", 19, 14.3, 12, class_="ink"),
    ]
    return group(*drawn), 19 + 8 * (1 + len(str(number)))


def chips_of(position: dict[str, Any], seat: int, has_hand: bool = True) -> list[Chip]:
    """Return the chips of a seat's hand, as far as the viewer knows it, and of the cards that the seat put aside.

    Args:
        position: the position.
        seat: the seat.
        has_hand: whether to include the hand; False if the hand is drawn elsewhere.

    Returns:
        The chips and labels in order, each with its width.
    """
    one = position["players"][PLAYERS[seat]]
    chips = [_label(f"hand {one['hand_size']}:"), *_hand_chips(one, position["turn"], seat)] if has_hand else []
    if one["aside"] is None:
        chips += [_label("aside:"), backs(_num_aside(position, seat), seat)]
    elif one["aside"]:
        chips += [_label("aside:"), *(chip(card, copies, False) for card, copies in one["aside"].items())]
    return chips


def _hand_chips(one: dict[str, Any], turn: int, seat: int) -> list[Chip]:
    known = one["known"]
    if one["hand"] is not None:
        chips: list[Chip] = []
        for card, copies in one["hand"].items():
            seen = min(copies, known.get(card, 0))
            chips += [chip(card, seen, True)] if seen else []
            chips += [chip(card, copies - seen, False)] if copies > seen else []
        return chips
    # In the opening, known cards may also lie face-down or aside, so it is unknown which of them are in the hand.
    is_in_hand = turn > 0 and one["aside"] is not None
    num_known = sum(known.values()) if is_in_hand else 0
    num_backs = one["hand_size"] - num_known
    chips = [backs(num_backs, seat)] if num_backs else []
    if known and not is_in_hand:
        chips.append(_label("known:"))
    return chips + [chip(card, copies, True) for card, copies in known.items()]


def _num_aside(position: dict[str, Any], seat: int) -> int:
    """Return the number of cards that a rival has put aside: all cards of the deck except the cards elsewhere."""
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
    """Break chips into lines that fit a width; each chip is given as its index and its left edge in the line."""
    lines: list[list[tuple[int, float]]] = [[]]
    x = 0.0
    for k, (_, wide) in enumerate(chips):
        if lines[-1] and x + wide > width:
            lines.append([])
            x = 0.0
        lines[-1].append((k, x))
        x += wide + 5
    return lines


def price(number: int, x: float, y: float, radius: float, size: float = 13) -> Element:
    """Draw a coin with the cost of a card, with its centre at (x, y)."""
    return group(
        element("circle", cx=x, cy=y, r=radius, class_="coin sink", stroke_width=1),
        letters(str(number), x, y + 0.36 * size, size, class_="ink", text_anchor="middle"),
    )


def disc_number(number: int, x: float, y: float, radius: float) -> list[Element]:
    """Draw the number of a disc in a circle with its centre at (x, y)."""
    return [
        element("circle", cx=x, cy=y, r=radius, class_="panel smuted", stroke_width=1),
        centred(str(number), x, y + 5, 14, "b ink"),
    ]


def coin(x: float, y: float) -> Element:
    """Draw a coin, the sign of money, with its centre at (x, y)."""
    return element("circle", cx=x, cy=y, r=6, class_="coin sink", stroke_width=1)
