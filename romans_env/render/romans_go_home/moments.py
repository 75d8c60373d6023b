"""A game moment by moment: its decisions, and what is to be seen between them.

A game is followed phase by phase, and stopped wherever something new is on the table.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from romans_env.event import Event
from romans_env.game import Game
from romans_env.protocol import Outcome, Rules, States
from romans_env.romans_go_home.material import NONE
from romans_env.romans_go_home.playback import phases
from romans_env.romans_go_home.state import PHASE_CAPTURE, PHASE_GAME_OVER, PHASE_REVEAL, PHASE_TURN_END

_SECRET = ("discard", "place", "reorder")


@dataclass(frozen=True)
class Moment:
    """A moment of a game.

    Attributes:
        game: as it stands, to be looked at; it has no past, and between decisions nobody is to act.
        events: what has happened since the moment before.
        action: how many actions were before it, where the game waits for the next one or is over; else None.
    """

    game: Game
    events: tuple[Event, ...]
    action: int | None

    def is_kept_from(self, viewer: str) -> bool:
        """Return whether somebody else decides in secret: how often that is asked reveals its cards (RULES 4.14)."""
        decision = self.game.position()["decision"]
        return decision is not None and decision["agent"] != viewer and decision["kind"] in _SECRET


def moments_of(game: Game) -> Iterator[Moment]:
    """Yield every moment of a game, from its deal to where it stands.

    Raises:
        ValueError: for a determinization, which has no past.
    """
    rules = game.rules
    states = rules.new_states(1)
    outcomes = game.outcomes
    opening = tuple(rules.opening_events(states, 0, outcomes))
    rules.act_chance(states, 0, outcomes[0])
    yield Moment(Game.of_states(rules, states.copy()), opening, 0)
    for number, (_, name) in enumerate(game.actions, 1):
        yield from _moments_after(rules, states, rules.action_id(name), number)


def looks_after(
    rules: Rules, states: States, action: int, outcomes: Sequence[Outcome] = ()
) -> Iterator[tuple[States, Sequence[Event]]]:
    """Yield the records of the moments from an action to the next decision, each with what has happened since the last.

    They are for looking alone: which actions are legal is not noted in them.

    Args:
        rules: the rules of the game.
        states: the game's record, shape (1,), in which the action is legal; it is left as it is.
        action: an action id.
        outcomes: none, as all chance is in the deal.
    """
    for moment in _moments_after(rules, states.copy(), action, 0):
        yield moment.game.states, moment.events


def _moments_after(rules: Rules, states: States, action: int, number: int) -> Iterator[Moment]:
    """Yield the moments from an action to the next decision; plays on in ``states``."""
    events = deque(rules.events(states, 0, action))
    for look in _looks(states, action):
        shown = tuple(_shown_at(look, events))
        if shown:
            yield Moment(_with_nobody_to_act(rules, states), shown, None)
    yield Moment(Game.of_states(rules, states.copy()), tuple(events), number)


def _looks(states: States, action: int) -> Iterator[str]:
    """Play on to the next decision, and stop after a reveal, when a fort's fate is known, and at a turn's end."""
    for before, after, _ in phases(states, action):
        if before.phase == PHASE_REVEAL:
            yield "reveal"
        if _is_decided(before, after):
            yield "fate"
        if after.phase == PHASE_TURN_END:
            yield "turn"


def _is_decided(before: Any, after: Any) -> bool:
    """Return whether a step has shown who captures what: Dru'hid's fort is known when he has chosen it."""
    nobody = before.phase == PHASE_CAPTURE and after.captor == NONE
    return nobody or (before.captured == NONE and after.captured != NONE)


def _shown_at(look: str, events: deque[Event]) -> Iterator[Event]:
    """Take the events that belong to a look off the queue."""
    last = {"reveal": ("reveal",), "fate": ("capture", "nobody"), "turn": ()}[look]
    while events and not (look == "turn" and events[0].kind in ("reveal", "round", "end")):
        event = events.popleft()
        yield event
        if event.kind in last:
            break
    if look == "reveal" and events and events[0].kind == "wrecked":
        yield events.popleft()


def _with_nobody_to_act(rules: Rules, states: States) -> Game:
    """Return the table between two decisions, as a game in which nobody decides."""
    states = states.copy()
    states["phase"] = PHASE_GAME_OVER
    return Game.of_states(rules, states)
