"""The compiled agents of a game that has none but `random`: what `romans_agents.loops.agent_loops` asks of them."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined


@inlined
def play(code, states, i, scratch, streams, words):
    """Do nothing: loops play `random` themselves, and such a game has no other compiled agent."""


def choose(views, code):
    """Refuse: Python asks no compiled agent of such a game."""
    raise NotImplementedError(f"the game has no compiled agent {code}")
