"""Where the cards of a position are drawn, what they do, and which actions are chosen on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from romans_env.render.romans_go_home.card_help import FORT_EFFECTS, WARRIOR_EFFECTS
from romans_env.render.romans_go_home.cards import (
    CARD_HEIGHT,
    CARD_WIDTH,
    CHIP_HEIGHT,
    FORT_HEIGHT,
    FORT_WIDTH,
    chip,
    strength_of,
)
from romans_env.render.romans_go_home.drawing import (
    ASIDE,
    CLAN_HEIGHT,
    COLUMN,
    FORTS_FROM,
    FORTS_TO,
    HEAD_HEIGHT,
    PANEL_HEIGHT,
    WALL_HEIGHT,
    WALL_TOP,
    column_x,
)
from romans_env.render.romans_go_home.terminal import fort_title, warrior_title
from romans_env.render.spots import Spot

_LAYS = ("place", "reorder")
_FORTS = {name.lower(): effect for name, _, effect in FORT_EFFECTS}


def spots(position: dict[str, Any], viewer: str | None, actions: Sequence[str]) -> list[Spot]:
    """The spots of a position's picture, see `romans_env.render.renderer.Renderer`."""
    chosen = _Actions(position, viewer, actions)
    found = list(_wall(position, chosen))
    for number, clan in enumerate(position["clans"]):
        top = HEAD_HEIGHT + WALL_HEIGHT + number * CLAN_HEIGHT
        found += [spot.moved(0, top) for spot in _clan(position, clan, chosen)]
    return found


class _Actions:
    """The legal actions, by what they are chosen on."""

    def __init__(self, position: dict[str, Any], viewer: str | None, actions: Sequence[str]):
        self.all, self._viewer = tuple(actions), viewer
        self._position = position
        self._clans = list(position["clans"])
        self.kind = actions[0].partition(":")[0] if actions else ""

    def at_slot(self, slot: int) -> tuple[str, ...]:
        """Of the fort in a slot."""
        if self.kind == "take":
            return self.named(f"take:{slot}")
        return self.all if self.kind in _LAYS and slot == self.next_slot else ()

    @property
    def next_slot(self) -> int:
        """The slot that the viewer fills next."""
        return int(self._position["turn"]) + len(self._position["clans"][self._viewer]["hidden"]) + 1

    def named(self, name: str) -> tuple[str, ...]:
        return (name,) if name in self.all else ()

    def of_hand(self, clan: str, warrior: str) -> tuple[str, ...]:
        return self.named(f"{self.kind}:{warrior}") if clan == self._viewer and self.kind in (*_LAYS, "discard") else ()

    def of_face_up(self, clan: str, warrior: str, is_revealed: bool) -> tuple[str, ...]:
        if self.kind == "charm" and is_revealed:
            steps = self._clans.index(clan) - self._clans.index(str(self._viewer))
            return self.named(f"charm:+{steps % len(self._clans)}")
        if clan != self._viewer:
            return ()
        face_up = self._position["clans"][clan]["face_up"]
        if self.kind == "axx":
            return self.all if warrior == "axx" and is_revealed else ()
        if self.kind == "unwary":
            return self.all if warrior == min(face_up, key=strength_of) else ()
        return self.named(f"lose:{warrior}")

    def of_fort(self, clan: str, fort: str) -> tuple[str, ...]:
        return self.named(f"give_up:{fort}") if clan == self._viewer else ()


def _wall(position: dict[str, Any], chosen: _Actions) -> Iterator[Spot]:
    for slot, name in enumerate(position["wall"], 1):
        title = f"Slot {slot}, {fort_title(name)}" if name else f"Slot {slot}"
        text = _fort_text(name) if name else ""
        if name or chosen.at_slot(slot):
            place = column_x(slot), HEAD_HEIGHT + WALL_TOP, FORT_WIDTH, FORT_HEIGHT
            yield Spot(*place, title, text, chosen.at_slot(slot))


def _fort_text(name: str) -> str:
    effect = _FORTS[name.partition("-")[0]]
    points = fort_title(name).partition(" ")[2]
    said = "" if effect == "None." else f" {effect}"
    return f"{points} point{'' if points in ('1', '-1') else 's'}.{said}"


def _clan(position: dict[str, Any], clan: str, chosen: _Actions) -> Iterator[Spot]:
    """A clan's cards: y is 0 at the upper edge of its band."""
    cards = position["clans"][clan]
    yield from _captured(clan, cards["forts"], chosen)
    line = PANEL_HEIGHT - CARD_HEIGHT - 5
    yield from (spot.moved(0, line) for spot in _line(position, clan, chosen))
    if cards["set_aside"]:
        yield _card(cards["set_aside"], ASIDE, "set aside").moved(0, line)
    elif chosen.kind == "discard" and clan == position["decision"]["agent"]:
        yield Spot(ASIDE, line, CARD_WIDTH, CARD_HEIGHT, "Place of the warrior that is set aside", "", chosen.all)


def _line(position: dict[str, Any], clan: str, chosen: _Actions) -> Iterator[Spot]:
    cards, turn = position["clans"][clan], position["turn"]
    revealed = position["this_turn"]["revealed"][clan] if turn else None
    earlier = list(cards["face_up"])
    if revealed is not None:
        if revealed in earlier:
            earlier.remove(revealed)
        yield _card(revealed, column_x(turn), "revealed this turn", chosen.of_face_up(clan, revealed, True))
    before = turn - 1 if revealed is not None else turn
    for k, name in enumerate(reversed(earlier)):
        yield _card(name, column_x(before - k), "face-up", chosen.of_face_up(clan, name, False))
    for k, name in enumerate(cards["hidden"]):
        if name is not None:
            yield _card(name, column_x(turn + 1 + k), f"face-down in slot {turn + 1 + k}")
    if chosen.kind in _LAYS and clan == position["decision"]["agent"]:
        here = column_x(chosen.next_slot)
        yield Spot(here, 0, CARD_WIDTH, CARD_HEIGHT, f"Slot {chosen.next_slot}", "", chosen.all)
    yield from _hand(position, clan, chosen)


def _hand(position: dict[str, Any], clan: str, chosen: _Actions) -> Iterator[Spot]:
    hand = position["clans"][clan]["hand"]
    first_open = position["turn"] + 1 + len(position["clans"][clan]["hidden"])
    num_open = len(position["wall"]) - first_open + 1
    scale = min(1.0, num_open / len(hand)) if hand else 1.0
    for k, name in enumerate(hand):
        if name is not None:
            card = _card(name, k * COLUMN, "in hand", chosen.of_hand(clan, name))
            yield card.moved(column_x(first_open), CARD_HEIGHT * (1 - scale), scale)


def _card(warrior: str, x: float, where: str, actions: tuple[str, ...] = ()) -> Spot:
    name = f"{warrior_title(warrior)}, {where}"
    text = f"Strength {strength_of(warrior)}. {WARRIOR_EFFECTS[warrior]}"
    return Spot(x, 0, CARD_WIDTH, CARD_HEIGHT, name, text, actions)


def _captured(clan: str, forts: Sequence[str], chosen: _Actions) -> Iterator[Spot]:
    places, x = [], 0.0
    for name, copies in Counter(forts).items():
        width = chip(name, copies, x, 0)[1]
        places.append((name, x, width))
        x += width + 4
    scale = min(1.0, (FORTS_TO - FORTS_FROM) / max(x, 1.0))
    for name, left, width in places:
        spot = Spot(left, 0, width, CHIP_HEIGHT, f"{fort_title(name)}, captured", _fort_text(name))
        yield spot._replace(actions=chosen.of_fort(clan, name)).moved(FORTS_FROM, 6, scale)
