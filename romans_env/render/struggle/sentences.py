"""A game in words: what happened and why, one line per event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from romans_env.core.event import Event
from romans_env.core.game import Game
from romans_env.render.struggle.names import TRIBE_NAMES, card_title, city_title, province_title
from romans_env.render.struggle.places import hex_in_words, place_in_sentence
from romans_env.render.wording import Sentence, Sentences, counted, wins

Details = Mapping[str, Any]


def in_words(game: Game, events: Iterable[Event], viewer: str | None = None) -> list[str]:
    """Return a line for each event, except that a move is told only once its fare is paid.

    Args:
        game: the game that the events belong to.
        events: what happened, in order.
        viewer: the player who reads; None shows everything.
    """
    board = game.rules.setup.board
    return [_SENTENCES.line(one, viewer, board=board) for one in events if one.kind != "sets_out"]


def goods(number: int, name: str) -> str:
    """Return an amount of goods in words, such as ``2 grain``, ``1 horse`` or ``3 horses``."""
    return counted(number, name) if name in ("horse", "card", "pasture card", "wagon") else f"{number} {name}"


def listed(parts: Sequence[str]) -> str:
    """Return parts as a list in words, such as ``a``, ``a and b`` or ``a, b and c``."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def goods_of(counts: Mapping[str, int]) -> str:
    """Return several goods in words, such as ``2 grain and 1 ore``."""
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


def _cards(resource: str) -> str:
    return "pasture cards" if resource == "pasture" else resource


# -- building and trade


def one_of(resource: str) -> str:
    """Return one card of a resource in words."""
    return "a pasture card" if resource == "pasture" else f"1 {resource}"


def price_of(cards: Sequence[str], gold: int, instead: str | None) -> str:
    """Return a price in words: one of each card and gold, with 3 gold in place of the card ``instead``, if any."""
    parts = [f"1 {name}" for name in cards if name != instead]
    gold += 3 if instead else 0
    return listed([*parts, f"{gold} gold"] if gold else parts)


def _price(cards: Sequence[str], gold: int, instead: str | None) -> str:
    return price_of(cards, gold, instead) + (f" (3 in place of {instead})" if instead else "")


def _development_card(card: str | None) -> str:
    return "a development card" if card is None else f"the card {card_title(card)}"


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


def _fare(details: Details) -> str:
    paid = goods_of({name: details[name] for name in ("grain", "gold") if details[name]})
    return f", for {paid}" if paid else ", free"


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


def _gold(details: Details) -> str:
    wagons = details["wagons"]
    return f"{details['gold']} gold for {goods(wagons, 'wagon')}" if wagons else "no wagon, no gold for it"


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
    cards = "".join(
        f"; {player} plays {listed([f'{number} {card_title(name)}' for name, number in counts.items()])}"
        for player, counts in details["played"].items()
    )
    return f"== The end: {why}{cards} == {listed(details['winners'])} {wins(details['winners'])}; points: {scores}"


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
    "shortage": "  {due} {resource:cards} are due, {left} are there: all discard half ({discards:by_player_or_nobody})",
    "nothing_left": "  too {resource:few} {resource:cards}: {lacks:lacking}",
    "draws": "  {player} draws {cards:drawn}",
    "refill": "  the pasture discard becomes the pile: {cards:card}",
    "legionnaire": "{player} moves the legionnaire to hex {hex} ({:hex})",
    "nobody_to_rob": "  nobody to rob there",
    "robs": "  {player} takes {:booty} from {rival}",
    "bank": "{player} gives {gave:three} to the bank for {got:one}",
    "army": "{player} builds an army for {instead:price_of_army}: {figures:listed} (armies: {army:entries})",
    "wagon": "{player} builds a wagon for the {tribe:tribe}, for {instead:price_of_wagon} ({wagons:wagon})",
    "buys_card": "{player} buys a development card for {instead:price_of_card}",
    "draws_card": "  {player} draws {card:development_card}",
    "offers": "{player} offers {:given} for {:wanted} to {asked:listed}",
    "accepts": "  {player} accepts: {:wanted} to {to} for {:given}",
    "declines": "  {player} declines",
    "no_deal": "  nobody accepts the offer",
    "plays": _plays,
    "rests": "{:whose} rest for {:rest}",
    "moves": "{:whose} move from {:origin} to {:target}{:fare}",
    "plunders": "{:whose} plunder {city:city} ({:strength})",
    "counter": _counter,
    "loot": "  a counter of {province:province}; {:gold} ({purse} gold in all)",
    "conquers": "{:whose} conquer {city:city} {:as_what} ({:strength}{counter:?, its counter unseen})",
    "special": _special,
    "final": "  {player} has {points:point}: this round is the last",
    "ends": "{player} ends the turn",
    "end": _end,
}
EVENT_KINDS = tuple(_TABLE)
"""The kinds of events, in the order of the table."""
_SENTENCES = Sentences(
    _TABLE,
    by_player=_by_player,
    by_player_or_nobody=lambda counts: _by_player(counts) or "nobody has any",
    cards=_cards,
    few=lambda resource: "few" if resource == "pasture" else "little",
    lacking=lambda counts: ", ".join(f"{player} lacks {number}" for player, number in counts.items()),
    hex=lambda details: hex_in_words(details["terrain"], details["number"], details["province"]),
    booty=lambda details: f"{details['gold']} gold" if details["card"] is None else f"1 {details['card']}",
    three=partial(goods, 3),
    one=one_of,
    given=lambda details: goods(details["num_given"], details["gives"]),
    wanted=lambda details: goods(details["num_wanted"], details["wants"]),
    whose=_tribe,
    rest=lambda details: f"{details['gold']} gold" if details["gets"] == "gold" else one_of(details["gets"]),
    origin=lambda details: place_in_sentence(details["board"], int(details["from"])),
    target=lambda details: place_in_sentence(details["board"], int(details["to"])),
    fare=_fare,
    city=city_title,
    province=province_title,
    gold=_gold,
    strength=_strength,
    as_what=lambda one: "and found a kingdom" if one["founds"] else f"as city {one['cities']} of the kingdom",
    drawn=_drawn,
    listed=listed,
    tribe=TRIBE_NAMES.__getitem__,
    development_card=_development_card,
    price_of_army=partial(_price, ("ore", "horse"), 0),
    price_of_wagon=partial(_price, ("horse", "grain", "cattle"), 0),
    price_of_card=partial(_price, ("cattle",), 1),
)
