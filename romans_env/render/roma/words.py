"""A game in words: what happened and why, one line an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from romans_env.event import Event
from romans_env.render.wording import Sentence, Sentences, counted

Details = Mapping[str, Any]


def in_words(events: Iterable[Event], viewer: str | None = None) -> list[str]:
    """Return a line for each event.

    Args:
        events: what happened, in order.
        viewer: a player, from whom the rival's hidden cards are kept; None shows everything.
    """
    return [_SENTENCES.line(event, viewer) for event in events]


def listed(cards: Sequence[str | None]) -> str:
    """Return cards by name, equal ones once with their number; unknown ones as a number alone."""
    if None in cards:
        return counted(len(cards), "card")
    return ", ".join(with_number(name, number) for name, number in Counter(cards).items()) or "none"


def with_number(name: str | None, number: int) -> str:
    """Return a card with its number, such as ``forum`` or ``2 forum``."""
    return f"{name}" if number == 1 else f"{number} {name}"


def _face_up(details: Details) -> str:
    sides = [
        f"{player} has " + ", ".join(f"{card} on {disc}" for disc, card in enumerate(discs, 1) if card)
        for player, discs in details["discs"].items()
    ]
    return "all cards are turned face-up: " + "; ".join(sides)


def _lays(details: Details) -> str:
    line = f"{details['player']} lays {details['card']} on disc {details['disc']}"
    if details["covered"]:
        line += f", {details['covered']} there is discarded"
    if details["paid"] is None:
        return f"  {details['effect']}: {line}"
    return f"{line}, for {_sestertii(details['paid'])} ({details['money']} left)"


def _keeps(details: Details) -> str:
    line = f"  {details['player']} keeps {details['card'] or 'a card'}"
    return f"{line} and discards {listed(details['discarded'])}" if details["discarded"] else line


def _blocks(details: Details) -> str:
    card = f" with {details['card']}" if details["card"] else ""
    return f"  {details['effect']}: {details['rival']}'s disc {details['disc']}{card} is blocked in the next turn"


def _battle(details: Details) -> str:
    fate = "is discarded" if details["won"] else "stays"
    return f"  battle die {details['die']} against {_defence(details)}: {_card_of_rival(details)} {fate}"


def _adds(details: Details) -> str:
    return (
        f"  centurio adds a {details['die']}: {details['score']} + {details['die']} against {_defence(details)}: "
        f"{_card_of_rival(details)} is discarded"
    )


def _gets(details: Details) -> str:
    credit = f", {details['credited']} of them credited" if details["credited"] else ""
    return (
        f"  {details['effect']}: {details['player']} gets {counted(details['points'], 'point')} from the stock, "
        f"{_reason(details['why'])}{credit} ({details['total']} now, stock {details['stock']})"
    )


def _due(details: Details) -> str:
    return f"  forum: {counted(details['points'], 'point')} are due, {_reason(details)}"


def _reason(why: Mapping[str, int]) -> str:
    if "free" in why:
        return f"for {counted(why['free'], 'free disc')} of the rival"
    return f"die {why['die']}" + "".join(f" + {why[name]} {name}" for name in ("basilica", "templum") if why[name])


def _takes_points(details: Details) -> str:
    why = details["why"]
    reason = ""
    if "forum" in why:
        reason = f", for {counted(why['forum'], 'forum')}"
    elif "paid" in why:
        reason = f", for {_sestertii(why['paid'])}"
    return (
        f"  {details['effect']}: {details['player']} takes {counted(details['points'], 'point')} from "
        f"{details['rival']}{reason} ({details['total']} and {details['left']} now)"
    )


def _takes(details: Details) -> str:
    pile = "the pile" if details["effect"] == "haruspex" else "the discard pile"
    return f"  {details['effect']}: {details['player']} takes {details['card'] or 'a card'} from {pile}"


def _end(details: Details) -> str:
    why = {"stock": "the stock is empty", "turn 200": "turn 200 is over"}.get(details["why"])
    points = ", ".join(f"{player} {points}" for player, points in details["points"].items())
    wins = "wins" if len(details["winners"]) == 1 else "share the win"
    reason = why or f"{details['why']} has no points"
    return f"== The end: {reason} == {' and '.join(details['winners'])} {wins}; points: {points}"


def _card_of_rival(details: Details) -> str:
    return f"{details['card']} on {details['rival']}'s disc {details['disc']}"


def _defence(details: Details) -> str:
    parts = [f"+{details['turris']} turris"] if details["turris"] else []
    parts += [f"-{details['essedum']} essedum"] if details["essedum"] else []
    sum_of_parts = f" ({', '.join([str(details['printed']), *parts])})" if parts else ""
    return f"defence {details['defence']}{sum_of_parts}"


def _sestertii(number: int) -> str:
    return "1 sestertius" if number == 1 else f"{number} sestertii"


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


_STOPPED = {
    "architectus": "architectus no further",
    "senator": "senator no further",
    "consiliarius": "consiliarius to pick up no more",
    "machina": "machina to pick up no more",
    "centurio": "no die for centurio",
    "templum": "no die for templum",
}
_TABLE: dict[str, Sentence] = {
    "opening": "== Opening ==",
    "draws": "  {player} draws {cards:listed}",
    "gives": "{player} puts {card:a card} aside for {rival}",
    "exchange": "{player} gets {cards:listed} from {rival}",
    "lays_face_down": "{player} lays {card:a card} face-down on disc {disc}",
    "face_up": _face_up,
    "turn": "== Turn {turn}: {player} ==",
    "pays": "{player} pays {paid:point} for {free:free disc} ({total} now, stock {stock})",
    "dice": "{player} throws {dice:numbers}",
    "throws_again": "{player} throws all three dice again",
    "stands": "{player} keeps the three equal dice",
    "lays": _lays,
    "money": "{player} uses a {die} for {die:sestertii} ({money} in all)",
    "uses": "{player} uses a {die} to draw {die:card}",
    "refill": "  the discard pile becomes the pile: {cards:card}",
    "pile_empty": "  the pile is empty: both players can infer all hidden cards",
    "keeps": _keeps,
    "activates": "{player} uses a {disc} to activate {card} on disc {disc}",
    "copies": "  scaenicus on disc {at} copies {card} of disc {disc}",
    "removes": "  {effect}: {card} on {rival}'s disc {disc} is discarded, and {own_card} on disc {own_disc}",
    "sends_home": "  {effect}: {card} on {rival}'s disc {disc} goes back to the hand",
    "blocks": _blocks,
    "attacks": "  {effect} attacks {card} on {rival}'s disc {disc}",
    "battle": _battle,
    "adds": _adds,
    "picks_up": "  {effect}: {player} picks up {card} from disc {disc}",
    "stops": "  {player} uses {effect:stopped}",
    "gets": _gets,
    "due": _due,
    "takes_points": _takes_points,
    "weakens": "  essedum: {rival}'s cards have {less} less defence in this turn",
    "looks": "  haruspex: {player} looks through the pile, {cards:card}, and can infer {rival}'s hidden cards",
    "takes": _takes,
    "chooses_die": "  consul: {player} changes a {die}",
    "changes": "  consul: the {die} becomes a {to}",
    "ends": "{player} ends the turn and leaves {dice:numbers} unused",
    "end": _end,
}
EVENT_KINDS = tuple(_TABLE)
"""Kinds of event, in the order in which they are explained here."""
_SENTENCES = Sentences(_TABLE, listed=listed, numbers=_numbers, sestertii=_sestertii, stopped=_STOPPED.__getitem__)
