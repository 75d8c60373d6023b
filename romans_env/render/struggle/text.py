"""A position as text: the table, the seats with their tribes and cities, and what happened last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from romans_env.render.struggle.drawing import board_of
from romans_env.render.struggle.names import PROVINCE_TITLES, TRIBE_NAMES, TRIBES, card_title, city_title
from romans_env.render.struggle.places import crossroads_in_words, hex_in_words
from romans_env.render.struggle.questions import QUESTIONS, about, turn_in_words
from romans_env.render.struggle.sentences import in_words
from romans_env.render.wording import Wording, counted, decision_line


def position_lines(position: dict[str, Any], viewer: str | None = None) -> list[str]:
    """Return the table, at least four lines for each seat, and the decision to be made.

    The viewer makes no difference: the position holds only what it may know, and the seats have a fixed order.
    """
    board = board_of(position)
    markers = ", ".join(map(str, position["markers"])) or "none"
    legion = board.hexes[position["legion"]]
    where = hex_in_words(legion.terrain, legion.number, legion.province)
    final = ", final round" if position["final"] else ""
    unseen = [f"{PROVINCE_TITLES[name]} {sum(counts.values())}" for name, counts in position["counters"].items()]
    return [
        f"{turn_in_words(position)}{final}, first {position['first']}, markers {markers}",
        f"  legionnaire on hex {legion.id} ({where})",
        f"  bank: {counts_in_words(position['bank'])}; pasture pile: {counts_in_words(position['pasture_pile'])}; "
        f"discard: {counts_in_words(position['pasture_discard'])}; "
        f"development deck: {counted(position['development_size'], 'card')}",
        f"  counters not seen: {', '.join(unseen)}",
        *(line for player in position["players"] for line in _seat(position, player)),
        decision_line(position["decision"], QUESTIONS, about),
    ]


def counts_in_words(counts: Mapping[str, int]) -> str:
    """Return counts in words, such as ``2 grain, 1 ore``."""
    return ", ".join(f"{number} {card_title(name)}" for name, number in counts.items()) or "none"


def cities_of(position: Mapping[str, Any], player: str, tribe: str) -> list[str]:
    """Return the titles of the cities that a tribe owns."""
    return [
        city_title(name) for name, now in position["cities"].items() if (now["owner"], now["tribe"]) == (player, tribe)
    ]


def _seat(position: dict[str, Any], player: str) -> list[str]:
    one = position["players"][player]
    card = ", Diplomacy card" if position["diplomacy"] == player else ""
    points, hand = counted(one["points"], "point"), counts_in_words(one["hand"])
    return [
        f"  {player}: {points}{card}, {one['gold']} gold; hand: {hand}",
        f"    development: {development_in_words(one)}",
        *(f"    {TRIBE_NAMES[tribe]}: {tribe_in_words(position, player, tribe)}" for tribe in TRIBES),
    ]


def development_in_words(one: Mapping[str, Any]) -> str:
    """Return the development cards that a seat holds and has played, as far as they are known."""
    known = one["development"]
    hand = counts_in_words(known) if known is not None else counted(one["development_size"], "card")
    return f"{hand}; played: {counts_in_words(one['played'])}" if one["played"] else hand


def tribe_in_words(position: dict[str, Any], player: str, tribe: str) -> str:
    """Return the place of a tribe and the contents of its box."""
    box = position["players"][player]["tribes"][tribe]
    if box["kingdom"]:
        where = f"kingdom of {', '.join(cities_of(position, player, tribe))}"
    else:
        where = f"at crossroads {box['at']} ({crossroads_in_words(board_of(position))[box['at']]})"
    counters = ", ".join(
        f"{PROVINCE_TITLES[name]}{f' x{number}' if number > 1 else ''}" for name, number in box["counters"].items()
    )
    return f"{where}; army {box['army']}, {counted(box['wagons'], 'wagon')}, counters: {counters or 'none'}"


WORDING = Wording(in_words, position_lines, turn_starts=("opening", "round", "turn"))
render_text, transcript = WORDING.text, WORDING.transcript
