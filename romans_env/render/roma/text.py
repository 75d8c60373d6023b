"""A position as text: the table, the discs side by side, the hands, and what happened last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from romans_env.event import Event
from romans_env.game import Game
from romans_env.render.roma.drawing import defence_of, turn_in_words
from romans_env.render.roma.questions import QUESTIONS, about
from romans_env.render.roma.words import in_words, with_number
from romans_env.render.wording import Wording, decision_line

_PLAYERS = ("player_0", "player_1")
_COLUMN = 26


def lines_of(game: Game, events: Sequence[Event], viewer: str | None) -> list[str]:
    """Return the lines of some events."""
    return in_words(events, viewer)


def position_lines(position: dict[str, Any], viewer: str | None = None) -> list[str]:
    """Return the table, a line for each pair of discs, the hands, and who must decide what.

    A card is followed by its defence. The viewer's discs are at the right, player_0's where the full state is shown.
    """
    left, right = _PLAYERS[::-1] if viewer != "player_1" else _PLAYERS
    players = [position["players"][player] for player in (left, right)]
    lines = [
        f"{turn_in_words(position)}{_dice(position)}, stock {position['stock']}, pile {position['pile_size']}",
        f"  discard pile: {_counts(position['discard'])}",
        _row("disc", left, right),
        _row("", *(f"{one['points']} points, {one['money']} sestertii" for one in players)),
        *(_row(f"  {disc}", _disc(position, left, disc), _disc(position, right, disc)) for disc in range(1, 7)),
    ]
    for player in (left, right):
        lines.append(_hand(player, position["players"][player]))
    return [*lines, decision_line(position["decision"], QUESTIONS, about)]


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
    shown = "-" if card is None else f"{card} {defence_of(position, _PLAYERS.index(player), disc)}"
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
    return ", ".join(with_number(card, copies) for card, copies in counts.items()) or "none"


WORDING = Wording(lines_of, position_lines, turn_starts=("opening", "turn"))
render_text, transcript = WORDING.text, WORDING.transcript
