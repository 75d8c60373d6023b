"""The parts next to and below the map: the cards and tribes of each seat, the bank, the provinces' hidden counters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from romans_env.render.sheets import centred, flush, keyed, stretched
from romans_env.render.struggle.board_drawing import province_code
from romans_env.render.struggle.kept import Parts, kept
from romans_env.render.struggle.names import PROVINCE_CODES, PROVINCE_TITLES, TRIBES
from romans_env.render.struggle.symbols import figure, seat_mark, sign
from romans_env.render.struggle.text_width import width_of
from romans_env.render.svg import Element, box, element, group, letters
from romans_env.render.theme import seat_frame
from romans_env.struggle.board_form import COUNTERS, DEVELOPMENT, PROVINCES

Position = Mapping[str, Any]
Chip = tuple[Element, float]
"""An element of a hand, and its width."""
CARDS = ("grain", "ore", "cattle", "horse")
PANEL_WIDTH = 330
_INNER = PANEL_WIDTH - 20
BANK_HEIGHT = 80
STRIP_HEIGHT = PROVINCE_HEIGHT = 66
_LOSS = "M0 0v12M-3.5 8.5l3.5 4.5 3.5-4.5"
"""An arrow down, the sign of a lost army."""
TITLES = {name: name.replace("_", " ") for name in DEVELOPMENT}


def panel(position: Position, seat: int, height: int, winners: Sequence[str]) -> Parts:
    """Draw a seat's panel, `PANEL_WIDTH` wide."""
    player = list(position["players"])[seat]
    decision = position["decision"]
    owned = [now["tribe"] for now in position["cities"].values() if now["owner"] == player]
    facts = {
        "player": player,
        "one": position["players"][player],
        "is_asked": decision is not None and decision["agent"] == player,
        "is_first": position["first"] == player,
        "is_active": decision is not None and position["active"] == player,
        "has_diplomacy": position["diplomacy"] == player,
        "has_won": player in winners,
        "num_cities": {tribe: owned.count(tribe) for tribe in TRIBES},
    }
    return _panel(facts, seat, height)


@kept
def _panel(facts: Any, seat: int, height: int) -> Parts:
    one = facts["one"]
    rows = (height - 164) / 4  # the height that the rows leave free is spread between them
    return (
        seat_frame(1.5, 1.5, PANEL_WIDTH - 3, height - 3, 8, 2.6 if facts["is_asked"] else None),
        box(1.5, 1.5, 7, height - 3, 3, class_=f"c{seat}"),
        *_head(facts, seat),
        group(*_hand(one, seat), y=36 + rows),
        group(*_cards(one, seat, facts["has_diplomacy"]), y=64 + 2 * rows),
        group(*_tribe(facts, seat, "horseman"), y=86 + 3 * rows),
        group(*_tribe(facts, seat, "warrior"), y=112 + 3 * rows),
        group(*_reserve(one), y=138 + 4 * rows),
    )


def _head(facts: Mapping[str, Any], seat: int) -> list[Element]:
    one, has_won = facts["one"], facts["has_won"]
    ink = "panel" if has_won else "ink"
    number, unit = str(one["points"]), "point" if one["points"] == 1 else "points"
    right = PANEL_WIDTH - 12
    wide = 11.6 * len(number) + width_of(unit, 12) + 14
    ground = [box(right - wide, 7, wide + 4, 24, 5, class_="ink")] if has_won else []
    parts = [
        seat_mark(seat, 17, 9, 19),
        letters(facts["player"], 42, 24, 15, class_="b ink"),
        *ground,
        flush(unit, right - 3, 24, 12, "panel" if has_won else "muted"),
        keyed(flush(number, right - 8 - width_of(unit, 12), 25, 18, f"b {ink}"), f"points {seat}"),
    ]
    tags = [("turn", "ink", "panel")] if facts["is_active"] else []
    tags += [("first", "n sfaint", "muted")] if facts["is_first"] else []
    x = 132.0
    for text, look, ink in tags:
        wide = width_of(text, 11) + 12
        parts += [box(x, 10, wide, 18, 9, class_=look), centred(text, x + wide / 2, 23, 11.6, ink)]
        x += wide + 5
    return parts


def _hand(one: Mapping[str, Any], seat: int) -> list[Element]:
    """Draw gold, and the resource cards of each kind."""
    parts = [*_coin(26, 11, 9.5, 6.2), keyed(letters(str(one["gold"]), 40, 17.5, 17, class_="b ink"), f"gold {seat}")]
    held = [(name, one["hand"].get(name, 0)) for name in CARDS]
    return parts + [group(*_card_chip(*each, seat), x=78 + 61 * k) for k, each in enumerate(held)]


def _coin(x: float, y: float, rim: float, inner: float) -> list[Element]:
    return [
        element("circle", cx=x, cy=y, r=rim, class_="coin sink", stroke_width=1),
        element("circle", cx=x, cy=y, r=inner, class_="n sink", stroke_width=0.8),
    ]


def _card_chip(name: str, number: int, seat: int) -> list[Element]:
    ink = "ink" if number else "faint"
    shown = centred(str(number), 39, 17, 15, f"b {ink}" if number else ink)
    return [
        box(0.5, 0.5, 55, 22, 4, class_=f"card {'sfaint' if number else 'sline'}"),
        sign(name, 4, 2.5, 18, ink),
        keyed(shown, f"{name} {seat}", source=f"stock of {name}"),
    ]


def _cards(one: Mapping[str, Any], seat: int, has_diplomacy: bool) -> list[Element]:
    """Draw the Diplomacy card and the hand of development cards, face-down if unknown."""
    chips = [_chip("diplomacy", "Diplomacy, 2 points", "ink", "panel", True)] if has_diplomacy else []
    if not one["development_size"]:
        chips.append(_words("no cards in hand"))
    elif one["development"] is None:
        chips.append(_backs(one["development_size"], seat))
    else:
        held = [(name, one["development"][name]) for name in DEVELOPMENT if name in one["development"]]
        times = "\N{MULTIPLICATION SIGN}"
        chips += [_chip(name, TITLES[name] + (f" {times}{number}" if number > 1 else "")) for name, number in held]
    wide = sum(chip[1] for chip in chips) + 5 * (len(chips) - 1)
    scale = min(1.0, _INNER / wide)
    drawn, x = [], 0.0
    for part, width in chips:
        drawn.append(group(part, x=x))
        x += width + 5
    return [group(*drawn, x=16, y=9 * (1 - scale), scale=round(scale, 3))]


def _chip(name: str, text: str, ground: str = "card sfaint", ink: str = "ink", is_bold: bool = False) -> Chip:
    wide, left = width_of(text, 11.6, is_bold), 19 + is_bold
    parts = [
        box(0.5, 0.5, wide + left + 4, 17, 4, class_=ground),
        sign(name, 3, 2, 14, ink),
        letters(text, left, 13, 11.6, class_=f"b {ink}" if is_bold else ink, **stretched(wide)),
    ]
    return group(*parts), wide + left + 5


def _backs(number: int, seat: int) -> Chip:
    text = f"\N{MULTIPLICATION SIGN}{number}"
    parts = [
        box(0.5, 0.5, 14, 17, 3, class_=f"c{seat}"),
        sign("card", 2.5, 3.5, 11, f"o{seat}"),
        letters(text, 18, 13.5, 12, class_="ink"),
    ]
    return group(*parts), 20 + width_of(text, 12)


def _words(text: str) -> Chip:
    return letters(text, 0, 13, 11.6, class_="muted"), width_of(text, 11.6)


def _tribe(facts: Mapping[str, Any], seat: int, tribe: str) -> list[Element]:
    """Draw a tribe: its figure or kingdom, its army and wagons, and its counters by province."""
    box_of, cities = facts["one"]["tribes"][tribe], facts["num_cities"][tribe]
    parts = [group(figure(seat, tribe), x=28, y=12, scale=0.82)]
    if box_of["kingdom"]:
        parts += [
            sign("crown", 45, 5, 14, "ink"),
            letters(f"\N{MULTIPLICATION SIGN}{cities}", 62, 17, 13, class_="b ink"),
        ]
    parts += [
        sign(tribe, 92, 3, 17, "ink"),
        letters(str(box_of["army"]), 112, 17.5, 15, class_="b ink" if box_of["army"] else "faint"),
        sign("wagon", 134, 3, 19, "ink"),
        letters(str(box_of["wagons"]), 156, 17.5, 15, class_="b ink" if box_of["wagons"] else "faint"),
    ]
    for number, province in enumerate(PROVINCES):
        copies = box_of["counters"].get(province, 0)
        parts += _counter_slot(184 + 28 * number, 12, number, PROVINCE_CODES[province], copies)
    return parts


def _counter_slot(x: float, y: float, province: int, code: str, copies: int) -> list[Element]:
    if not copies:
        return [
            element("circle", cx=x, cy=y, r=10.5, class_="n sfaint", stroke_width=1, stroke_dasharray="2.5 2.5"),
            centred(code, x, y + 4.1, 11.6, "faint"),
        ]
    parts = [group(province_code(province), x=x, y=y)]
    if copies > 1:
        parts += [
            element("circle", cx=x + 9, cy=y - 7.5, r=7.5, class_="ink spanel", stroke_width=1),
            centred(str(copies), x + 9, y - 3.4, 11.6, "b panel"),
        ]
    return parts


def _reserve(one: Mapping[str, Any]) -> list[Element]:
    parts: list[Element] = [letters("reserve", 16, 15, 11.6, class_="muted")]
    for k, name in enumerate((*TRIBES, "wagon")):
        number = letters(str(one["reserve"].get(name, 0)), 82 + 40 * k, 15, 12.5, class_="ink")
        parts += [sign(name, 64 + 40 * k, 2, 15, "muted"), number]
    if one["played"]:
        parts.append(letters("played", 184, 15, 11.6, class_="muted"))
        for k, name in enumerate(name for name in DEVELOPMENT if name in one["played"]):
            number = letters(str(one["played"][name]), 236 + 20 * k, 15, 11.6, class_="ink")
            parts += [sign(name, 224 + 20 * k, 3, 12, "muted"), number]
    return parts


# -- the table


def bank(position: Position) -> Parts:
    """Draw the bank, the pasture cards and the deck, `PANEL_WIDTH` wide."""
    keys = ("bank", "pasture_pile", "pasture_discard", "development_size", "development_pile")
    return _bank({key: position[key] for key in keys})


@kept
def _bank(position: Any) -> Parts:
    return (
        box(1.5, 1.5, PANEL_WIDTH - 3, BANK_HEIGHT - 3, 8, class_="panel sline"),
        *_counts(16, 5, "bank", 76, position["bank"], ("grain", "ore")),
        *_counts(186, 5, "deck", 232, {"card": position["development_size"]}, ("card",)),
        *_counts(16, 29, "pasture", 76, position["pasture_pile"], ("cattle", "horse")),
        *_counts(186, 29, "discard", 232, position["pasture_discard"], ("cattle", "horse")),
        *_deck(position["development_pile"]),
    )


def _counts(x: float, y: float, text: str, at: float, counts: Mapping[str, int], names: Sequence[str]) -> list[Element]:
    parts: list[Element] = [letters(text, x, y + 15, 11.6, class_="muted")]
    for k, name in enumerate(names):
        left = at + 45 * k
        parts.append(keyed(sign(name, left, y + 2, 16, "ink"), f"stock of {name}" if text != "discard" else text))
        parts.append(letters(str(counts.get(name, 0)), left + 20, y + 15.5, 13.5, class_="b ink"))
    return parts


def _deck(known: Mapping[str, int] | None) -> list[Element]:
    """Draw the contents of the deck, if known."""
    if not known:
        return []
    parts: list[Element] = [letters("in the deck", 16, 68, 11.6, class_="muted")]
    for k, name in enumerate(name for name in DEVELOPMENT if name in known):
        parts.append(sign(name, 86 + 45 * k, 56, 14, "muted"))
        parts.append(letters(str(known[name]), 103 + 45 * k, 68, 12, class_="ink"))
    return parts


def strip(position: Position, width: int) -> Parts:
    """Draw for each province the counters not revealed yet, with their number (STRUGGLE 2.1), in a row."""
    return _provinces(position["counters"], (width - 16) / len(PROVINCES), True)


def provinces(position: Position, width: int) -> Parts:
    """Draw for each province the counters not revealed yet, one province below the other."""
    return _provinces(position["counters"], width, False)


@kept
def _provinces(counters: Any, column: float, is_strip: bool) -> Parts:
    places = [(8 + k * column, 0) if is_strip else (0, k * PROVINCE_HEIGHT) for k in range(len(PROVINCES))]
    return tuple(
        group(*_province(number, counters[province], column), x=places[number][0], y=places[number][1])
        for number, province in enumerate(PROVINCES)
    )


def _province(number: int, hidden: Mapping[str, int], column: float) -> list[Element]:
    parts: list[Element] = [
        box(2, 2, column - 4, STRIP_HEIGHT - 8, 7, class_="panel sline"),
        group(province_code(number), x=20, y=19),
        letters(PROVINCE_TITLES[PROVINCES[number]], 37, 23.5, 13, class_="b ink"),
        letters(f"{sum(hidden.values())} unseen", column - 12, 23.5, 11.6, class_="muted", text_anchor="end"),
    ]
    x = 12.0
    for name in (name for name in COUNTERS if name in hidden):
        kind, _, loss = name.partition("_")
        parts.append(group(*_coin(7.5, 7.5, 6.8, 4.2), x=x, y=37) if kind == "gold" else sign(kind, x, 37, 15, "ink"))
        x += 17
        if loss:
            parts.append(element("path", d=_LOSS, class_="n shot", stroke_width=1.8, transform=f"translate({x:g} 38)"))
            x += 8
        parts.append(letters(str(hidden[name]), x, 49.5, 12.5, class_="ink"))
        x += 13
    return parts
