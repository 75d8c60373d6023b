"""Roma at a terminal: the board as text, and all questions and choices in words."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from romans_env.core.game import Game
from romans_env.render.roma.card_help import EFFECTS, NOTES, TURN
from romans_env.render.roma.cards import PLAYERS, cost_of, defence_of, is_character
from romans_env.render.roma.coach import COACH
from romans_env.render.roma.ending import ending, points_table
from romans_env.render.roma.sentences import counts_in_words, in_words, sestertii, with_number
from romans_env.render.seat_names import SeatNames
from romans_env.render.text_interface import Choice, HelpTable, Items, TextInterface, columns, page_beside
from romans_env.render.wording import counted
from romans_env.roma.material import CARDS, COST, DEFENCE, NUM_DISCS


def _kind(card: str) -> str:
    return "character" if is_character(card) else "building"


# -- the board


def board(game: Game, viewer: str, seat_names: SeatNames) -> RenderableType:
    """Return the board as text: the dice, the discs of both sides, the hands, and the discard pile."""
    position = game.position(viewer)
    rival = PLAYERS[1 - PLAYERS.index(viewer)]
    own = position["players"][viewer]
    cards = columns()
    cards.add_row("Your hand", _hand(own["hand"]))
    if own["aside"]:
        cards.add_row("Aside", _hand(own["aside"]))
    cards.add_row("Rival's hand", _hand_of_rival(position["players"][rival]))
    if position["discard"]:
        cards.add_row("Discard pile", Items(counts_in_words(position["discard"])))
    return Group(_head(position, seat_names), _discs(position, viewer, rival, seat_names), cards)


def _head(position: dict[str, Any], seat_names: SeatNames) -> Text:
    turn = position["turn"]
    text = Text(f"Turn {turn}, {seat_names.whose(PLAYERS[(turn - 1) % 2])} turn" if turn else "Opening", "bold")
    if position["dice"]:
        text.append("   dice ")
        text.append(" ".join(f"[{die}]" for die in position["dice"]), "bold yellow")
    text.append(
        f"   stock {counted(position['stock'], 'point')}   pile {counted(position['pile_size'], 'card')}", "none"
    )
    if position["essedum"]:
        text.append(f"   essedum: -{2 * position['essedum']} defence")
    return text


def _discs(position: dict[str, Any], viewer: str, rival: str, seat_names: SeatNames) -> Table:
    table = columns("disc>")
    for seat in (viewer, rival):
        table.add_column(seat_names.label(seat), min_width=34)
    table.add_row("", *(_purse(position["players"][seat]) for seat in (viewer, rival)))
    for disc in range(1, NUM_DISCS + 1):
        table.add_row(str(disc), *(_disc(position, seat, disc) for seat in (viewer, rival)))
    return table


def _purse(one: dict[str, Any]) -> Text:
    return Text(f"{counted(one['points'], 'point')}, {sestertii(one['money'])}", "bold")


def _disc(position: dict[str, Any], seat: str, disc: int) -> Text:
    one = position["players"][seat]
    card = one["discs"][disc - 1]
    blocked = ", blocked" if disc in one["blocked"] else ""
    if disc in one["face_down"]:
        return Text(f"{card or '?'}, face-down")
    if card is None:
        return Text(f"-{blocked}", "dim")
    kind, defence = _kind(card), defence_of(position, PLAYERS.index(seat), disc)
    return Text(f"{card}, {kind}, defence {defence}{blocked}", "cyan" if kind == "building" else "")


def _hand(counts: dict[str, int]) -> Items:
    return Items([f"{with_number(card, copies)} (costs {cost_of(card)})" for card, copies in counts.items()])


def _hand_of_rival(one: dict[str, Any]) -> str:
    text = counted(one["hand_size"], "card")
    return f"{text}; hidden cards that you know: {', '.join(counts_in_words(one['known']))}" if one["known"] else text


# -- decisions

_QUESTIONS = {
    "give": "Which card do you put aside for your rival? Each gives two.",
    "triple": "Three equal dice: do you throw them again?",
    "main": "What do you do?",
    "keep": "Which of the cards drawn do you keep?",
    "take": "Which card do you take into your hand?",
    "sign": "Which way do you change it?",
    "buy": "How many points do you buy, for 2 sestertii each?",
}


def question(game: Game, viewer: str, seat_names: SeatNames) -> str:
    """Return the viewer's decision as a question, with the card whose effect asks for it."""
    position = game.position(viewer)
    decision = position["decision"]
    kind, effect = decision["kind"], decision["effect"]
    if kind == "lay" and effect is None:
        return "Opening: which card do you lay face-down where? It costs nothing."
    asked = _QUESTIONS.get(kind) or _question_of_effect(kind, effect, decision["value"])
    if any(game.action_name(action).startswith("lay:") for action in game.legal_actions()):
        asked += " (A card that is laid on a disc with * takes the place of another.)"
    return f"{effect} on disc {decision['disc']}: {asked}" if effect else asked


def _question_of_effect(kind: str, effect: str, value: int | None) -> str:
    if kind == "lay":
        return "which card do you lay where, free?"
    if kind == "own":
        return "which character does what it does here?" if effect == "scaenicus" else "which card do you pick up?"
    if kind == "rival":
        return "which disc do you block?" if effect == "praetorianus" else "which opposing card?"
    return {
        "centurio": f"the battle die is {value}; do you add a die?",
        "templum": f"{value} points are due; do you use one more die for points?",
        "consul": "which die do you change?",
    }.get(effect, "which die do you use for points?")


def choice(position: dict[str, Any], viewer: str, name: str, seat_names: SeatNames) -> Choice:
    """Return a legal action of the viewer in words."""
    kind, _, what = name.partition(":")
    if kind == "lay":
        return _choice_of_lay(position, viewer, *what.split(":"))
    if kind in ("own", "rival"):
        return _choice_of_disc(position, viewer, kind, int(what))
    if kind in _ON_A_CARD:
        item = f"{what} ({_kind(what)}, costs {cost_of(what)})"
        return Choice(item, _ON_A_CARD[kind].format(what), note=NOTES[what])
    if kind == "stop" and position["decision"]["kind"] == "die":
        return Choice("no die", "use no die", is_way_out=True)
    if kind in _PLAIN:
        return Choice(_PLAIN[kind], _PLAIN[kind], is_way_out=kind in ("end", "stop"))
    if kind == "activate":
        card = position["players"][viewer]["discs"][int(what) - 1]
        return Choice(f"disc {what}, {card}", f"activate {card} on disc {what}", "activate", note=NOTES[card])
    if kind == "die":
        does = "change" if position["decision"]["effect"] == "consul" else "use"
        return Choice(f"the {what}", f"{does} the {what}")
    if kind == "money":
        return Choice(f"die {what}", f"use the {what} for sestertii", "take sestertii")
    if kind == "cards":
        return Choice(f"die {what}", f"use the {what} to draw {counted(int(what), 'card')}", "draw cards, keep one")
    if kind == "buy":
        return Choice(what, f"buy {counted(int(what), 'point')}")
    value = int(position["decision"]["value"]) + (1 if kind == "plus" else -1)
    return Choice(f"make it a {value}", f"make it a {value}")


_ON_A_CARD = {"give": "give {} to the rival", "keep": "keep {}", "take": "take {}"}
_PLAIN = {
    "throw": "throw the three dice again",
    "stand": "keep the three equal dice",
    "end": "end the turn",
    "stop": "no more",
}


def _choice_of_lay(position: dict[str, Any], viewer: str, card: str, disc: str) -> Choice:
    covered = position["players"][viewer]["discs"][int(disc) - 1]
    paid = f", {cost_of(card)} sestertii" if position["decision"]["kind"] == "main" else ""
    over = f", over {covered}" if covered else ""
    return Choice(
        f"disc {disc}{'*' if covered else ''}",
        f"lay {card} on disc {disc}{over}",
        f"lay {card}{paid}",
        note=NOTES[card],
    )


def _choice_of_disc(position: dict[str, Any], viewer: str, kind: str, disc: int) -> Choice:
    effect = position["decision"]["effect"]
    seat = viewer if kind == "own" else PLAYERS[1 - PLAYERS.index(viewer)]
    does = {
        ("own", "scaenicus"): "copy",
        ("rival", "praetorianus"): "block",
        ("rival", "gladiator"): "send home",
        ("rival", "sicarius"): "discard",
        ("rival", "nero"): "discard",
    }.get((kind, effect), "pick up" if kind == "own" else "attack")
    card = position["players"][seat]["discs"][disc - 1]
    item = f"disc {disc}, {card}" if card else f"disc {disc}"
    if does == "attack":
        item += f", defence {defence_of(position, PLAYERS.index(seat), disc)}"
    return Choice(item, f"{does} {card} on disc {disc}" if card else f"{does} disc {disc}")


def _help_rows(kind: str) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (card, str(cost), str(defence), EFFECTS[card])
        for card, cost, defence in zip(CARDS, COST.tolist(), DEFENCE.tolist(), strict=True)
        if _kind(card) == kind
    )


TEXT_INTERFACE = TextInterface(
    aim=(
        "Have more points than your rival when the stock is empty or one side has none.",
        "Each die of your turn brings money, cards, or the effect of a card of yours.",
    ),
    sentence="Three dice a turn buy cards and set them off: fill your six discs, and empty those of your rival.",
    minutes=20,
    help_tables=(
        HelpTable("A turn", ("", ""), TURN),
        HelpTable("Characters", ("", "cost", "defence", "effect"), _help_rows("character")),
        HelpTable("Buildings", ("", "cost", "defence", "effect"), _help_rows("building")),
    ),
    board=board,
    question=question,
    choice=choice,
    ending=ending,
    points_table=points_table,
    coach=COACH,
    sentences=in_words,
    rules_page=page_beside(__file__, "roma_rules.md"),
    names=lambda rules: CARDS,
)
"""The text interface of Roma."""
