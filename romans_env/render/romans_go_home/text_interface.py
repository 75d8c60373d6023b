"""Romans Go Home! at a terminal: the wall, the clans, and all choices in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from romans_env.core.event import Event
from romans_env.core.game import Game
from romans_env.core.protocol import Rules
from romans_env.render.romans_go_home.card_help import CAPTURES, FORT_EFFECTS, ROUND, WARRIOR_EFFECTS, WARRIOR_NOTES
from romans_env.render.romans_go_home.cards import strength_of
from romans_env.render.romans_go_home.coach import COACH
from romans_env.render.romans_go_home.ending import ending, points_table
from romans_env.render.romans_go_home.names import fort_title, setup_in_words, warrior_title
from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES, in_words
from romans_env.render.seat_names import SeatNames
from romans_env.render.text_interface import NO_BREAK, Choice, HelpTable, Items, TextInterface, columns, page_beside
from romans_env.romans_go_home.material import COPIES, FORTS, WARRIORS

_FORT_NAMES = re.compile(rf"\b({'|'.join(FORTS)})\b")


def lines_of(game: Game, events: Sequence[Event], viewer: str | None) -> list[str]:
    """Return events as in `in_words`, without the names of actions: what follows from an action says it all."""
    lines = []
    for event in events:
        if event.kind == "round":
            lines.append(f"== Round {event.details['round']} ==")
        elif event.kind != "action":
            lines += in_words(game, [event], viewer)
    return [_FORT_NAMES.sub(lambda found: fort_title(found[0]).replace(" ", NO_BREAK), line) for line in lines]


# -- the board


def board(game: Game, viewer: str, seat_names: SeatNames) -> RenderableType:
    """Return the wall with the viewer's plan below it, and a line for each clan."""
    position = game.position(viewer)
    turn = position["turn"]
    where = "planning" if turn == 0 else f"turn {turn} of {len(position['wall'])}"
    title = Text(f"Round {position['round']}, {where}", "bold")
    own = position["clans"][viewer]
    before = _order_before(game, viewer, position)
    parts: list[RenderableType] = [title, _wall(position, own["hidden"], before), _clans(position, seat_names)]
    if own["set_aside"]:
        parts.append(Text(f"Set aside: {warrior_title(own['set_aside'])}"))
    return Group(*parts)


def _order_before(game: Game, viewer: str, position: dict[str, Any]) -> list[str]:
    """Return the viewer's hidden warriors in the order before Zvord changes it; empty for any other decision."""
    own = position["clans"][viewer]
    if not own["hand"] or not position["turn"]:
        return []
    placed: list[str] = []
    for event in game.events():
        if event.kind == "round":
            placed = []
        elif event.kind == "action" and event.details["clan"] == viewer:
            kind, _, what = event.details["action"].partition(":")
            placed += [what] if kind == "place" else []
    order, rest = placed[position["turn"] :], [*own["hidden"], *own["hand"]]
    for warrior in order:
        rest.remove(warrior)
    # The last ones were placed without a decision, as they are all of one kind.
    return order + rest if placed else []


def _wall(position: dict[str, Any], hidden: list[str], before: list[str]) -> Table:
    turn, wall = position["turn"], position["wall"]
    table = Table(box=box.ROUNDED, padding=0, pad_edge=False)
    table.add_column("slot", width=4)
    for slot in range(1, len(wall) + 1):
        here = slot == turn
        table.add_column(f">{slot}<" if here else str(slot), width=11, justify="center", style="bold" if here else "")
    forts = list(wall)
    if turn and forts[turn - 1] is None:
        forts[turn - 1] = position["this_turn"]["captured"]
    table.add_row("fort", *(_fort(fort) for fort in forts))
    for name, plan in (("now", before), ("new" if before else "plan", hidden)):
        if plan or name != "now":
            titles = [""] * turn + [warrior_title(one) if one else "" for one in plan] + [""] * len(wall)
            table.add_row(name, *titles[: len(wall)])
    return table


def _fort(name: str | None) -> Text:
    if name is None:
        return Text("-", "dim")
    return Text(fort_title(name), "red" if name.startswith("legion") else "cyan")


def _clans(position: dict[str, Any], seat_names: SeatNames) -> Table:
    table = columns("clan", "points>", "forts", "face-up", "total>", "hidden>")
    shown = position["this_turn"]
    is_counted = any(shown["totals"].values())
    for clan, cards in position["clans"].items():
        face_up = cards["face_up"]
        total = shown["totals"][clan] if is_counted else sum(map(strength_of, face_up))
        table.add_row(
            seat_names.label(clan),
            str(cards["points"]),
            Items([fort_title(name) for name in cards["forts"]]),
            Items([warrior_title(name) for name in face_up], "nobody"),
            "-" if shown["revealed"][clan] == "filchy" else str(total),
            # Warriors that Zvord is about to reorder are in the hand.
            str(len(cards["hidden"]) + (len(cards["hand"]) if position["turn"] else 0)),
        )
    return table


# -- decisions


def question(game: Game, viewer: str, seat_names: SeatNames) -> str:
    """Return the viewer's decision as a question, with the purpose of the choice."""
    position = game.position(viewer)
    kind, own = position["decision"]["kind"], position["clans"][viewer]
    if kind in ("place", "reorder"):
        return _question_of_slot(position, own, kind)
    if kind == "unwary":
        return f"Unwary fort: does {_weakest(own)} stay face-up, to count again in the next turn?"
    return {
        "discard": "Planning: which warrior do you set aside for this round?",
        "charm": "Qween: whose warrior do you charm? Its strength counts for you in this turn.",
        "take": "Dru'hid: which fort do you capture? The fort of this turn goes into its slot.",
        "axx": "Axx captured: does he stay face-up, to count again in the next turn?",
        "lose": f"{_who_calls(position, viewer)}: which face-up warrior do you discard?",
        "give_up": "Tax-collector: which fort do you give up?",
    }[str(kind)]


def _who_calls(position: dict[str, Any], viewer: str) -> str:
    """Return why the viewer loses a warrior (RULES 4.9, 5.2); both reasons, if both apply."""
    has_horsie = position["this_turn"]["revealed"][viewer] == "horsie"
    is_signal = position["this_turn"]["captured"] == "signal-4"
    reasons = ["Horsie did not capture"] * has_horsie + ["Signal fort"] * is_signal
    return " and ".join(reasons)


def _question_of_slot(position: dict[str, Any], own: dict[str, Any], kind: str) -> str:
    slot = _next_slot(position, own)
    fort = position["wall"][slot - 1]
    where = f"slot {slot}, for {fort_title(fort)}" if fort else f"slot {slot}"
    what, plan = ("Zvord, new order", "order") if kind == "reorder" else ("Planning", "plan")
    last = f" This completes the {plan}." if len(own["hand"]) == 2 else ""
    return f"{what}: who goes into {where}?{last}"


def _next_slot(position: dict[str, Any], own: dict[str, Any]) -> int:
    return int(position["turn"]) + len(own["hidden"]) + 1


def _weakest(own: dict[str, Any]) -> str:
    return warrior_title(min(own["face_up"], key=strength_of))


def choice(position: dict[str, Any], viewer: str, action: str, seat_names: SeatNames) -> Choice:
    """Return a legal action of the viewer in words."""
    kind, _, what = action.partition(":")
    own = position["clans"][viewer]
    if kind in ("discard", "place", "reorder", "lose"):
        item = warrior_title(what)
        slot = _next_slot(position, own)
        does = {"discard": "set {} aside", "place": "place {} in slot {}", "reorder": "put {} into slot {}"}
        note = WARRIOR_NOTES[what] if kind in does else ""
        return Choice(item, does.get(kind, "discard {}").format(item, slot), note=note)
    if kind == "charm":
        clans = list(position["clans"])
        charmed = clans[(clans.index(viewer) + int(what)) % len(clans)]
        item = f"{seat_names.whose(charmed)} {warrior_title(position['this_turn']['revealed'][charmed])}"
        return Choice(item, f"charm {item}")
    if kind == "take":
        fort = fort_title(position["wall"][int(what) - 1])
        return Choice(f"{fort} of slot {what}", f"capture {fort} of slot {what}")
    if kind == "give_up":
        return Choice(fort_title(what), f"give up {fort_title(what)}")
    warrior = warrior_title("axx") if kind == "axx" else _weakest(own)
    if what == "keep":
        return Choice("yes, keep face-up", f"keep {warrior} face-up")
    return Choice("no, discard", f"discard {warrior}")


def _warrior_rows() -> tuple[tuple[str, ...], ...]:
    copies = dict(zip(WARRIORS, COPIES.tolist(), strict=True))
    return tuple(
        (WARRIOR_TITLES[name], str(strength_of(name)), str(copies[name]), WARRIOR_EFFECTS[name]) for name in WARRIORS
    )


def names_in_texts(rules: Rules) -> list[str]:
    """Return the names of warriors, in both spellings, and of the kinds of forts."""
    return [*WARRIORS, *WARRIOR_TITLES.values(), *(fort.partition("-")[0] for fort in FORTS)]


TEXT_INTERFACE = TextInterface(
    aim=(
        "Most points in forts after three rounds win; three Legion forts win at once.",
        "In each turn all reveal a warrior; the highest total strength takes the fort.",
    ),
    sentence="Place six warriors face-down against six forts of Hadrian's Wall, and guess what your rival has placed.",
    minutes=10,
    setup_in_words=setup_in_words,
    help_tables=(
        HelpTable("A round", ("", ""), ROUND),
        HelpTable("Warriors of every clan", ("", "strength", "copies", "effect when revealed"), _warrior_rows()),
        HelpTable("Forts", ("", "points", "effect for the clan that captures"), FORT_EFFECTS),
        HelpTable("After a turn", ("", ""), CAPTURES),
    ),
    board=board,
    question=question,
    choice=choice,
    stops=("Turn ", "== "),
    ending=ending,
    points_table=points_table,
    coach=COACH,
    sentences=lines_of,
    rules_page=page_beside(__file__, "romans_go_home_rules.md"),
    names=names_in_texts,
)
"""The text interface of the game."""
