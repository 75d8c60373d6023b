"""An evaluator that knows nothing of the game: even priors, random rollouts to the end, and the game as a single turn.

A loop template (`romans_env.compiling`). ``game`` is the game's `romans_env.engine.step_functions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_env.compiling.decorators import inlined, jitted

if TYPE_CHECKING:
    from romans_env.engine import rule_steps as game

EFFORT = (8, 4, 1)
"""For control variates (`romans_agents.variates.chance_variates`): draws and play-outs of an event, and turns of a
play-out."""


@inlined
def priors(states, i, actions, count, priors):
    """Write the same prior probability for each of ``actions[:count]``."""
    for k in range(count):
        priors[k] = 1.0 / count


@inlined
def arrange_hidden(states, i, seat, streams):
    """Leave a determinization as it is."""


@jitted
def evaluate(states, i, streams, words, returns):
    """Play the game to its end at random, and write the returns."""
    while not game.is_over(states, i):
        game.act(states, i, game.random_action(states, i, streams, 0), words)
    write_expected(states, i, returns)


@inlined
def turn_of(state):
    """Return the same number all along, so that a turn is played to the end of the game."""
    return np.int64(0)


@jitted
def write_expected(states, i, returns):
    """Write the returns of a game that is over, as it is where such a turn ends."""
    for seat in range(returns.shape[0]):
        returns[seat] = game.game_return(states, i, seat)
