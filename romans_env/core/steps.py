"""Plays a game in single steps, to show what happens between two decisions.

The engine keeps no log of what it plays from one decision to the next, which may be the dice of a whole round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from romans_env.core.chance import number_of
from romans_env.core.compiled_rules import CompiledRules
from romans_env.core.protocol import CHANCE, GAME_OVER, Outcome, States


class Step(NamedTuple):
    """An action or a chance event, with its immediate consequences.

    Attributes:
        before: the record before the step.
        after: the record after the step; the next step changes it.
        action: the parts of the action's name, kind and choice; empty for a chance event.
        outcome: the outcome of a chance event; None for an action.
        is_chance: whether the step is a chance event.
        is_forced: whether the step is a forced action, which the engine plays as the only legal one.
    """

    before: Any
    after: Any
    action: Sequence[str]
    outcome: Outcome
    is_chance: bool
    is_forced: bool


def steps(rules: CompiledRules, states: States, action: int | None, outcomes: Sequence[Outcome]) -> Iterator[Step]:
    """Play to the next decision with at least two legal actions, or to the end, and yield each step.

    Args:
        rules: the game with its setup.
        states: the game's record, shape ``(1,)``; played in place.
        action: the id of a legal action to play first; None at a chance event.
        outcomes: the outcomes of the next chance events, in order; if they are used up, the iteration ends.
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
