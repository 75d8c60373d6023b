"""The events of a game of Roma in words, one line per event, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from romans_env.core.event import Event
from romans_env.core.game import Game
from romans_env.render.wording import Sentence, Sentences, counted

Details = Mapping[str, Any]


def in_words(game: Game, events: Iterable[Event], viewer: str | None = None) -> list[str]:
    """Return a line of text for each event.

    Args:
        game: the game that the events belong to.
        events: the events to describe, in order.
        viewer: the player who reads the lines and sees only what that player may know; None shows everything.
    """
    return [_SENTENCES.line(event, viewer) for event in events]


def listed(cards: Sequence[str | None]) -> str:
    """Return the names of cards, such as ``2 forum, turris``; only the number of cards if a card is unknown."""
    if None in cards:
        return counted(len(cards), "card")
    return ", ".join(with_number(name, number) for name, number in Counter(cards).items()) or "none"


def with_number(name: str | None, number: int) -> str:
    """Return a card's name with the number of copies, such as ``forum`` for one or ``2 forum`` for two."""
    return f"{name}" if number == 1 else f"{number} {name}"


def counts_in_words(counts: Mapping[str, int]) -> list[str]:
    """Return the name of each card of a multiset with its number of copies."""
    return [with_number(card, copies) for card, copies in counts.items()]


def sestertii(number: int) -> str:
    """Return an amount of money in words."""
    return "1 sestertius" if number == 1 else f"{number} sestertii"


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
    return f"{line}, for {sestertii(details['paid'])} ({details['money']} left)"


def _reason(why: Mapping[str, int]) -> str:
    if "free" in why:
        return f"for {counted(why['free'], 'free disc')} of the rival"
    return f"die {why['die']}" + "".join(f" + {why[name]} {name}" for name in ("basilica", "templum") if why[name])


def _for_what(why: Mapping[str, int]) -> str:
    if "forum" in why:
        return f", for {counted(why['forum'], 'forum')}"
    return f", for {sestertii(why['paid'])}" if "paid" in why else ""


def _why_over(why: str) -> str:
    return {"stock": "the stock is empty", "turn 200": "turn 200 is over"}.get(why) or f"{why} has no points"


def _card_of_rival(details: Details) -> str:
    return f"{details['card']} on {details['rival']}'s disc {details['disc']}"


def _defence(details: Details) -> str:
    parts = [f"+{details['turris']} turris"] if details["turris"] else []
    parts += [f"-{details['essedum']} essedum"] if details["essedum"] else []
    sum_of_parts = f" ({', '.join([str(details['printed']), *parts])})" if parts else ""
    return f"defence {details['defence']}{sum_of_parts}"


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
    "keeps": "  {player} keeps {card:a card}{discarded:and_discards}",
    "activates": "{player} uses a {disc} to activate {card} on disc {disc}",
    "copies": "  scaenicus on disc {at} copies {card} of disc {disc}",
    "removes": "  {effect}: {card} on {rival}'s disc {disc} is discarded, and {own_card} on disc {own_disc}",
    "sends_home": "  {effect}: {card} on {rival}'s disc {disc} goes back to the hand",
    "blocks": "  {effect}: {rival}'s disc {disc}{card:? with *} is blocked in the next turn",
    "attacks": "  {effect} attacks {card} on {rival}'s disc {disc}",
    "battle": "  battle die {die} against {:defence}: {:card_of_rival} {won:fate}",
    "adds": "  centurio adds a {die}: {score} + {die} against {:defence}: {:card_of_rival} is discarded",
    "picks_up": "  {effect}: {player} picks up {card} from disc {disc}",
    "stops": "  {player} uses {effect:stopped}",
    "gets": "  {effect}: {player} gets {points:point} from the stock, {why:reason}{credited:?, * of them credited} "
    "({total} now, stock {stock})",
    "due": "  forum: {points:point} are due, {:reason}",
    "takes_points": "  {effect}: {player} takes {points:point} from {rival}{why:for_what} ({total} and {left} now)",
    "weakens": "  essedum: {rival}'s cards have {less} less defence in this turn",
    "looks": "  haruspex: {player} looks through the pile, {cards:card}, and can infer {rival}'s hidden cards",
    "takes": "  {effect}: {player} takes {card:a card} from {effect:pile}",
    "chooses_die": "  consul: {player} changes a {die}",
    "changes": "  consul: the {die} becomes a {to}",
    "ends": "{player} ends the turn and leaves {dice:numbers} unused",
    "end": "== The end: {why:why_over} == {winners:winners} {winners:wins}; points: {points:entries}",
}
EVENT_KINDS = tuple(_TABLE)
"""The kinds of events that have a sentence."""
_SENTENCES = Sentences(
    _TABLE,
    listed=listed,
    winners=" and ".join,
    numbers=_numbers,
    sestertii=sestertii,
    stopped=_STOPPED.__getitem__,
    and_discards=lambda cards: f" and discards {listed(cards)}" if cards else "",
    fate=lambda won: "is discarded" if won else "stays",
    pile=lambda effect: "the pile" if effect == "haruspex" else "the discard pile",
    card_of_rival=_card_of_rival,
    defence=_defence,
    reason=_reason,
    for_what=_for_what,
    why_over=_why_over,
)
