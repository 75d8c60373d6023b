"""A game followed step by step, for those who look at what is between two decisions.

The engine keeps no log: it runs on from a decision to the next one, and a battle, a payment and a whole throw of dice
may be between the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from romans_env.protocol import Outcome
from romans_env.roma import kernels
from romans_env.roma.material import CARDS
from romans_env.roma.state import FIRST_DECISION, PHASE_OVER, State, States

_KIND_OF = {name: kind for kind, name in enumerate(CARDS)}


class Step(NamedTuple):
    """An action or the outcome of a chance event, and what follows from it without either.

    Attributes:
        before: the record before it.
        after: the record after it, which the next step changes.
        played: the id of the action given, or of the only legal one (ROMA 2.4); of a chance event, a die's value or a
            card.
        is_chance: whether it is a chance event.
    """

    before: State
    after: State
    played: Any
    is_chance: bool


def steps(states: States, action: int, outcomes: Sequence[Outcome]) -> Iterator[Step]:
    """Play on to the next decision with two legal actions or more, or to the end of the game.

    Args:
        states: one record, shape (1,); played in place.
        action: a legal action id.
        outcomes: those of the chance events after it, in order.
    """
    left = iter(outcomes)
    before = states.copy()
    kernels.act_only(states, 0, action)
    yield Step(before[0], states[0], action, False)
    while states["phase"][0] != PHASE_OVER:
        before = states.copy()
        if states["phase"][0] < FIRST_DECISION:
            outcome = next(left, None)
            if outcome is None:
                return
            kernels.answer_only(states, 0, _KIND_OF.get(outcome, outcome))
            yield Step(before[0], states[0], outcome, True)
            continue
        forced = int(kernels.forced_action(states, 0))
        if forced < 0:
            return
        kernels.act_only(states, 0, forced)
        yield Step(before[0], states[0], forced, False)
