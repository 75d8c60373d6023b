"""The choices of scripted agents in many games at once: what `imitate` learns from."""

from __future__ import annotations

import numpy as np

from romans_agents.struggle.tactics import scripted_action
from romans_env.engine.compiled import cached_jit
from romans_env.struggle.knowledge import hide


@cached_jit(nogil=True)
def choose_each(states, games, weights, actions):
    """Write the scripted agent's action in each of the games, from the private view of the seat to act.

    Args:
        states: records, each at a decision.
        games: their numbers: int64, shape (n,).
        weights: of the style, one row a game: float64, shape (n, number of weights).
        actions: written: int64, shape (n,).
    """
    scratch = np.empty_like(states[:1])
    for k in range(games.shape[0]):
        scratch[0] = states[games[k]]
        hide(scratch[0], scratch[0].seat)
        actions[k] = scripted_action(scratch[0], weights[k])
