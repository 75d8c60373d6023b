"""What happened, in order, for transcripts, pictures and interactive play.

An action is replayed on a copy of the game, one phase at a time, and the events are read off the record. Their kinds
are ``round``, ``action`` (secret to its clan if it names a hidden card), ``reveal``, ``wrecked``, ``totals``,
``nobody``, ``capture``, ``loses``, ``leaves``, ``pays`` and ``end``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from romans_env.core.event import Event
from romans_env.romans_go_home import state as game_state
from romans_env.romans_go_home.actions import ACTION_NAMES, TAKE
from romans_env.romans_go_home.attack import fights
from romans_env.romans_go_home.material import FORTS, NONE, STRENGTH, WARRIORS
from romans_env.romans_go_home.playback import KERNELS, phases
from romans_env.romans_go_home.setup import Table
from romans_env.romans_go_home.state import State, States


def opening_events(states: States, table: Table) -> list[Event]:
    """Return the event that shows the wall of the first round; ``states`` is STATE, shape ``(1,)``, after the deal."""
    return [_round(states[0], table)]


def events_of(before: States, table: Table, action: int) -> list[Event]:
    """Return the events caused by an action, up to the next decision.

    Args:
        before: STATE, shape ``(1,)``: the record at the decision; not modified.
        table: the table of the game.
        action: a legal action id.
    """
    states = before.copy()
    events = [_action(states, table, action)]
    for earlier, later, chosen in phases(states, action):
        events += _outcome(earlier, later, table, chosen)
    if states["phase"][0] == game_state.PHASE_GAME_OVER:
        events.append(_end(states, table))
    return events


def _action(states: States, table: Table, action: int) -> Event:
    clan = table.clans[states[0].seat]
    name = ACTION_NAMES[action]
    secret = name.startswith(("discard:", "place:", "reorder:"))
    return Event("action", {"clan": clan, "action": name}, private_to=clan if secret else None)


def _outcome(before: State, after: State, table: Table, action: int | None) -> Iterator[Event]:
    """Yield the events of one step: a played action, or a phase without one."""
    if before.phase == game_state.PHASE_REVEAL:
        yield _reveal(after, table)
        if after.wrecked:
            yield Event("wrecked", {"clans": _clans_that_revealed(after, table, "chariott")})
    elif before.phase == game_state.PHASE_CAPTURE:
        yield _totals(after, table)
        if after.captor == NONE:
            lost = (after.lost_forts - before.lost_forts).argmax()
            yield Event("nobody", {"fort": FORTS[lost], **_why_nobody(after, table)})
    elif before.captured == NONE and after.captured != NONE:
        yield Event(
            "capture",
            {
                "clan": table.clans[after.captor],
                "fort": FORTS[after.captured],
                # Only Dru'hid's choice captures by an action; otherwise it is this turn's fort (RULES 4.7).
                "slot": int(after.turn) if action is None else action - TAKE + 1,
                "turn": int(after.turn),
                "by_archr": len(_level_clans(after)) > 1,
            },
        )
    if before.phase in (game_state.PHASE_HORSIE, game_state.PHASE_SIGNAL):
        for seat, clan in enumerate(table.clans):
            for lost in (before.face_up[seat] - after.face_up[seat]).clip(0).nonzero()[0]:
                why = "horsie" if before.phase == game_state.PHASE_HORSIE else "signal"
                yield Event("loses", {"clan": clan, "warrior": WARRIORS[lost], "why": why})
    if before.phase == game_state.PHASE_UNWARY and before.captor != NONE and after.phase != game_state.PHASE_UNWARY:
        yield _leaves(before, after, table)
    if before.phase == game_state.PHASE_TAX and (before.lost_forts != after.lost_forts).any():
        paid = (after.lost_forts - before.lost_forts).argmax()
        yield Event("pays", {"clan": table.clans[after.captor], "fort": FORTS[paid]})
    if before.phase == game_state.PHASE_TURN_END and after.phase != game_state.PHASE_GAME_OVER and after.turn == 0:
        yield _round(after, table)


def _round(state: State, table: Table) -> Event:
    wall = [FORTS[fort] for fort in state.wall[: table.line_size]]
    return Event("round", {"round": int(state.round_index) + 1, "wall": wall})


def _reveal(state: State, table: Table) -> Event:
    here = state.wall[state.turn - 1]
    return Event(
        "reveal",
        {
            "turn": int(state.turn),
            "fort": FORTS[here],
            "warriors": {clan: WARRIORS[state.revealed[seat]] for seat, clan in enumerate(table.clans)},
        },
    )


def _clans_that_revealed(state: State, table: Table, warrior: str) -> list[str]:
    return [clan for seat, clan in enumerate(table.clans) if state.revealed[seat] == WARRIORS.index(warrior)]


def _totals(state: State, table: Table) -> Event:
    details: dict[str, Any] = {
        "totals": {
            clan: int(state.total[seat]) if fights(state, seat) else None for seat, clan in enumerate(table.clans)
        },
        "face_up": {clan: _warriors(state.face_up[seat]) for seat, clan in enumerate(table.clans)},
    }
    if state.charmed != NONE:
        charmed = WARRIORS[state.revealed[state.charmed]]
        details["charm"] = {
            "by": _clans_that_revealed(state, table, "qween")[0],
            "clan": table.clans[state.charmed],
            "warrior": charmed,
            "strength": int(STRENGTH[state.revealed[state.charmed]]),
        }
    return Event("totals", details)


def _warriors(counts: Any) -> list[str]:
    return [name for name, count in zip(WARRIORS, counts.tolist(), strict=True) for _ in range(count)]


def _level_clans(state: State) -> list[int]:
    """Return the fighting seats that share the highest total."""
    fighting = [seat for seat in range(state.num_clans) if fights(state, seat)]
    best = max((state.total[seat] for seat in fighting), default=NONE)
    return [seat for seat in fighting if state.total[seat] == best]


def _why_nobody(state: State, table: Table) -> dict[str, Any]:
    level = _level_clans(state)
    archrs = sum(WARRIORS[state.revealed[seat]] == "archr" for seat in level)
    return {"level": [table.clans[seat] for seat in level], "archrs": archrs}


def _leaves(before: State, after: State, table: Table) -> Event:
    captor = before.captor
    return Event(
        "leaves",
        {
            "clan": table.clans[captor],
            "gone": _warriors(before.face_up[captor] - after.face_up[captor]),
            "stay": _warriors(after.face_up[captor]),
        },
    )


def _end(states: States, table: Table) -> Event:
    return Event(
        "end",
        {
            "winners": [clan for seat, clan in enumerate(table.clans) if KERNELS.is_winner(states, 0, seat)],
            "by_legion": bool(states[0].legion_winner != NONE),
            "points": {clan: int(states[0].points[seat]) for seat, clan in enumerate(table.clans)},
        },
    )
