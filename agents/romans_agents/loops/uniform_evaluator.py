"""The evaluator of games without their own: uniform priors, random rollouts to the end, and the game as a single turn.

A loop template (`romans_env.compiling.templates`); ``game`` stands for the game's `romans_env.engine.step_functions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_env.compiling.decorators import inlined, jitted

if TYPE_CHECKING:
    from romans_env.engine import rule_steps as game

EFFORT = (8, 4, 1)
"""Effort of control variates (`romans_agents.variates.chance_variates`): draws of an event, playouts of its outcome,
and turns of a playout."""


@inlined
def priors(states, i, actions, count, priors):
    """Write the same prior, 1 / count, for each of ``actions[:count]`` into ``priors``: float64, shape ``(count,)``."""
    for k in range(count):
        priors[k] = 1.0 / count


@inlined
def arrange_hidden(states, i, seat, streams):
    """Leave the determinization as it is."""


@jitted
def evaluate(states, i, streams, words, returns):
    """Play game ``i`` to its end with random actions, and write the returns: float64, shape ``(players,)``."""
    while not game.is_over(states, i):
        game.act(states, i, game.random_action(states, i, streams, 0), words)
    write_expected(states, i, returns)


@inlined
def turn_of(state):
    """Return 0 always: the whole game counts as a single turn, which lasts to the end of the game."""
    return np.int64(0)


@jitted
def write_expected(states, i, returns):
    """Write the returns of game ``i``, which is over because a turn is a whole game: float64, shape ``(players,)``."""
    for seat in range(returns.shape[0]):
        returns[seat] = game.game_return(states, i, seat)
