"""The evaluator for games without one of their own: uniform priors, and random rollouts to the end of the game.

A loop template (`romans_env.compiling.templates`); ``game`` stands for the game's `romans_env.engine.step_functions`.
For playouts, which last a number of turns, the whole game counts as a single turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_env.compiling.decorators import inlined, jitted

if TYPE_CHECKING:
    from romans_env.engine import rule_steps as game

EFFORT = (8, 4, 1)
"""Effort of control variates (`romans_agents.variates.chance_variates`): the number of outcomes drawn for an event, the
number of playouts after the actual outcome, and the number of turns in a playout."""


@inlined
def priors(states, i, actions, count, priors):
    """Write the same prior, 1 / count, for each of ``actions[:count]`` into ``priors``: float64, shape ``(count,)``."""
    for k in range(count):
        priors[k] = 1.0 / count


@inlined
def arrange_hidden(states, i, seat, streams):
    """Do nothing: the hidden cards stay as the determinization dealt them."""


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
    """Write the returns of game ``i``: float64, shape ``(players,)``. The game is over, as a turn is a whole game."""
    for seat in range(returns.shape[0]):
        returns[seat] = game.game_return(states, i, seat)
