"""Where the cards and dice of a position are drawn, what they do, and which actions are chosen on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from romans_env.render.roma.card_help import EFFECTS
from romans_env.render.roma.cards import CARD_HEIGHT, CARD_WIDTH, CHIP_HEIGHT, cost_of, is_character
from romans_env.render.roma.drawing import (
    COLUMN,
    DIE,
    DISCS_HEIGHT,
    HAND_LEFT,
    HAND_STEP,
    HEAD_HEIGHT,
    INFO_HEIGHT,
    LEFT,
    NUMBERS_HEIGHT,
    TABLE_HEIGHT,
    defence_of,
    hand_layout,
)
from romans_env.render.spots import Spot

_PLAYERS = ("player_0", "player_1")
_OF_DICE = ("money", "cards", "activate", "die")


def spots(position: dict[str, Any], viewer: str | None, actions: Sequence[str]) -> list[Spot]:
    """The spots of a position's picture, see `romans_env.render.renderer.Renderer`."""
    below = _PLAYERS.index(viewer) if viewer in _PLAYERS else 0
    above_discs = HEAD_HEIGHT + TABLE_HEIGHT + INFO_HEIGHT
    below_discs = above_discs + DISCS_HEIGHT + NUMBERS_HEIGHT
    found = [spot.moved(0, HEAD_HEIGHT) for spot in _dice(position, actions)]
    for seat, discs, hand in (
        (1 - below, above_discs, HEAD_HEIGHT + TABLE_HEIGHT),
        (below, below_discs, below_discs + DISCS_HEIGHT),
    ):
        own = actions if _PLAYERS[seat] == viewer else ()
        found += [spot.moved(0, hand) for spot in _hand(position, seat, own)]
        found += [spot.moved(0, discs) for spot in _discs(position, seat, viewer, actions)]
    return found


def _dice(position: dict[str, Any], actions: Sequence[str]) -> Iterator[Spot]:
    for place, value in enumerate(position["dice"]):
        chosen = tuple(name for name in actions if _kind(name) in _OF_DICE and name.endswith(f":{value}"))
        yield Spot(LEFT + place * (DIE + 6), 4, DIE, DIE, f"Die {value}", "", chosen)


def _hand(position: dict[str, Any], seat: int, actions: Sequence[str]) -> Iterator[Spot]:
    chips, lines, scale, top = hand_layout(position, seat)
    for number, line in enumerate(lines):
        for k, x in line:
            _, width, card = chips[k]
            if card is None:
                continue
            chosen = tuple(
                name for name in actions if _kind(name) in ("give", "keep", "lay") and name.split(":")[1] == card
            )
            spot = Spot(x, number * HAND_STEP, width, CHIP_HEIGHT, f"{card}, in hand", _text(card), chosen)
            yield spot.moved(HAND_LEFT, top, scale)


def _discs(position: dict[str, Any], seat: int, viewer: str | None, actions: Sequence[str]) -> Iterator[Spot]:
    one = position["players"][_PLAYERS[seat]]
    for disc, card in enumerate(one["discs"], 1):
        chosen = tuple(name for name in actions if _is_on(name, disc, _PLAYERS[seat] == viewer))
        whose = "your" if _PLAYERS[seat] == viewer else f"{_PLAYERS[seat]}'s"
        blocked = ", blocked" if disc in one["blocked"] else ""
        spot = Spot(
            LEFT + (disc - 1) * COLUMN, (DISCS_HEIGHT - CARD_HEIGHT) / 2, CARD_WIDTH, CARD_HEIGHT, "", "", chosen
        )
        if card is not None:
            now = "" if disc in one["face_down"] else f"Defence now {defence_of(position, seat, disc)}. "
            yield spot._replace(name=f"{card}, on {whose} disc {disc}{blocked}", text=now + _text(card))
        elif chosen:
            yield spot._replace(name=f"{whose} disc {disc}{blocked}".capitalize())


def _is_on(name: str, disc: int, is_own: bool) -> bool:
    if not name.endswith(f":{disc}"):
        return False
    return _kind(name) in (("lay", "activate", "own") if is_own else ("rival",))


def _kind(name: str) -> str:
    return name.partition(":")[0]


def _text(card: str) -> str:
    kind = "Character" if is_character(card) else "Building"
    return f"{kind}, costs {cost_of(card)}. {EFFECTS[card]}"
