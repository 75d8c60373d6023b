"""The position of a game as plain data (STRUGGLE 9.1), with names in place of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from romans_env.struggle import material
from romans_env.struggle.actions import OFFER
from romans_env.struggle.board import Board
from romans_env.struggle.state import DECISION_KINDS, FIRST_DECISION, STAGE_FARE, STAGE_OVER, State

_SUPPLIES = (*material.TRIBES, "wagon")


def position_of(state: State, board: Board, action_names: Sequence[str]) -> dict[str, Any]:
    """Return a record as JSON-able data with the keys of STRUGGLE 9.1; what is redacted is None (9.3).

    Args:
        state: the record.
        board: the board of the setup.
        action_names: the names of all actions on that board, by id.
    """
    markers = int(state.markers)
    # Whole arrays are converted at once: reading a single element of a record's array takes microseconds.
    of_cities = zip(board.cities, state.owner.tolist(), state.has_counter.tolist(), state.tribe.tolist(), strict=False)
    return {
        "round": int(state.round_number),
        "phase": int(state.phase),
        "first": _player(state.first),
        "active": _player(state.active),
        "markers": [number for number in range(material.SUMS) if markers >> number & 1],
        "legion": int(state.legion),
        "final": bool(state.final),
        "bank": _counts(material.RESOURCES[: material.NUM_BANK], state.bank),
        "pasture_pile": _counts(material.RESOURCES[material.NUM_BANK :], state.pile),
        "pasture_discard": _counts(material.RESOURCES[material.NUM_BANK :], state.discard),
        "development_pile": _counts(material.DEVELOPMENT, state.deck) if state.viewer == material.NONE else None,
        "development_size": int(state.deck_size),
        "counters": {
            name: _counts(material.COUNTERS, state.counters[colour]) for colour, name in enumerate(material.PROVINCES)
        },
        "cities": {city.name: _city(*of_city) for city, *of_city in of_cities},
        "diplomacy": _player(state.diplomacy),
        "moved": bool(state.moved),
        "card_played": bool(state.card_played),
        "offers": int(state.offers),
        "decision": _decision(state, action_names),
        "players": {f"player_{seat}": _seat(state, seat) for seat in range(int(state.num_players))},
    }


def decision_kind(stage: int) -> str | None:
    """Return the kind of decision of a stage (STRUGGLE 8.1); None for a stage without one."""
    return DECISION_KINDS[stage - FIRST_DECISION] if FIRST_DECISION <= stage < STAGE_OVER else None


def _decision(state: State, action_names: Sequence[str]) -> dict[str, Any] | None:
    kind = decision_kind(int(state.stage))
    if kind is None:
        return None
    return {
        "agent": _player(state.seat),
        "kind": kind,
        "offer": None if state.offer == material.NONE else action_names[int(OFFER) + int(state.offer)],
        "target": int(state.target) if state.stage == STAGE_FARE else None,
    }


def _city(owner: int, has_counter: int, tribe: int) -> dict[str, Any]:
    return {
        "counter": bool(has_counter),
        "owner": "neutral" if owner == material.NEUTRAL else _player(owner),
        "tribe": None if tribe == material.NONE else material.TRIBES[tribe],
    }


def _seat(state: State, seat: int) -> dict[str, Any]:
    is_hidden = state.viewer not in (material.NONE, seat)
    return {
        "gold": int(state.gold[seat]),
        "points": int(state.points[seat]),
        "hand": _counts(material.RESOURCES, state.hand[seat]),
        "development": None if is_hidden else _counts(material.DEVELOPMENT, state.development[seat]),
        "development_size": int(state.development_size[seat]),
        "played": _counts(material.DEVELOPMENT, state.played[seat]),
        "substituted": bool(state.substituted[seat]),
        "reserve": {name: int(count) for name, count in zip(_SUPPLIES, state.reserve[seat], strict=True)},
        "tribes": {name: _tribe(state, seat, tribe) for tribe, name in enumerate(material.TRIBES)},
    }


def _tribe(state: State, seat: int, tribe: int) -> dict[str, Any]:
    return {
        "at": int(state.at[seat, tribe]),
        "kingdom": bool(state.kingdom[seat, tribe]),
        "army": int(state.army[seat, tribe]),
        "wagons": int(state.wagons[seat, tribe]),
        "counters": _counts(material.PROVINCES, state.box[seat, tribe]),
    }


def _player(seat: int) -> str | None:
    return None if seat < 0 else f"player_{seat}"


def _counts(names: Sequence[str], counts: Any) -> dict[str, int]:
    return {name: count for name, count in zip(names, counts.tolist(), strict=True) if count}
