"""The moments between two decisions that are worth showing.

A game is followed phase by phase, and stopped whenever something new is on the table.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from romans_env.core.event import Event
from romans_env.core.protocol import Outcome, Rules, States
from romans_env.romans_go_home.material import NONE
from romans_env.romans_go_home.playback import phases
from romans_env.romans_go_home.state import PHASE_CAPTURE, PHASE_GAME_OVER, PHASE_REVEAL, PHASE_TURN_END


def moments_after(
    rules: Rules, states: States, action: int, outcomes: Sequence[Outcome] = ()
) -> Iterator[tuple[States, Sequence[Event]]]:
    """Yield the records of the moments from an action to the next decision, each with the events since the last one.

    All records but the last are for showing only: they have no legal actions.

    Args:
        rules: the rules of the game.
        states: STATE, shape ``(1,)``: the game's record, in which the action is legal; not modified.
        action: an action id.
        outcomes: ignored, as all chance is in the deal.
    """
    states = states.copy()
    events = deque(rules.events(states, 0, action))
    for stop in _stops(states, action):
        if shown := tuple(_events_up_to(stop, events)):
            between = states.copy()
            # No seat is to act at this moment.
            between["phase"] = PHASE_GAME_OVER
            yield between, shown
    yield states, tuple(events)


def _stops(states: States, action: int) -> Iterator[str]:
    """Play on to the next decision, stopping after a reveal, after a fort's fate is known, and at the end of a turn."""
    for before, after, _ in phases(states, action):
        if before.phase == PHASE_REVEAL:
            yield "reveal"
        if _is_decided(before, after):
            yield "fate"
        if after.phase == PHASE_TURN_END:
            yield "turn"


def _is_decided(before: Any, after: Any) -> bool:
    """Return whether a step has decided who captures which fort; with Dru'hid, only his choice does."""
    nobody = before.phase == PHASE_CAPTURE and after.captor == NONE
    return nobody or (before.captured == NONE and after.captured != NONE)


def _events_up_to(stop: str, events: deque[Event]) -> Iterator[Event]:
    """Yield the events that belong to a stop, removing them from the queue."""
    last = {"reveal": ("reveal",), "fate": ("capture", "nobody"), "turn": ()}[stop]
    while events and not (stop == "turn" and events[0].kind in ("reveal", "round", "end")):
        event = events.popleft()
        yield event
        if event.kind in last:
            break
    if stop == "reveal" and events and events[0].kind == "wrecked":
        yield events.popleft()
