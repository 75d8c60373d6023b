"""A guide of searches that knows nothing of the game: even priors, and rollouts at random to the end.

A loop template (`romans_env.compiling`). ``game`` is the game's module of step functions.
"""

from __future__ import annotations

from typing import Any

from romans_env.compiling.decorators import inlined, jitted

game: Any = None


@inlined
def priors(states, i, actions, count, priors):
    """Write the prior probabilities of ``actions[:count]``."""
    for k in range(count):
        priors[k] = 1.0 / count


@jitted
def evaluate(states, i, streams, words, returns):
    """Play the game to its end at random, and write the returns."""
    while not game.is_over(states, i):
        game.act(states, i, game.random_action(states, i, streams, 0), words)
    for seat in range(returns.shape[0]):
        returns[seat] = game.game_return(states, i, seat)
