"""A game followed step by step, for those who look at what is between two decisions.

The engine keeps no log: it runs on from a decision to the next one, and the dice of a whole round may be between the
two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from romans_env.core.chance import number_of
from romans_env.core.compiled_rules import CompiledRules
from romans_env.core.protocol import CHANCE, GAME_OVER, Outcome, States


class Step(NamedTuple):
    """An action or the outcome of a chance event, and what follows from it without either.

    Attributes:
        before: the record before it.
        after: the record after it, which the next step changes.
        action: the parts of the name of the action given, or of the only legal one: its kind, and what it names.
        outcome: of a chance event.
        is_chance: whether it is a chance event.
        is_forced: whether the engine chose, as nothing else was legal.
    """

    before: Any
    after: Any
    action: Sequence[str]
    outcome: Outcome
    is_chance: bool
    is_forced: bool


def steps(rules: CompiledRules, states: States, action: int | None, outcomes: Sequence[Outcome]) -> Iterator[Step]:
    """Play on to the next decision with two legal actions or more, or to the end of the game.

    Args:
        rules: the game.
        states: one record, shape (1,); played in place.
        action: a legal action id; None at a chance event.
        outcomes: those of the chance events to come, in order.
    """
    compiled, left = rules.compiled, iter(outcomes)
    if action is not None:
        before = states.copy()
        compiled.choose(states, 0, action)
        yield Step(before[0], states[0], rules.action_name(action).split(":"), None, False, False)
    while (following := compiled.current_player(states, 0)) != GAME_OVER:
        before = states.copy()
        if following == CHANCE:
            outcome = next(left, None)
            if outcome is None:
                return
            compiled.answer(states, 0, number_of(rules.outcomes[int(compiled.event_of(states, 0))], outcome))
            yield Step(before[0], states[0], (), outcome, True, False)
            continue
        forced = int(compiled.only_legal_action(states, 0))
        if forced < 0:
            return
        compiled.choose(states, 0, forced)
        yield Step(before[0], states[0], rules.action_name(forced).split(":"), None, False, True)
