"""Struggle for Rome at a terminal: the seats, their tribes and cards, and all choices in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from romans_env.core.game import Game
from romans_env.core.protocol import Rules
from romans_env.render.seat_names import SeatNames
from romans_env.render.struggle.card_help import CARDS, COUNTERS, POINTS, PRICES, ROUND, TRIBES
from romans_env.render.struggle.coach import COACH
from romans_env.render.struggle.drawing import board_of
from romans_env.render.struggle.ending import ending, points_table
from romans_env.render.struggle.names import (
    PROVINCE_CODES,
    PROVINCE_TITLES,
    TRIBE_NAMES,
    card_title,
    city_title,
    province_title,
    setup_in_words,
)
from romans_env.render.struggle.names import TRIBES as TRIBE_KINDS
from romans_env.render.struggle.pieces import moving_tribe
from romans_env.render.struggle.places import hex_in_words, place_in_sentence, places_in_words
from romans_env.render.struggle.questions import offer_parts, turn_in_words
from romans_env.render.struggle.sentences import goods, in_words, listed, one_of, price_of
from romans_env.render.struggle.text import cities_of, counts_in_words, development_in_words
from romans_env.render.struggle.text_map import LEGEND, has_room, map_text
from romans_env.render.text_interface import ByHeight, Choice, HelpTable, Items, TextInterface, columns, page_beside
from romans_env.render.wording import counted
from romans_env.struggle.geography import geography_of
from romans_env.struggle.material import DEVELOPMENT, RESOURCES

# -- the board

_ON_MAP = ("tribe", "fare")
"""The decisions for which the map is shown."""
_TALL = 50
"""Number of lines of a terminal with room for all tables, the map and a question."""


def board(game: Game, viewer: str, seat_names: SeatNames) -> RenderableType:
    """Return the table and all seats; for a tribe's decision, also the map.

    A terminal with few lines then shows only the viewer's own part of the table and a part of the map, which fit 24
    lines.
    """
    position = game.position(viewer)
    if position["decision"] is None or position["decision"]["kind"] not in _ON_MAP:
        return Group(*_tables(position, seat_names), Text("w shows the map.", "dim"))
    low = Group(
        _head(position),
        _purse(position, viewer, seat_names),
        _tribes(position, seat_names, [viewer]),
        _map(game, position, viewer, seat_names, is_whole=False),
    )
    return ByHeight(low, overview(game, viewer, seat_names), _TALL)


def overview(game: Game, viewer: str, seat_names: SeatNames) -> RenderableType:
    """Return the table, all seats with their cards and tribes, and the whole map."""
    position = game.position(viewer)
    return Group(*_tables(position, seat_names), _map(game, position, viewer, seat_names, is_whole=True))


def _tables(position: dict[str, Any], seat_names: SeatNames) -> tuple[RenderableType, ...]:
    tribes = _tribes(position, seat_names, list(position["players"]))
    return _head(position), _seats(position, seat_names), tribes, _table(position)


def _map(game: Game, position: dict[str, Any], viewer: str, seat_names: SeatNames, is_whole: bool) -> RenderableType:
    """Return the map with the numbers of the viewer's choices, above a legend."""
    here = board_of(position)
    if not has_room(here):
        return Text("The map of this board is too wide: romans serve --game struggle shows it in the browser.")
    numbers: dict[int, str] = {}
    is_asked = position["decision"] is not None and position["decision"]["agent"] == viewer
    for number, action in enumerate(game.legal_actions() if is_asked else [], 1):
        kind, _, what = game.action_name(action).partition(":")
        if kind == "move":
            numbers[int(what)] = f"{number}{'*' if _fare(position, what, 0) else ''}"
    figures = " ".join(f"{seat_names.mark(viewer)}{name[0]}" for name in TRIBE_NAMES.values())
    legend = [*LEGEND, f"{figures} you", *(["12 where you may go, 12* for a fare"] if numbers else [])]
    legend += [] if is_whole else ["w shows the whole map"]
    middle_at = None if is_whole else moving_tribe(position)["at"]
    return Group(map_text(position, here, seat_names, numbers, middle_at), Items(legend))


def _fare(position: dict[str, Any], target: Any, grain: int) -> int:
    """Return the gold that the tribe's move costs in addition to ``grain`` grain."""
    geography = geography_of(board_of(position))
    return int(geography.fares[geography.regions[moving_tribe(position)["at"]], grain, int(target)])


def _head(position: dict[str, Any]) -> Text:
    text = Text(turn_in_words(position), "bold")
    if position["final"]:
        text.append(", the last round", "bold red")
    if position["markers"]:
        text.append("   numbers thrown ", "none")
        text.append(" ".join(f"[{number}]" for number in position["markers"]), "bold yellow")
    return text


def _purse(position: dict[str, Any], viewer: str, seat_names: SeatNames) -> Text:
    """Return the viewer's possessions in a line."""
    one = position["players"][viewer]
    has = f"  {counted(one['points'], 'point')}, {one['gold']} gold, cards: {counts_in_words(one['hand'])}"
    return Text.assemble(seat_names.label(viewer), f"{has}; development: {development_in_words(one)}")


def _seats(position: dict[str, Any], seat_names: SeatNames) -> Table:
    table = columns("", "points>", "gold>", "cards", "development")
    for player, one in position["players"].items():
        points = f"{one['points']}{' (Diplomacy)' if position['diplomacy'] == player else ''}"
        hand = counts_in_words(one["hand"])
        table.add_row(seat_names.label(player), points, str(one["gold"]), hand, development_in_words(one))
    return table


def _tribes(position: dict[str, Any], seat_names: SeatNames, players: Sequence[str]) -> Table:
    table = columns("tribe", "army>", "wagons>", "counters", "cities")
    for player in players:
        one = position["players"][player]
        for tribe in TRIBE_KINDS:
            box = one["tribes"][tribe]
            counters = " ".join(PROVINCE_CODES[name] for name, copies in box["counters"].items() for _ in range(copies))
            name = Text(
                f"{seat_names.mark(player)} {seat_names.whose(player)} {TRIBE_NAMES[tribe]}", seat_names.style(player)
            )
            cities = Items(cities_of(position, player, tribe), "-")
            table.add_row(name, str(box["army"]), str(box["wagons"]), counters or "-", cities)
    return table


def _table(position: dict[str, Any]) -> Table:
    here = board_of(position)
    legion = here.hexes[position["legion"]]
    table = columns()
    table.add_row("Legionnaire", f"hex {legion.id} ({hex_in_words(legion.terrain, legion.number, legion.province)})")
    stock = f"{counts_in_words(position['bank'])}; pasture pile {sum(position['pasture_pile'].values())}"
    table.add_row("Bank", f"{stock}; development deck {position['development_size']}")
    return table


# -- decisions


def question(game: Game, viewer: str, seat_names: SeatNames) -> str:
    """Return the viewer's decision as a question."""
    position = game.position(viewer)
    decision = position["decision"]
    kind = decision["kind"]
    if kind == "tribe":
        tribe = TRIBE_KINDS[position["phase"] - 3]
        return f"What do your {TRIBE_NAMES[tribe]} do?"
    if kind == "answer":
        give, get = offer_parts(decision["offer"])
        return f"{seat_names.name(position['active'])} offers {_amount(give)} for {_amount(get)}: do you accept?"
    if kind == "fare":
        return f"How do you pay for the way to {place_in_sentence(board_of(position), decision['target'])}?"
    return {
        "legion": "Where does the legionnaire go? His hex brings nothing, and a rival with a place there is robbed.",
        "rob": "Whom do you rob?",
        "build": "What do you build, buy or trade?",
    }[kind]


def choice(position: dict[str, Any], viewer: str, name: str, seat_names: SeatNames) -> Choice:
    """Return a legal action of the viewer in words."""
    kind, _, what = name.partition(":")
    match kind:
        case "legion":
            return _choice_of_hex(position, int(what), seat_names)
        case "rob":
            players = list(position["players"])
            rival = players[(players.index(viewer) + int(what)) % len(players)]
            held = position["players"][rival]
            loot = counted(sum(held["hand"].values()), "card") if held["hand"] else f"{held['gold']} gold"
            return Choice(f"{seat_names.name(rival)} ({loot})", f"rob {seat_names.name(rival)}")
        case "bank":
            give, get = what.split(":")
            got, given = one_of(get), goods(3, give)
            return Choice(got, f"give {given} to the bank for {got}", f"bank, for {given}")
        case "army":
            price = price_of(("ore", "horse"), 0, what)
            return Choice(price, f"build an army for {price}", "army, for")
        case "wagon":
            tribe, _, instead = what.partition(":")
            price, whose = price_of(("horse", "grain", "cattle"), 0, instead), TRIBE_NAMES[tribe]
            return Choice(price, f"build a wagon for the {whose}, for {price}", f"wagon for the {whose}, for")
        case "card":
            price = price_of(("cattle",), 1, what)
            return Choice(price, f"buy a development card for {price}", "development card, for")
        case "offer":
            give, get = map(_amount, offer_parts(name))
            group = f"offer {give.partition(' ')[2].removesuffix('s')}"
            return Choice(f"{give} for {get}", f"offer {give} for {get}", group, fold="offer a trade")
        case "play":
            effect = _EFFECTS[what]
            return Choice(f"{card_title(what)} ({effect})", f"play {card_title(what)}: {effect}", "play")
        case "rest":
            gets = "2 gold" if what == "gold" else one_of(what)
            return Choice(gets, f"rest for {gets}", "rest, for")
        case "move":
            here = board_of(position)
            phrase = f"move to {place_in_sentence(here, int(what))}"
            return Choice(places_in_words(here)[int(what)], phrase, "move to", is_on_board=has_room(here))
        case "plunder" | "conquer":
            city = next(one for one in board_of(position).cities if one.name == what)
            traitor = ", with a traitor" if moving_tribe(position)["army"] < city.towers else ""
            title = city_title(what)
            return Choice(f"{title}, {counted(city.towers, 'tower')}{traitor}", f"{kind} {title}{traitor}", kind)
        case "pay":
            gold = _fare(position, position["decision"]["target"], int(what))
            paid = listed([goods(number, good) for number, good in ((int(what), "grain"), (gold, "gold")) if number])
            return Choice(paid or "nothing", f"pay {paid or 'nothing'}")
        case _:
            phrase = {"end": "end the turn"}.get(kind, kind)
            return Choice(phrase, phrase, is_way_out=kind == "end")


def _choice_of_hex(position: dict[str, Any], number: int, seat_names: SeatNames) -> Choice:
    """Return a hex for the legionnaire as a choice, with the marks of the seats that have a place there."""
    here = board_of(position)
    one = here.hexes[number]
    land = one.terrain if one.number is None else f"{one.terrain} {one.number}"
    alike = [other for other in here.hexes if (other.terrain, other.number, other.province) == one[3:]]
    places = {place.id for place in here.crossroads if number in place.hexes}
    marks = "".join(seat_names.mark(player) for player in position["players"] if _has_place(position, player, places))
    item = land if len(alike) == 1 else f"{land}, hex {number}"
    phrase = f"move the legionnaire to hex {number} ({land}, {province_title(one.province)})"
    return Choice(item, phrase, province_title(one.province), note=marks)


def _has_place(position: dict[str, Any], player: str, crossroads: Collection[int]) -> bool:
    """Return whether a player has a tribe or a city at one of the crossroads (STRUGGLE 3.4)."""
    tribes = position["players"][player]["tribes"].values()
    cities = (city.name for city in board_of(position).cities if city.crossroads in crossroads)
    return any(not tribe["kingdom"] and tribe["at"] in crossroads for tribe in tribes) or any(
        position["cities"][city]["owner"] == player for city in cities
    )


_EFFECTS = {"diplomacy": "move the legionnaire", "treasure": "7 gold", "great_warrior": "one more figure"}
"""The effect of playing each development card."""


def _amount(text: str) -> str:
    number, name = text.split()
    return goods(int(number), name)


def names_in_texts(rules: Rules) -> list[str]:
    """Return the names of goods, figures, cards, provinces and the board's cities."""
    cities = [city.name for city in rules.setup.board.cities]
    return [
        *("Rome", "Scourge", "Heir", "legion", "legionnaire", "limes", TRIBE_KINDS[1]),
        *RESOURCES,  # "horse" is in "horseman", too
        *DEVELOPMENT,
        *map(card_title, DEVELOPMENT),
        *PROVINCE_TITLES,
        *PROVINCE_TITLES.values(),
        *cities,
        *map(city_title, cities),
    ]


TEXT_INTERFACE = TextInterface(
    aim=(
        "Have the most points when a seat has reached 10: cities of your two kingdoms,",
        "counters of all five provinces, the Diplomacy card. First plunder, then conquer.",
    ),
    sentence="Lead two tribes across the Roman Empire: plunder its cities, found kingdoms, trade with your rivals.",
    minutes=60,
    setup_in_words=setup_in_words,
    help_tables=(
        HelpTable("A round", ("", ""), ROUND),
        HelpTable("A tribe's turn", ("", ""), TRIBES),
        HelpTable("Points", ("", ""), POINTS),
        HelpTable("Prices", ("", ""), PRICES),
        HelpTable("Development cards", ("", "effect"), tuple((card_title(name), CARDS[name]) for name in CARDS)),
        HelpTable("Plunder counters", ("", "effect"), tuple(COUNTERS.items())),
    ),
    board=board,
    overview=overview,
    question=question,
    choice=choice,
    ending=ending,
    points_table=points_table,
    coach=COACH,
    sentences=in_words,
    rules_page=page_beside(__file__, "struggle_rules.md"),
    names=names_in_texts,
)
"""The text interface of the game."""
