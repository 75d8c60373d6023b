"""The position of a game as plain data (ROMA 10), with names in place of numbers."""

from __future__ import annotations

from typing import Any

from romans_env.roma import material
from romans_env.roma.knowledge import is_aside_open, is_pile_known
from romans_env.roma.state import DECISION_KINDS, FIRST_DECISION, PHASE_DIE, PHASE_LAY, PHASE_OVER, PHASE_SIGN, State


def position_of(state: State) -> dict[str, Any]:
    """Return a record as JSON-able data with the keys of ROMA 10.1; what is redacted is None (10.3)."""
    viewer = int(state.viewer)
    return {
        "turn": int(state.turn),
        "stock": int(state.stock),
        "essedum": int(state.essedum),
        "dice": [face + 1 for face in range(material.NUM_FACES) for _ in range(int(state.dice[face]))],
        "pile": _counts(state.pile) if viewer == material.NONE or is_pile_known(state, viewer) else None,
        "pile_size": int(state.pile_size),
        "discard": _counts(state.discard),
        "decision": _decision(state),
        "players": {f"player_{seat}": _player(state, seat) for seat in range(material.NUM_SEATS)},
    }


def decision_kind(phase: int) -> str | None:
    """Return the kind of decision of a phase (ROMA 8.1); None for a phase without one."""
    return DECISION_KINDS[phase - FIRST_DECISION] if FIRST_DECISION <= phase < PHASE_OVER else None


def _decision(state: State) -> dict[str, Any] | None:
    kind = decision_kind(int(state.phase))
    if kind is None:
        return None
    return {
        "agent": f"player_{state.seat}",
        "kind": kind,
        "effect": _name(state.effect),
        "disc": None if state.disc == material.NONE else int(state.disc) + 1,
        "value": int(state.value) if _has_value(state) else None,
    }


def _has_value(state: State) -> bool:
    """Return whether the decision has a value (ROMA 10.2)."""
    if state.phase == PHASE_LAY:
        return state.effect in (material.ARCHITECTUS, material.SENATOR)
    if state.phase == PHASE_DIE:
        return state.effect in (material.CENTURIO, material.TEMPLUM)
    return bool(state.phase == PHASE_SIGN)


def _player(state: State, seat: int) -> dict[str, Any]:
    is_hidden = state.viewer == 1 - seat
    hides_aside = is_hidden and state.aside_size[seat] > 0 and not is_aside_open(state)
    discs = state.discs[seat]
    return {
        "points": int(state.points[seat]),
        "money": int(state.money[seat]),
        "hand": None if is_hidden else _counts(state.hand[seat]),
        "hand_size": int(state.hand_size[seat]),
        "aside": None if hides_aside else _counts(state.aside[seat]),
        "known": _counts(state.known[seat]),
        "discs": [_name(card) for card in discs],
        "face_down": [
            disc + 1 for disc in range(material.NUM_DISCS) if state.turn == 0 and discs[disc] != material.NONE
        ],
        "blocked": [disc + 1 for disc in range(material.NUM_DISCS) if state.blocked[seat, disc]],
    }


def _name(card: int) -> str | None:
    return material.CARDS[card] if card >= 0 else None


def _counts(counts: Any) -> dict[str, int]:
    return {name: count for name, count in zip(material.CARDS, counts.tolist(), strict=True) if count}
