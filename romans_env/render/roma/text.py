"""A position of Roma as text: the common table, the discs side by side, the hands and the pending decision."""

from __future__ import annotations

from typing import Any

from romans_env.render.roma.cards import PLAYERS, defence_of
from romans_env.render.roma.drawing import turn_in_words
from romans_env.render.roma.questions import QUESTIONS, about
from romans_env.render.roma.sentences import counts_in_words, in_words
from romans_env.render.wording import Wording, decision_line

_COLUMN = 26


def position_lines(position: dict[str, Any], viewer: str | None = None) -> list[str]:
    """Return the position as lines: the table, a line for each pair of discs, the hands, and the decision to be made.

    Each card is followed by its defence. The viewer's discs are at the right; for the full state, ``player_0``'s are.
    """
    left, right = PLAYERS[::-1] if viewer != "player_1" else PLAYERS
    players = [position["players"][player] for player in (left, right)]
    return [
        f"{turn_in_words(position)}{_dice(position)}, stock {position['stock']}, pile {position['pile_size']}",
        f"  discard pile: {_counts(position['discard'])}",
        _row("disc", left, right),
        _row("", *(f"{one['points']} points, {one['money']} sestertii" for one in players)),
        *(_row(f"  {disc}", _disc(position, left, disc), _disc(position, right, disc)) for disc in range(1, 7)),
        *map(_hand, (left, right), players),
        decision_line(position["decision"], QUESTIONS, about),
    ]


def _dice(position: dict[str, Any]) -> str:
    dice = f", dice {' '.join(map(str, position['dice']))}" if position["dice"] else ""
    return dice + (f", essedum: defence -{2 * position['essedum']}" if position["essedum"] else "")


def _row(head: str, left: str, right: str) -> str:
    return f"  {head:<6}{left:<{_COLUMN}}{right}".rstrip()


def _disc(position: dict[str, Any], player: str, disc: int) -> str:
    one = position["players"][player]
    card = one["discs"][disc - 1]
    if disc in one["face_down"]:
        return f"{card or '?'} face-down"
    shown = "-" if card is None else f"{card} {defence_of(position, PLAYERS.index(player), disc)}"
    return f"{shown}, blocked" if disc in one["blocked"] else shown


def _hand(player: str, one: dict[str, Any]) -> str:
    cards = _counts(one["hand"]) if one["hand"] is not None else "hidden" if one["hand_size"] else "none"
    line = f"  {player} hand ({one['hand_size']}): {cards}"
    if one["known"]:
        line += f"; known to the rival: {_counts(one['known'])}"
    if one["aside"] is None:
        line += "; hidden cards aside"
    elif one["aside"]:
        line += f"; aside: {_counts(one['aside'])}"
    return line


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(counts_in_words(counts)) or "none"


WORDING = Wording(in_words, position_lines, turn_starts=("opening", "turn"))
render_text, transcript = WORDING.text, WORDING.transcript
