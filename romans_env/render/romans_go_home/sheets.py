"""The sheets of a browser: the wall, the rivals' lines, and at the bottom the player's own line over its hand.

On a narrow screen cards are upright, so that six of them fit side by side with legible text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from romans_env.render.hit_areas import HitArea
from romans_env.render.picture import Band, Picture
from romans_env.render.romans_go_home.card_help import FORT_EFFECTS, FORT_NOTES, WARRIOR_EFFECTS, WARRIOR_NOTES
from romans_env.render.romans_go_home.cards import CHIP_HEIGHT, chip, crenellated, heart, points_in_words, strength_of
from romans_env.render.romans_go_home.names import fort_title, warrior_title
from romans_env.render.romans_go_home.palette import STYLE
from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES
from romans_env.render.romans_go_home.symbols import fort_sign, warrior_sign
from romans_env.render.sheets import Sheet, Sheets, centred, fitted, flush, keyed
from romans_env.render.svg import Element, box, element, group, letters
from romans_env.render.theme import card_back, mark_of_back, seat_frame, seat_mark

HAND_SIZE = 7
_ROW, _CHIP_SCALE = 24, 1.1
"""Height of a row of captured forts, and their scale relative to other drawings."""
_LAYS = ("place", "reorder")
_EFFECTS = {name.lower(): effect for name, _, effect in FORT_EFFECTS}


class Form(NamedTuple):
    """Sizes of a sheet, in pixels at scale 1.

    Attributes:
        width: width of the sheet.
        card: width and height of a card on the table.
        fort: height of a fort.
        chips: height of a line for captured forts; 0 if they are next to the clan's name.
    """

    width: int
    card: tuple[int, int]
    fort: int
    chips: int

    @property
    def step(self) -> float:
        """Distance from one column to the next."""
        return self.card[0] + 4

    def column(self, slot: float) -> float:
        """Return the left edge of a slot's column."""
        return 8 + (slot - 1) * self.step


_WIDE, _NARROW = Form(752, (101, 74), 78, 0), Form(360, (54, 66), 62, 24)
_LINE = 14
"""Height of the line with the effect on a wide card."""


def sheets(
    position: dict[str, Any], viewer: str | None, winners: Sequence[str], actions: Sequence[str], is_narrow: bool
) -> Sheets:
    """Draw the sheets of a position, see `romans_env.render.renderer.Renderer`."""
    return [Drawing(position, viewer, winners, actions, _NARROW if is_narrow else _WIDE).sheet()]


class Drawing:
    """The sheet of a position, drawn as bands from top to bottom, with its hit areas."""

    _counts_hands = True

    def __init__(
        self, position: dict[str, Any], viewer: str | None, winners: Sequence[str], actions: Sequence[str], form: Form
    ):
        self._position, self._viewer, self._winners, self._form = position, viewer, winners, form
        self._all, self._kind = tuple(actions), actions[0].partition(":")[0] if actions else ""
        self._clans = list(position["clans"])
        self._turn, self._now = int(position["turn"]), position["this_turn"]
        self._hit_areas: list[HitArea] = []

    def sheet(self) -> Sheet:
        """Draw the sheet."""
        own = [clan for clan in self._clans if clan == self._viewer]
        bands, top = [], 0
        drawn = [self._head(), self._wall(), *map(self._clan, [clan for clan in self._clans if clan not in own] + own)]
        for height, parts, hit_areas in drawn:
            bands.append(Band(height, tuple(parts)))
            self._hit_areas += [hit_area.moved(0, top) for hit_area in hit_areas]
            top += height
        return Sheet(Picture(tuple(bands), self._form.width, STYLE), self._hit_areas)

    def _named(self, *names: str) -> tuple[str, ...]:
        return tuple(name for name in self._all if name in names)

    def _head(self) -> tuple[int, list[Element], list[HitArea]]:
        when = f"turn {self._turn} of {len(self._position['wall'])}" if self._turn else "planning"
        parts = [letters(f"Round {self._position['round']}, {when}", 8, 18, 14, class_="b ink")]
        x = self._form.width - 8.0
        for name, copies in Counter(self._position["lost_forts"]).items():
            drawn, width = chip(name, copies, 0, 0)
            x -= width + 4
            parts.append(group(drawn, x=x, y=3))
        if self._position["lost_forts"]:
            parts.append(flush("lost", x - 4, 18, 12, "muted"))
        return 25, parts, []

    # -- the wall

    def _wall(self) -> tuple[int, list[Element], list[HitArea]]:
        form, parts, hit_areas = self._form, [], []
        wide, high = form.card[0], form.fort
        for slot, name in enumerate(self._position["wall"], 1):
            x, is_now = form.column(slot), slot == self._turn
            chosen = self._all if self._kind in _LAYS and slot == self._next_slot() else self._named(f"take:{slot}")
            if name:
                parts.append(keyed(_fort(name, x, 4, wide, high, is_now), f"fort {name}"))
                hit_areas.append(
                    HitArea(x, 4, wide, high, f"Slot {slot}, {fort_title(name)}", _fort_text(name), chosen)
                )
                continue
            parts.append(box(x, 14, wide, high - 10, 4, class_="line", fill_opacity=0.4))
            if is_now and (captor := self._now["captor"]):
                parts += [
                    seat_mark(self._clans.index(captor), x + wide / 2 - 9, 20, 18),
                    centred(captor, x + wide / 2, 56, 12, "b ink"),
                ]
            if chosen:
                hit_areas.append(HitArea(x, 4, wide, high, f"Slot {slot}", "", chosen))
        return high + 10, parts, hit_areas

    def _next_slot(self) -> int:
        """Return the slot that the viewer fills next."""
        return self._turn + len(self._position["clans"][self._viewer]["hidden"]) + 1

    # -- a clan

    def _clan(self, clan: str) -> tuple[int, list[Element], list[HitArea]]:
        form, cards, seat = self._form, self._position["clans"][clan], self._clans.index(clan)
        high = form.card[1]
        is_own, decision = clan == self._viewer, self._position["decision"]
        captured, chips, rows = self._captured(clan, cards)
        line = 30 + form.chips + (rows - 1) * _ROW
        # The hand takes no room once it has been laid, which lets the cards on the table be larger.
        has_hand = is_own and bool(cards["hand"])
        height = line + high + 6 + (high + 12 if has_hand else 0)
        is_asked = decision is not None and decision["agent"] == clan
        has_won = clan in self._winners
        parts = [
            seat_frame(3, 1, form.width - 6, height - 4, 8, 2.4 if is_asked else None),
            seat_mark(seat, 9, 7, 16),
            letters(clan, 31, 20, 14, class_="b ink"),
            *self._numbers(clan, has_won),
        ]
        parts.append(captured)
        hit_areas = list(chips)
        if self._counts_hands and not is_own and cards["hand"]:
            parts.append(flush(f"{len(cards['hand'])} in hand", form.width - 100, 20, 12, "muted"))
        for slot, part, hit_area in self._line(clan, cards, seat):
            x = form.column(slot)
            parts.append(group(part, x=x, y=line))
            if hit_area is not None:
                hit_areas.append(hit_area.moved(x, line))
        if has_hand:
            top = line + high + 8
            for k, name in enumerate(in_order(cards["hand"])):
                x, across = self._hand_place(k)
                parts.append(keyed(card(name, seat, x, top, across, high), f"{seat} {name or ''}"))
                if name:
                    chosen = self._named(*(f"{kind}:{name}" for kind in (*_LAYS, "discard")))
                    hit_areas.append(_hit_area(name, across, high, "in hand", chosen).moved(x, top))
        if self._has_aside(clan, cards):
            self._set_aside(cards, seat, parts, hit_areas, line, has_hand)
        return height, parts, hit_areas

    def _hand_place(self, number: int) -> tuple[float, float]:
        """Return the left edge and the width of a card in the hand; all seven fit."""
        across = (self._form.width - 12) / HAND_SIZE
        return 8 + number * across, min(across - 4, self._form.card[0])

    def _set_aside(
        self, cards: Any, seat: int, parts: list[Element], hit_areas: list[HitArea], line: int, has_hand: bool
    ) -> None:
        """Draw the warrior that was set aside, at the end of the hand, or of the line if there is room."""
        form, name = self._form, cards["set_aside"]
        wide, high = form.card
        x, across = self._hand_place(HAND_SIZE - 1) if has_hand else (form.column(HAND_SIZE), wide)
        top = line + high + 8 if has_hand else line
        if form.chips and not has_hand:
            parts.append(flush(f"aside: {warrior_title(name)}", form.width - 9, 44, 12, "muted"))
            return
        parts.append(keyed(card(name, seat, x, top, across, high, "aside"), f"{seat} {name or ''}"))
        if name:
            hit_areas.append(_hit_area(name, across, high, "set aside").moved(x, top))

    def _numbers(self, clan: str, has_won: bool) -> list[Element]:
        """Draw the clan's total of this turn and its points; each is dark if it won, the fort or the game."""
        seat, points, right = self._clans.index(clan), self._position["clans"][clan]["points"], self._form.width - 9
        shown, unit = str(points).replace("-", "\N{MINUS SIGN}"), "points" if abs(points) != 1 else "point"
        parts = [box(right - 72, 3, 75, 25, 5, class_="ink")] if has_won else []
        number = flush(shown, right - 41, 21, 17, "b panel" if has_won else "b ink")
        unit_part = letters(unit, right - 36, 20, 12, class_="panel" if has_won else "muted")
        parts += [keyed(number, f"points {seat}"), unit_part]
        if self._now["revealed"][clan] is None or not any(self._now["totals"].values()):
            return parts
        if self._now["revealed"][clan] == "filchy":
            return [*parts, flush("does not fight", right - 80, 20, 12, "muted")]
        total, won = str(self._now["totals"][clan]), self._now["captor"] == clan
        across = 14 + 11 * len(total)
        left = right - 84 - across
        return [
            *parts,
            flush(self._total_word(clan), left - 5, 20, 12, "muted"),
            box(left, 4, across, 23, 5, class_="ink" if won else "n sline"),
            keyed(centred(total, left + across / 2, 21, 17, "b panel" if won else "b ink"), f"total {seat}"),
        ]

    def _total_word(self, clan: str) -> str:
        """Return the label of a clan's total, which lacks the strength of a charmed warrior."""
        if self._now["charmed"] != clan:
            return "total"
        return "charmed: total" if self._form.chips else f"without {WARRIOR_TITLES[self._now['revealed'][clan]]}: total"

    def _captured(self, clan: str, cards: Any) -> tuple[Element, list[HitArea], int]:
        """Draw the captured forts in as many rows as needed; return them, their hit areas and the number of rows."""
        # On a narrow screen the warrior set aside is named at the right and needs room.
        left, top, room = (9, 30, 240 if cards["set_aside"] else 342) if self._form.chips else (190, 4, 300)
        parts, hit_areas, x, y = [], [], 0.0, 0.0
        for name, copies in Counter(cards["forts"]).items():
            width = chip(name, copies, 0, 0)[1]
            if x and (x + width) * _CHIP_SCALE > room:
                x, y = 0.0, y + _ROW / _CHIP_SCALE
            parts.append(keyed(chip(name, copies, x, y)[0], f"fort {name}"))
            chosen = self._named(f"give_up:{name}") if clan == self._viewer else ()
            hit_area = HitArea(x, y, width, CHIP_HEIGHT, f"{fort_title(name)}, captured", _fort_text(name), chosen)
            hit_areas.append(hit_area.moved(left, top, _CHIP_SCALE))
            x += width + 4
        return group(*parts, x=left, y=top, scale=_CHIP_SCALE), hit_areas, 1 + round(y * _CHIP_SCALE / _ROW)

    def _line(self, clan: str, cards: Any, seat: int) -> Iterator[tuple[float, Element, HitArea | None]]:
        """Yield the cards and places of a clan's line with their slots and hit areas."""
        wide, high = self._form.card
        revealed = self._now["revealed"][clan] if self._turn else None
        earlier = list(cards["face_up"])
        if revealed is not None:
            is_wrecked = revealed == "chariott" and list(self._now["revealed"].values()).count(revealed) > 1
            is_there = revealed in earlier and not is_wrecked
            if is_there:
                earlier.remove(revealed)
            look = ("charmed" if self._now["charmed"] == clan else "revealed") if is_there else "gone"
            hit_area = _hit_area(
                revealed, wide, high, "revealed" if is_there else "gone", self._of_face_up(clan, revealed, True)
            )
            yield self._turn, keyed(card(revealed, seat, 0, 0, wide, high, look), f"{seat} {revealed}"), hit_area
        before = self._turn - (revealed is not None)
        for k, name in enumerate(reversed(earlier)):
            hit_area = _hit_area(name, wide, high, "face-up", self._of_face_up(clan, name, False))
            yield before - k, keyed(card(name, seat, 0, 0, wide, high), f"{seat} {name}"), hit_area
        slot = self._turn
        for name in cards["hidden"]:
            slot += 1
            back = keyed(card(name, seat, 0, 0, wide, high, "down"), f"{seat} {name or ''}")
            yield slot, back, _hit_area(name, wide, high, f"face-down in slot {slot}") if name else None
        yield from self._open(clan, cards, seat, slot + 1)
        if self._kind == "discard" and clan == self._viewer and not self._form.chips:
            aside = group(
                box(0, 0, wide, high, 6, class_="line", fill_opacity=0.4),
                centred("set aside", wide / 2, high / 2 + 4, 12, "muted"),
            )
            yield HAND_SIZE, aside, HitArea(0, 0, wide, high, "Place of the warrior that is set aside", "", self._all)

    def _open(self, clan: str, cards: Any, seat: int, first: int) -> Iterator[tuple[float, Element, HitArea | None]]:
        """Yield the places of a line without a card, from slot ``first`` on, with their hit areas."""
        wide, high = self._form.card
        for free in range(first, len(self._position["wall"]) + 1) if cards["hand"] else ():
            is_next = self._kind in _LAYS and clan == self._viewer and free == first
            place = HitArea(0, 0, wide, high, f"Slot {free}", "", self._all) if is_next else None
            yield free, box(0, 0, wide, high, 6, class_="line", fill_opacity=0.4), place

    def _has_aside(self, clan: str, cards: Any) -> bool:
        """Return whether to draw a place for the warrior set aside."""
        return bool(cards["set_aside"])

    def _of_face_up(self, clan: str, warrior: str, is_revealed: bool) -> tuple[str, ...]:
        """Return the actions that are selected by a face-up warrior."""
        if self._kind == "charm":
            steps = self._clans.index(clan) - self._clans.index(str(self._viewer))
            return self._named(f"charm:+{steps % len(self._clans)}") if is_revealed else ()
        if clan != self._viewer:
            return ()
        weakest = min(self._position["clans"][clan]["face_up"], key=strength_of, default=None)
        is_meant = {"axx": warrior == "axx" and is_revealed, "unwary": warrior == weakest}.get(self._kind, False)
        return self._all if is_meant else self._named(f"lose:{warrior}")


def in_order(hand: Sequence[str | None]) -> list[str | None]:
    """Return cards sorted by strength, unknown ones last."""
    return sorted(hand, key=lambda one: (one is None, one and strength_of(one)))


def _hit_area(warrior: str, wide: float, high: float, where: str, actions: tuple[str, ...] = ()) -> HitArea:
    text = f"Strength {strength_of(warrior)}. {WARRIOR_EFFECTS[warrior]}"
    return HitArea(0, 0, wide, high, f"{warrior_title(warrior)}, {where}", text, actions)


def _fort_text(name: str) -> str:
    effect, points = _EFFECTS[name.partition("-")[0]], fort_title(name).partition(" ")[2]
    return f"{points} point{'' if points in ('1', '-1') else 's'}.{'' if effect == 'None.' else f' {effect}'}"


# -- cards


@lru_cache(maxsize=4096)
def card(warrior: str | None, seat: int, x: float, y: float, wide: float, high: float, look: str = "") -> Element:
    """Draw a warrior card.

    Args:
        warrior: the warrior; None for the back of an unknown card.
        seat: the seat of its clan.
        x: the left edge.
        y: the upper edge.
        wide: the width.
        high: the height.
        look: ``revealed`` or ``charmed`` this turn; ``gone`` since its reveal; ``down`` if face-down but known to the
            viewer; set ``aside``; in ``hand``; or empty.
    """
    if warrior is None or look == "down":
        back = card_back(seat, wide, high, 6)
        if warrior is None:
            back += mark_of_back(seat, wide, high, 16)
        else:
            back += [box(4, 5, wide - 8, high - 10, 4, class_="card"), *_face(warrior, wide, high, "muted", "muted")]
        return group(*back, x=x, y=y)
    band = _band(wide, high)
    frame = ("sink", 3.0) if look in ("revealed", "charmed") else (f"sc{seat}", 1.6)
    is_pale = look in ("gone", "aside", "hand")
    parts = [box(0, 0, wide, high, 6, class_="card")]
    if not is_pale:
        top = f"M0 {band}V6a6 6 0 0 1 6-6H{wide - 6}a6 6 0 0 1 6 6V{band}z"
        parts.append(element("path", d=top, class_=f"c{seat}"))
    parts += _face(warrior, wide, high, "muted" if is_pale else f"o{seat}", "muted" if is_pale else "ink")
    parts.append(box(0, 0, wide, high, 6, class_=f"n {frame[0]}", stroke_width=frame[1]))
    if look == "aside" and wide > 60:
        parts.append(group(centred(look, 0, 0, 10.5, "muted"), x=10.5, y=band / 2 + 1, turn=-90))
    if look == "gone":
        parts.append(element("path", d=f"M6 {high - 6}L{wide - 6} 6", class_="n smuted", stroke_width=2))
    if look == "charmed":
        parts.append(heart(wide - 11, 1))
    return group(*parts, x=x, y=y)


def _face(warrior: str, wide: float, high: float, ink: str, name_ink: str) -> list[Element]:
    """Draw a warrior's sign and strength, with its name below."""
    band, title = _band(wide, high), WARRIOR_TITLES[warrior]
    sign, fit = min(26.0, 0.42 * wide), fitted(title, wide - 6, 7.4 * len(title))
    middle = band / 2 + 1
    parts = [
        warrior_sign(warrior, 0.29 * wide - sign / 2, middle - sign / 2, sign, ink),
        centred(str(strength_of(warrior)), 0.73 * wide, middle + 9, 26, f"b {ink}"),
        centred(title, wide / 2, band + 14, 12 if wide < 60 else 13, f"b {name_ink}", **fit),
    ]
    return [*parts, *_line(WARRIOR_NOTES[warrior], wide, high, "muted")]


def _band(wide: float, high: float) -> float:
    """Return the height of a card's upper part, which has its sign and number."""
    return high - 21 - (_LINE if _has_line(wide) else 0)


def _has_line(wide: float) -> bool:
    """Return whether a card or a fort is wide enough for a line with its effect."""
    return wide > 80


def _line(text: str, wide: float, high: float, ink: str) -> list[Element]:
    if not text or not _has_line(wide):
        return []
    return [centred(text, wide / 2, high - 8, 11, ink, **fitted(text, wide - 4, 5.8 * len(text)))]


@lru_cache(maxsize=1024)
def _fort(name: str, x: float, y: float, wide: float, high: float, is_contested: bool) -> Element:
    """Draw a fort of the wall, with a thick frame if it is the contested one."""
    kind, points, wall = name.partition("-")[0], points_in_words(name), crenellated(wide, high)
    body, ink = ("legion", "onlegion") if kind == "legion" else ("stone", "ink")
    edge, thick = ("sink", 3.2) if is_contested else ("sedge", 1.2)
    sign, size = min(28.0, 0.36 * wide), 24 if wide > 60 else 22 if kind != "legion" else 17
    line = FORT_NOTES.get(kind, "")
    foot = high - (_LINE if line and _has_line(wide) else 0)
    return group(
        element("path", d=wall, class_=f"{body} {edge}", stroke_width=thick, stroke_linejoin="round"),
        fort_sign(name, 0.28 * wide - sign / 2, 12 + 0.5 * (foot - 32) - sign / 2, sign, ink),
        centred(points, 0.7 * wide, 20 + 0.5 * (foot - 32), size, f"b {ink}"),
        centred(kind, wide / 2, foot - 6, 13, ink),
        *_line(line, wide, high, ink),
        x=x,
        y=y,
    )
