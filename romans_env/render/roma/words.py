"""A game in words: what happened and why, one line an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from romans_env.event import Event
from romans_env.render.wording import counted


def in_words(events: Iterable[Event], viewer: str | None = None) -> list[str]:
    """Return a line for each event.

    Args:
        events: what happened, in order.
        viewer: a player, from whom the rival's hidden cards are kept; None shows everything.
    """
    return [_LINES[event.kind](event.seen_by(viewer).details) for event in events]


def listed(cards: Sequence[str | None]) -> str:
    """Return cards by name, equal ones once with their number; unknown ones as a number alone."""
    if None in cards:
        return counted(len(cards), "card")
    return ", ".join(with_number(name, number) for name, number in Counter(cards).items()) or "none"


def with_number(name: str | None, number: int) -> str:
    """Return a card with its number, such as ``forum`` or ``2 forum``."""
    return f"{name}" if number == 1 else f"{number} {name}"


def _opening(details: dict[str, Any]) -> str:
    return "== Opening =="


def _draws(details: dict[str, Any]) -> str:
    return f"  {details['player']} draws {listed(details['cards'])}"


def _gives(details: dict[str, Any]) -> str:
    return f"{details['player']} puts {details['card'] or 'a card'} aside for {details['rival']}"


def _exchange(details: dict[str, Any]) -> str:
    return f"{details['player']} gets {listed(details['cards'])} from {details['rival']}"


def _lays_face_down(details: dict[str, Any]) -> str:
    return f"{details['player']} lays {details['card'] or 'a card'} face-down on disc {details['disc']}"


def _face_up(details: dict[str, Any]) -> str:
    sides = [
        f"{player} has " + ", ".join(f"{card} on {disc}" for disc, card in enumerate(discs, 1) if card)
        for player, discs in details["discs"].items()
    ]
    return "all cards are turned face-up: " + "; ".join(sides)


def _turn(details: dict[str, Any]) -> str:
    return f"== Turn {details['turn']}: {details['player']} =="


def _pays(details: dict[str, Any]) -> str:
    return (
        f"{details['player']} pays {counted(details['paid'], 'point')} for {counted(details['free'], 'free disc')}"
        f" ({_totals(details)})"
    )


def _dice(details: dict[str, Any]) -> str:
    return f"{details['player']} throws {_numbers(details['dice'])}"


def _throws_again(details: dict[str, Any]) -> str:
    return f"{details['player']} throws all three dice again"


def _stands(details: dict[str, Any]) -> str:
    return f"{details['player']} keeps the three equal dice"


def _lays(details: dict[str, Any]) -> str:
    line = f"{details['player']} lays {details['card']} on disc {details['disc']}"
    if details["covered"]:
        line += f", {details['covered']} there is discarded"
    if details["paid"] is None:
        return f"  {details['effect']}: {line}"
    return f"{line}, for {_sestertii(details['paid'])} ({details['money']} left)"


def _money(details: dict[str, Any]) -> str:
    return f"{details['player']} uses a {details['die']} for {_sestertii(details['die'])} ({details['money']} in all)"


def _uses(details: dict[str, Any]) -> str:
    return f"{details['player']} uses a {details['die']} to draw {counted(details['die'], 'card')}"


def _refill(details: dict[str, Any]) -> str:
    return f"  the discard pile becomes the pile: {counted(details['cards'], 'card')}"


def _pile_empty(details: dict[str, Any]) -> str:
    return "  the pile is empty: both players can infer all hidden cards"


def _keeps(details: dict[str, Any]) -> str:
    line = f"  {details['player']} keeps {details['card'] or 'a card'}"
    return f"{line} and discards {listed(details['discarded'])}" if details["discarded"] else line


def _activates(details: dict[str, Any]) -> str:
    return f"{details['player']} uses a {details['disc']} to activate {details['card']} on disc {details['disc']}"


def _copies(details: dict[str, Any]) -> str:
    return f"  scaenicus on disc {details['at']} copies {details['card']} of disc {details['disc']}"


def _removes(details: dict[str, Any]) -> str:
    return (
        f"  {details['effect']}: {_card_of_rival(details)} is discarded, and {details['own_card']} on disc "
        f"{details['own_disc']}"
    )


def _sends_home(details: dict[str, Any]) -> str:
    return f"  {details['effect']}: {_card_of_rival(details)} goes back to the hand"


def _blocks(details: dict[str, Any]) -> str:
    card = f" with {details['card']}" if details["card"] else ""
    return f"  {details['effect']}: {details['rival']}'s disc {details['disc']}{card} is blocked in the next turn"


def _attacks(details: dict[str, Any]) -> str:
    return f"  {details['effect']} attacks {_card_of_rival(details)}"


def _battle(details: dict[str, Any]) -> str:
    fate = "is discarded" if details["won"] else "stays"
    return f"  battle die {details['die']} against {_defence(details)}: {_card_of_rival(details)} {fate}"


def _adds(details: dict[str, Any]) -> str:
    return (
        f"  centurio adds a {details['die']}: {details['score']} + {details['die']} against {_defence(details)}: "
        f"{_card_of_rival(details)} is discarded"
    )


def _picks_up(details: dict[str, Any]) -> str:
    return f"  {details['effect']}: {details['player']} picks up {details['card']} from disc {details['disc']}"


def _stops(details: dict[str, Any]) -> str:
    return f"  {details['player']} uses {_STOPPED[details['effect']]}"


def _gets(details: dict[str, Any]) -> str:
    credit = f", {details['credited']} of them credited" if details["credited"] else ""
    return (
        f"  {details['effect']}: {details['player']} gets {counted(details['points'], 'point')} from the stock, "
        f"{_reason(details['why'])}{credit} ({_totals(details)})"
    )


def _due(details: dict[str, Any]) -> str:
    return f"  forum: {counted(details['points'], 'point')} are due, {_reason(details)}"


def _reason(why: dict[str, int]) -> str:
    if "free" in why:
        return f"for {counted(why['free'], 'free disc')} of the rival"
    return f"die {why['die']}" + "".join(f" + {why[name]} {name}" for name in ("basilica", "templum") if why[name])


def _takes_points(details: dict[str, Any]) -> str:
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


def _weakens(details: dict[str, Any]) -> str:
    return f"  essedum: {details['rival']}'s cards have {details['less']} less defence in this turn"


def _looks(details: dict[str, Any]) -> str:
    return (
        f"  haruspex: {details['player']} looks through the pile, {counted(details['cards'], 'card')}, and can infer "
        f"{details['rival']}'s hidden cards"
    )


def _takes(details: dict[str, Any]) -> str:
    pile = "the pile" if details["effect"] == "haruspex" else "the discard pile"
    return f"  {details['effect']}: {details['player']} takes {details['card'] or 'a card'} from {pile}"


def _chooses_die(details: dict[str, Any]) -> str:
    return f"  consul: {details['player']} changes a {details['die']}"


def _changes(details: dict[str, Any]) -> str:
    return f"  consul: the {details['die']} becomes a {details['to']}"


def _ends(details: dict[str, Any]) -> str:
    return f"{details['player']} ends the turn and leaves {_numbers(details['dice'])} unused"


def _end(details: dict[str, Any]) -> str:
    why = {"stock": "the stock is empty", "turn 200": "turn 200 is over"}.get(details["why"])
    points = ", ".join(f"{player} {points}" for player, points in details["points"].items())
    wins = "wins" if len(details["winners"]) == 1 else "share the win"
    reason = why or f"{details['why']} has no points"
    return f"== The end: {reason} == {' and '.join(details['winners'])} {wins}; points: {points}"


def _card_of_rival(details: dict[str, Any]) -> str:
    return f"{details['card']} on {details['rival']}'s disc {details['disc']}"


def _defence(details: dict[str, Any]) -> str:
    parts = [f"+{details['turris']} turris"] if details["turris"] else []
    parts += [f"-{details['essedum']} essedum"] if details["essedum"] else []
    sum_of_parts = f" ({', '.join([str(details['printed']), *parts])})" if parts else ""
    return f"defence {details['defence']}{sum_of_parts}"


def _totals(details: dict[str, Any]) -> str:
    return f"{details['total']} now, stock {details['stock']}"


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
_LINES = {
    "opening": _opening,
    "draws": _draws,
    "gives": _gives,
    "exchange": _exchange,
    "lays_face_down": _lays_face_down,
    "face_up": _face_up,
    "turn": _turn,
    "pays": _pays,
    "dice": _dice,
    "throws_again": _throws_again,
    "stands": _stands,
    "lays": _lays,
    "money": _money,
    "uses": _uses,
    "refill": _refill,
    "pile_empty": _pile_empty,
    "keeps": _keeps,
    "activates": _activates,
    "copies": _copies,
    "removes": _removes,
    "sends_home": _sends_home,
    "blocks": _blocks,
    "attacks": _attacks,
    "battle": _battle,
    "adds": _adds,
    "picks_up": _picks_up,
    "stops": _stops,
    "gets": _gets,
    "due": _due,
    "takes_points": _takes_points,
    "weakens": _weakens,
    "looks": _looks,
    "takes": _takes,
    "chooses_die": _chooses_die,
    "changes": _changes,
    "ends": _ends,
    "end": _end,
}
EVENT_KINDS = tuple(_LINES)
"""Kinds of event, in the order in which they are explained here."""
