"""Playback of a game phase by phase, to show what happens between two decisions.

The engine keeps no log: it runs on from one decision to the next, and several turns may lie between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from romans_env.compiling.decorators import cached_jit
from romans_env.compiling.templates import bound
from romans_env.engine import one_game
from romans_env.engine.state_fields import Records
from romans_env.romans_go_home import planning, step
from romans_env.romans_go_home.actions import holds_several, lowest
from romans_env.romans_go_home.game_flow import play_phase
from romans_env.romans_go_home.state import PHASE_GAME_OVER, State, States

KERNELS = bound(one_game, game=step)


@cached_jit
def next_phase(states: Records[State], i):
    """Play one phase of ``states[i]``; return the legal actions as bits if it stops at a decision, else 0."""
    return play_phase(states[i])


@cached_jit
def lay_wall(states: Records[State], i):
    """Lay the wall of ``states[i]`` from the forts of its round in drawing order; used to enumerate possible deals."""
    planning.lay_wall(states[i])


def phases(states: States, action: int | None) -> Iterator[tuple[State, State, int | None]]:
    """Play on, one step at a time, to the next decision with two or more legal actions, or to the end of the game.

    A step is an action, or a phase up to its decision.

    Args:
        states: STATE, shape ``(1,)``; played in place, and left at the step at which iteration stops.
        action: the legal action id to begin with; None if the record is at the start of a phase.

    Yields:
        The record before the step; the record after it (``states[0]``, which the next step modifies); and the action,
        either the given one or the only legal one of a forced decision, None for a phase.
    """
    chosen, legal = action, 0
    while not holds_several(legal) and states["phase"][0] != PHASE_GAME_OVER:
        before = states.copy()
        if chosen is None:
            legal = int(next_phase(states, 0))
        else:
            KERNELS.choose(states, 0, chosen)
            legal = 0
        yield before[0], states[0], chosen
        chosen = int(lowest(legal)) if legal else None
