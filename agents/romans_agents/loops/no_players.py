"""The compiled agents of a game that has none but `random`: what `romans_agents.loops.game_loops` asks of them."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined

FIRST_PLANNING = 127
"""No agent evaluates plans apart from the loops."""


@inlined
def waits(states, i):
    return False


@inlined
def play(code, states, i, scratch, streams, words):
    """No code is another's than `random`."""
