"""A game followed step by step, for those who look at what is between two decisions.

The engine keeps no log: it runs on from a decision to the next one, and the dice of a whole round may be between the
two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from romans_env.protocol import Outcome
from romans_env.struggle import kernels
from romans_env.struggle.chance import EVENT_DIE, NAMES_OF_EVENT
from romans_env.struggle.material import NUM_FACES
from romans_env.struggle.state import FIRST_DECISION, STAGE_OVER, State, States


class Step(NamedTuple):
    """An action or the outcome of a chance event, and what follows from it without either.

    Attributes:
        before: the record before it.
        after: the record after it, which the next step changes.
        played: the id of the action given, or of the only legal one (STRUGGLE 2.5); of a chance event, the outcome.
        is_chance: whether it is a chance event.
        is_forced: whether the engine chose, as nothing else was legal.
    """

    before: State
    after: State
    played: Any
    is_chance: bool
    is_forced: bool


def place_of(outcome: Any, event: int) -> int | None:
    """The place of an outcome among those of its kind of event, a die's value for itself; None for none of them."""
    if event == EVENT_DIE:
        return outcome if type(outcome) is int and 0 < outcome <= NUM_FACES else None
    names = NAMES_OF_EVENT[event]
    return names.index(outcome) if type(outcome) is str and outcome in names else None


def steps(states: States, action: int | None, outcomes: Sequence[Outcome]) -> Iterator[Step]:
    """Play on to the next decision with two legal actions or more, or to the end of the game.

    Args:
        states: one record, shape (1,); played in place.
        action: a legal action id; None at a chance event.
        outcomes: those of the chance events to come, in order.
    """
    left = iter(outcomes)
    if action is not None:
        before = states.copy()
        kernels.act_only(states, 0, action)
        yield Step(before[0], states[0], action, False, False)
    while states["stage"][0] != STAGE_OVER:
        before = states.copy()
        if states["stage"][0] < FIRST_DECISION:
            outcome = next(left, None)
            if outcome is None:
                return
            kernels.answer_only(states, 0, place_of(outcome, int(kernels.event_kind(states, 0))))
            yield Step(before[0], states[0], outcome, True, False)
            continue
        forced = int(kernels.forced_action(states, 0))
        if forced < 0:
            return
        kernels.act_only(states, 0, forced)
        yield Step(before[0], states[0], forced, False, True)
