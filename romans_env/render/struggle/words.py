"""A game in words: what happened and why, one line an event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from romans_env.event import Event
from romans_env.render.struggle.names import TRIBE_NAMES, card_title, city_title, province_title
from romans_env.render.struggle.places import crossroads_in_words, hex_in_words
from romans_env.render.wording import Sentence, Sentences, counted
from romans_env.struggle.board import Board

Details = Mapping[str, Any]


def in_words(events: Iterable[Event], viewer: str | None, board: Board) -> list[str]:
    """Return a line for each event, but for a way that is chosen and not paid yet, which ``moves`` covers.

    Args:
        events: what happened, in order.
        viewer: a player, from whom the rivals' development cards are kept; None shows everything.
        board: the board that is played on.
    """
    return [_SENTENCES.line(one, viewer, board=board) for one in events if one.kind != "sets_out"]


def goods(number: int, name: str) -> str:
    """Return a number of goods, such as ``2 grain`` or ``1 horse``, ``3 horses``."""
    return counted(number, name) if name in ("horse", "card", "pasture card", "wagon") else f"{number} {name}"


def listed(parts: Sequence[str]) -> str:
    """Return parts as a list in words, such as ``a``, ``a and b`` or ``a, b and c``."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def goods_of(counts: Mapping[str, int]) -> str:
    """Return goods by their counts in words, such as ``2 grain and 1 ore``."""
    return listed([goods(number, name) for name, number in counts.items()])


def _by_player(counts: Mapping[str, Mapping[str, int]]) -> str:
    return "; ".join(f"{player} {goods_of(each)}" for player, each in counts.items())


def _drawn(cards: Sequence[str]) -> str:
    return goods_of({name: cards.count(name) for name in ("cattle", "horse") if name in cards})


# -- rounds and dice


def _turn(details: Details) -> str:
    tribe = details["tribe"]
    what = "turn to build and trade" if tribe is None else f"{TRIBE_NAMES[tribe]} are next"
    return f"-- {details['player']}'s {what} --"


def _dice(details: Details) -> str:
    number, (first, second) = details["number"], details["dice"]
    why = ", which bears a marker: nothing happens" if details["marked"] else ""
    if number == 7 and not why:
        why = ", the legionnaire moves"
    return f"{details['player']} throws {first} and {second}: {number}{why}"


def _shortage(details: Details) -> str:
    kind = {"pasture": "pasture cards"}.get(details["resource"], details["resource"])
    discards = _by_player(details["discards"]) or "nobody has any"
    return f"  {details['due']} {kind} are due, {details['left']} are there: all discard half ({discards})"


def _nothing_left(details: Details) -> str:
    kind = {"pasture": "pasture cards"}.get(details["resource"], details["resource"])
    lacks = ", ".join(f"{player} lacks {number}" for player, number in details["lacks"].items())
    return f"  too {'few' if kind == 'pasture cards' else 'little'} {kind}: {lacks}"


def _legionnaire(details: Details) -> str:
    where = hex_in_words(details["terrain"], details["number"], details["province"])
    return f"{details['player']} moves the legionnaire to hex {details['hex']} ({where})"


def _robs(details: Details) -> str:
    loot = f"{details['gold']} gold" if details["card"] is None else f"1 {details['card']}"
    return f"  {details['player']} takes {loot} from {details['rival']}"


# -- building and trade


def _bank(details: Details) -> str:
    got = "a pasture card" if details["got"] == "pasture" else f"1 {details['got']}"
    return f"{details['player']} gives {goods(3, details['gave'])} to the bank for {got}"


def _armies(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())


def price_of(cards: Sequence[str], gold: int, instead: str | None) -> str:
    """Return a price of a card each and gold, with 3 gold more in place of the card ``instead``; '' is no card."""
    parts = [f"1 {name}" for name in cards if name != instead]
    gold += 3 if instead else 0
    return listed([*parts, f"{gold} gold"] if gold else parts)


def _price(cards: Sequence[str], gold: int, instead: str | None) -> str:
    return price_of(cards, gold, instead) + (f" (3 in place of {instead})" if instead else "")


def _development_card(card: str | None) -> str:
    return "a development card" if card is None else f"the card {card_title(card)}"


def _offers(details: Details) -> str:
    give, want = goods(details["num_given"], details["gives"]), goods(details["num_wanted"], details["wants"])
    return f"{details['player']} offers {give} for {want} to {listed(details['asked'])}"


def _accepts(details: Details) -> str:
    give, want = goods(details["num_given"], details["gives"]), goods(details["num_wanted"], details["wants"])
    return f"  {details['player']} accepts: {want} to {details['to']} for {give}"


def _plays(details: Details) -> str:
    card, player = details["card"], details["player"]
    effect = {
        "treasure": f": {details['gold']} gold",
        "great_warrior": f": one more {details['tribe']}",
        "traitor": f": no army is needed at {city_title(details['why'] or '')}",
        "diplomacy": " to move the legionnaire",
    }[card]
    return f"{player} plays {card_title(card)}{effect}"


# -- tribes


def _rests(details: Details) -> str:
    gets = {"gold": f"{details['gold']} gold", "pasture": "a pasture card"}.get(details["gets"], f"1 {details['gets']}")
    return f"{_tribe(details)} rest for {gets}"


def _moves(details: Details) -> str:
    paid = goods_of({name: details[name] for name in ("grain", "gold") if details[name]})
    cost, to = f", for {paid}" if paid else ", free", details["to"]
    place = crossroads_in_words(details["board"])[to]
    return f"{_tribe(details)} move from crossroads {details['from']} to {to} ({place}){cost}"


def _plunders(details: Details) -> str:
    return f"{_tribe(details)} plunder {city_title(details['city'])} ({_strength(details)})"


def _counter(details: Details) -> str:
    got = {
        "gold": f"{details['gold']} gold",
        "pasture": "a pasture card",
        "card": "a development card",
        "none": "nothing",
    }[details["gets"]]
    lost = ""
    if details["counter"].endswith("_loss"):
        lost = f", and a {details['tribe']} is lost" if details["army_lost"] else ", and no army is there to lose"
    return f"  its counter: {got}{lost}"


def _loot(details: Details) -> str:
    wagons = details["wagons"]
    gold = f"{details['gold']} gold for {goods(wagons, 'wagon')}" if wagons else "no wagon, no gold for it"
    return f"  a counter of {province_title(details['province'])}; {gold} ({details['purse']} gold in all)"


def _conquers(details: Details) -> str:
    what = "and found a kingdom" if details["founds"] else f"as city {details['cities']} of the kingdom"
    left = ", its counter unseen" if details["counter"] else ""
    return f"{_tribe(details)} conquer {city_title(details['city'])} {what} ({_strength(details)}{left})"


def _special(details: Details) -> str:
    card, points = details["card"], counted(details["points"], "point")
    if card == "diplomacy":
        rival = f" from {details['rival']}" if details["rival"] else ""
        return f"  {details['player']} gets the Diplomacy card{rival}: {points}"
    if card == "scourge":
        return f"  {_tribe(details)} have counters of all provinces, Scourge of Rome: {points}"
    return f"  {details['player']} is Heir to Rome, four cities for each tribe: {points}"


def _end(details: Details) -> str:
    why = {"final": "ten points were reached", "rounds": "the last round is over"}[details["why"]]
    scores = ", ".join(
        f"{player} {points} and {details['gold'][player]} gold" for player, points in details["points"].items()
    )
    wins = "wins" if len(details["winners"]) == 1 else "share the win"
    cards = "".join(
        f"; {player} plays {listed([f'{number} {card_title(name)}' for name, number in counts.items()])}"
        for player, counts in details["played"].items()
    )
    return f"== The end: {why}{cards} == {listed(details['winners'])} {wins}; points: {scores}"


def _tribe(details: Details) -> str:
    return f"{details['player']}'s {TRIBE_NAMES[details['tribe']]}"


def _strength(details: Details) -> str:
    army = "a traitor" if details["traitor"] else f"army {details['army']}"
    return f"{army} against {counted(details['towers'], 'tower')}"


_TABLE: dict[str, Sentence] = {
    "opening": "== Opening ==",
    "round": "== Round {round}: {first} begins ==",
    "turn": _turn,
    "dice": _dice,
    "produces": "  for the {number}: {gets:by_player}",
    "shortage": _shortage,
    "nothing_left": _nothing_left,
    "draws": "  {player} draws {cards:drawn}",
    "refill": "  the pasture discard becomes the pile: {cards:card}",
    "legionnaire": _legionnaire,
    "nobody_to_rob": "  nobody to rob there",
    "robs": _robs,
    "bank": _bank,
    "army": "{player} builds an army for {instead:price_of_army}: {figures:listed} (armies: {army:armies})",
    "wagon": "{player} builds a wagon for the {tribe:tribe}, for {instead:price_of_wagon} ({wagons:wagon})",
    "buys_card": "{player} buys a development card for {instead:price_of_card}",
    "draws_card": "  {player} draws {card:development_card}",
    "offers": _offers,
    "accepts": _accepts,
    "declines": "  {player} declines",
    "no_deal": "  nobody accepts the offer",
    "plays": _plays,
    "rests": _rests,
    "moves": _moves,
    "plunders": _plunders,
    "counter": _counter,
    "loot": _loot,
    "conquers": _conquers,
    "special": _special,
    "final": "  {player} has {points:point}: this round is the last",
    "ends": "{player} ends the turn",
    "end": _end,
}
EVENT_KINDS = tuple(_TABLE)
"""Kinds of event, in the order in which they are explained here."""
_SENTENCES = Sentences(
    _TABLE,
    by_player=_by_player,
    drawn=_drawn,
    listed=listed,
    armies=_armies,
    tribe=TRIBE_NAMES.__getitem__,
    development_card=_development_card,
    price_of_army=partial(_price, ("ore", "horse"), 0),
    price_of_wagon=partial(_price, ("horse", "grain", "cattle"), 0),
    price_of_card=partial(_price, ("cattle",), 1),
)
