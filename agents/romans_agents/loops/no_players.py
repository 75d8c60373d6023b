"""Placeholder for the compiled agents (`romans_env.core.parts.Players`) of a game whose only one is `random`."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined


@inlined
def play(code, states, i, scratch, streams, words):
    """Do nothing; never called, because the loops play `random` themselves."""


def choose(views, code):
    """Raise NotImplementedError, because the game has no compiled agent that could choose."""
    raise NotImplementedError(f"the game has no compiled agent {code}")
