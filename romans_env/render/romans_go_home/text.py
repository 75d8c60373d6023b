"""A position as text: the wall, the clans, and what happened last."""

from __future__ import annotations

from typing import Any

from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES, in_words
from romans_env.render.wording import Wording


def position_lines(position: dict[str, Any], viewer: str | None = None) -> list[str]:
    """Return the wall, the lines of each clan, and the decision to be made; the viewer is not named."""
    turn = position["turn"]
    where = "planning" if turn == 0 else f"turn {turn}"
    cells = []
    for slot, fort in enumerate(position["wall"], 1):
        mark = "*" if slot == turn else " "
        cells.append(f"{mark}{slot} {fort or '-':<9}")
    lines = [f"Round {position['round']}, {where}", "  wall " + "|".join(cells)]
    for clan, cards in position["clans"].items():
        lines += _clan_lines(clan, cards, position["this_turn"])
    decision = position["decision"]
    lines.append(f"  {decision['agent']} decides: {decision['kind']}" if decision else "  the game is over")
    return lines


def _clan_lines(clan: str, cards: dict[str, Any], this_turn: dict[str, Any]) -> list[str]:
    head = f"  {clan:<10}{cards['points']:>3} points  {' '.join(cards['forts']) or 'no forts'}"
    face_up = " ".join(WARRIOR_TITLES[name] for name in cards["face_up"]) or "nobody"
    row = f"{'':<12}face-up {face_up}; hidden {_hidden(cards['hidden'])}"
    if cards["hand"]:
        row += f"; hand {_hidden(cards['hand'])}"
    if cards["set_aside"]:
        row += f"; set aside {WARRIOR_TITLES[cards['set_aside']]}"
    lines = [head, row]
    if warrior := this_turn["revealed"][clan]:
        lines.append(f"{'':<12}revealed {WARRIOR_TITLES[warrior]}, total {this_turn['totals'][clan]}")
    return lines


def _hidden(cards: list[str | None]) -> str:
    return " ".join("?" if card is None else WARRIOR_TITLES[card] for card in cards) or "-"


WORDING = Wording(in_words, position_lines, turn_starts=("round", "reveal"))
render_text, transcript = WORDING.text, WORDING.transcript
