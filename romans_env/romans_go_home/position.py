"""The position of a game as plain data, with names in place of numbers."""

from __future__ import annotations

from typing import Any

from romans_env.romans_go_home.actions import KIND_OF_PHASE
from romans_env.romans_go_home.knowledge import hand_size
from romans_env.romans_go_home.material import FORTS, NONE, WARRIORS
from romans_env.romans_go_home.setup import Table
from romans_env.romans_go_home.state import PHASE_GAME_OVER, State


def position_of(state: State, table: Table) -> dict[str, Any]:
    """Return a record as JSON-able data; what is redacted is None.

    Returns:
        ``round`` (1-3), ``turn`` (0 while planning, then 1-6), ``wall`` (6 names or None), ``decision`` (``agent`` and
        ``kind``, or None at the end) and ``clans``. A small table has fewer rounds, turns and slots. ``clans`` holds
        for each clan, among others, all warriors it has ``shown`` this round, discarded ones included. ``this_turn``
        holds for each clan the warrior ``revealed`` and its total (``totals``), the clan whose warrior is ``charmed``,
        the ``captor``, the fort ``captured``, and whether the captor's Axx stays (``axx_stays``, RULES 4.8).
        ``lost_forts`` are the forts discarded from the game.
    """
    decision = None
    if state.phase != PHASE_GAME_OVER:
        decision = {"agent": table.clans[state.seat], "kind": KIND_OF_PHASE[int(state.phase)]}
    return {
        "round": int(state.round_index) + 1,
        "turn": int(state.turn),
        "wall": [_name(FORTS, fort) for fort in state.wall[: table.line_size]],
        "decision": decision,
        "clans": {clan: _clan(state, seat) for seat, clan in enumerate(table.clans)},
        "this_turn": {
            "revealed": {clan: _name(WARRIORS, state.revealed[seat]) for seat, clan in enumerate(table.clans)},
            "charmed": _name(table.clans, state.charmed),
            "totals": {clan: int(state.total[seat]) for seat, clan in enumerate(table.clans)},
            "captor": _name(table.clans, state.captor),
            "captured": _name(FORTS, state.captured),
            "axx_stays": bool(state.axx_stays),
        },
        "lost_forts": _counted(FORTS, state.lost_forts),
    }


def _clan(state: State, seat: int) -> dict[str, Any]:
    hand: list[str | None] = list(_counted(WARRIORS, state.hand[seat]))
    hand += [None] * (hand_size(state, seat) - len(hand))
    return {
        "hand": hand,
        "hidden": [_name(WARRIORS, card) for card in state.line[seat, state.turn :] if card != NONE],
        "face_up": _counted(WARRIORS, state.face_up[seat]),
        "shown": _counted(WARRIORS, state.shown[seat]),
        "set_aside": _name(WARRIORS, state.set_aside[state.round_index, seat]),
        "forts": _counted(FORTS, state.forts[seat]),
        "points": int(state.points[seat]),
    }


def _name(names: tuple[str, ...], index: int) -> str | None:
    return names[index] if index >= 0 else None


def _counted(names: tuple[str, ...], counts: Any) -> list[str]:
    return sorted(name for name, count in zip(names, counts.tolist(), strict=True) for _ in range(count))
