"""A game in words: what happened and why, one line an event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from romans_env.event import Event
from romans_env.render.struggle.names import TRIBE_NAMES, card_title, city_title, province_title
from romans_env.render.struggle.places import crossroads_in_words, hex_in_words
from romans_env.render.wording import counted
from romans_env.struggle.board import Board

Details = Mapping[str, Any]


def in_words(events: Iterable[Event], viewer: str | None, board: Board) -> list[str]:
    """Return a line for each event, but for a way that is chosen and not paid yet, which ``moves`` covers.

    Args:
        events: what happened, in order.
        viewer: a player, from whom the rivals' development cards are kept; None shows everything.
        board: the board that is played on.
    """
    return [_LINES[one.kind](one.seen_by(viewer).details, board) for one in events if one.kind != "sets_out"]


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


def _opening(details: Details, board: Board) -> str:
    return "== Opening =="


def _round(details: Details, board: Board) -> str:
    return f"== Round {details['round']}: {details['first']} begins =="


def _turn(details: Details, board: Board) -> str:
    tribe = details["tribe"]
    what = "turn to build and trade" if tribe is None else f"{TRIBE_NAMES[tribe]} are next"
    return f"-- {details['player']}'s {what} --"


def _dice(details: Details, board: Board) -> str:
    number, (first, second) = details["number"], details["dice"]
    why = ", which bears a marker: nothing happens" if details["marked"] else ""
    if number == 7 and not why:
        why = ", the legionnaire moves"
    return f"{details['player']} throws {first} and {second}: {number}{why}"


def _produces(details: Details, board: Board) -> str:
    return f"  for the {details['number']}: {_by_player(details['gets'])}"


def _shortage(details: Details, board: Board) -> str:
    kind = {"pasture": "pasture cards"}.get(details["resource"], details["resource"])
    discards = _by_player(details["discards"]) or "nobody has any"
    return f"  {details['due']} {kind} are due, {details['left']} are there: all discard half ({discards})"


def _nothing_left(details: Details, board: Board) -> str:
    kind = {"pasture": "pasture cards"}.get(details["resource"], details["resource"])
    lacks = ", ".join(f"{player} lacks {number}" for player, number in details["lacks"].items())
    return f"  too {'few' if kind == 'pasture cards' else 'little'} {kind}: {lacks}"


def _draws(details: Details, board: Board) -> str:
    return f"  {details['player']} draws {_drawn(details['cards'])}"


def _refill(details: Details, board: Board) -> str:
    return f"  the pasture discard becomes the pile: {counted(details['cards'], 'card')}"


def _legionnaire(details: Details, board: Board) -> str:
    where = hex_in_words(details["terrain"], details["number"], details["province"])
    return f"{details['player']} moves the legionnaire to hex {details['hex']} ({where})"


def _nobody_to_rob(details: Details, board: Board) -> str:
    return "  nobody to rob there"


def _robs(details: Details, board: Board) -> str:
    loot = f"{details['gold']} gold" if details["card"] is None else f"1 {details['card']}"
    return f"  {details['player']} takes {loot} from {details['rival']}"


# -- building and trade


def _bank(details: Details, board: Board) -> str:
    got = "a pasture card" if details["got"] == "pasture" else f"1 {details['got']}"
    return f"{details['player']} gives {goods(3, details['gave'])} to the bank for {got}"


def _army(details: Details, board: Board) -> str:
    price = _price(("ore", "horse"), 0, details["instead"])
    army = ", ".join(f"{name} {number}" for name, number in details["army"].items())
    return f"{details['player']} builds an army for {price}: {listed(details['figures'])} (armies: {army})"


def _wagon(details: Details, board: Board) -> str:
    price = _price(("horse", "grain", "cattle"), 0, details["instead"])
    whose = TRIBE_NAMES[details["tribe"]]
    return f"{details['player']} builds a wagon for the {whose}, for {price} ({goods(details['wagons'], 'wagon')})"


def _buys_card(details: Details, board: Board) -> str:
    return f"{details['player']} buys a development card for {_price(('cattle',), 1, details['instead'])}"


def price_of(cards: Sequence[str], gold: int, instead: str | None) -> str:
    """Return a price of a card each and gold, with 3 gold more in place of the card ``instead``; '' is no card."""
    parts = [f"1 {name}" for name in cards if name != instead]
    gold += 3 if instead else 0
    return listed([*parts, f"{gold} gold"] if gold else parts)


def _price(cards: Sequence[str], gold: int, instead: str | None) -> str:
    return price_of(cards, gold, instead) + (f" (3 in place of {instead})" if instead else "")


def _draws_card(details: Details, board: Board) -> str:
    what = "a development card" if details["card"] is None else f"the card {card_title(details['card'])}"
    return f"  {details['player']} draws {what}"


def _offers(details: Details, board: Board) -> str:
    give, want = goods(details["num_given"], details["gives"]), goods(details["num_wanted"], details["wants"])
    return f"{details['player']} offers {give} for {want} to {listed(details['asked'])}"


def _accepts(details: Details, board: Board) -> str:
    give, want = goods(details["num_given"], details["gives"]), goods(details["num_wanted"], details["wants"])
    return f"  {details['player']} accepts: {want} to {details['to']} for {give}"


def _declines(details: Details, board: Board) -> str:
    return f"  {details['player']} declines"


def _no_deal(details: Details, board: Board) -> str:
    return "  nobody accepts the offer"


def _plays(details: Details, board: Board) -> str:
    card, player = details["card"], details["player"]
    effect = {
        "treasure": f": {details['gold']} gold",
        "great_warrior": f": one more {details['tribe']}",
        "traitor": f": no army is needed at {city_title(details['why'] or '')}",
        "diplomacy": " to move the legionnaire",
    }[card]
    return f"{player} plays {card_title(card)}{effect}"


def _ends(details: Details, board: Board) -> str:
    return f"{details['player']} ends the turn"


# -- tribes


def _rests(details: Details, board: Board) -> str:
    gets = {"gold": f"{details['gold']} gold", "pasture": "a pasture card"}.get(details["gets"], f"1 {details['gets']}")
    return f"{_tribe(details)} rest for {gets}"


def _moves(details: Details, board: Board) -> str:
    paid = goods_of({name: details[name] for name in ("grain", "gold") if details[name]})
    cost = f", for {paid}" if paid else ", free"
    return f"{_tribe(details)} move from crossroads {details['from']} to {_place(details['to'], board)}{cost}"


def _plunders(details: Details, board: Board) -> str:
    return f"{_tribe(details)} plunder {city_title(details['city'])} ({_strength(details)})"


def _counter(details: Details, board: Board) -> str:
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


def _loot(details: Details, board: Board) -> str:
    wagons = details["wagons"]
    gold = f"{details['gold']} gold for {goods(wagons, 'wagon')}" if wagons else "no wagon, no gold for it"
    return f"  a counter of {province_title(details['province'])}; {gold} ({details['purse']} gold in all)"


def _conquers(details: Details, board: Board) -> str:
    what = "and found a kingdom" if details["founds"] else f"as city {details['cities']} of the kingdom"
    left = ", its counter unseen" if details["counter"] else ""
    return f"{_tribe(details)} conquer {city_title(details['city'])} {what} ({_strength(details)}{left})"


def _special(details: Details, board: Board) -> str:
    card, points = details["card"], counted(details["points"], "point")
    if card == "diplomacy":
        rival = f" from {details['rival']}" if details["rival"] else ""
        return f"  {details['player']} gets the Diplomacy card{rival}: {points}"
    if card == "scourge":
        return f"  {_tribe(details)} have counters of all provinces, Scourge of Rome: {points}"
    return f"  {details['player']} is Heir to Rome, four cities for each tribe: {points}"


def _final(details: Details, board: Board) -> str:
    return f"  {details['player']} has {counted(details['points'], 'point')}: this round is the last"


def _end(details: Details, board: Board) -> str:
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


def _place(crossroads: int, board: Board) -> str:
    return f"{crossroads} ({crossroads_in_words(board)[crossroads]})"


def _strength(details: Details) -> str:
    army = "a traitor" if details["traitor"] else f"army {details['army']}"
    return f"{army} against {counted(details['towers'], 'tower')}"


_LINES = {
    "opening": _opening,
    "round": _round,
    "turn": _turn,
    "dice": _dice,
    "produces": _produces,
    "shortage": _shortage,
    "nothing_left": _nothing_left,
    "draws": _draws,
    "refill": _refill,
    "legionnaire": _legionnaire,
    "nobody_to_rob": _nobody_to_rob,
    "robs": _robs,
    "bank": _bank,
    "army": _army,
    "wagon": _wagon,
    "buys_card": _buys_card,
    "draws_card": _draws_card,
    "offers": _offers,
    "accepts": _accepts,
    "declines": _declines,
    "no_deal": _no_deal,
    "plays": _plays,
    "rests": _rests,
    "moves": _moves,
    "plunders": _plunders,
    "counter": _counter,
    "loot": _loot,
    "conquers": _conquers,
    "special": _special,
    "final": _final,
    "ends": _ends,
    "end": _end,
}
EVENT_KINDS = tuple(_LINES)
"""Kinds of event, in the order in which they are explained here."""
