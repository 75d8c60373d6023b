"""The evaluator for game-neutral searches: uniform priors, and rollouts of plausible play to the end of a round."""

from __future__ import annotations

import numpy as np

from romans_agents.loops.uniform_evaluator import EFFORT as EFFORT
from romans_agents.romans_go_home import rollouts
from romans_agents.romans_go_home.heuristic_value import expected_returns
from romans_agents.romans_go_home.rollouts import LIKELY, plan_rest
from romans_agents.romans_go_home.round_start import is_planning
from romans_agents.romans_go_home.styles import choose_quickly
from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.state_fields import Records
from romans_env.romans_go_home.state import PHASE_GAME_OVER, State
from romans_env.romans_go_home.step import apply


@jitted
def priors(states: Records[State], i, actions, count, priors):
    """Write uniform priors for ``actions[:count]`` into ``priors``: float64, shape ``(count,)`` or longer."""
    priors[:count] = 1.0 / count


@jitted
def arrange_hidden(states: Records[State], i, seat, streams):
    """Arrange the hidden warriors of opponents that have planned in a plausible order."""
    rollouts.arrange_hidden(states[i], seat, LIKELY, streams, 0)


@inlined
def turn_of(state: State):
    """Return the index of the round, because playouts last for rounds."""
    return np.int64(state.round_index)


@jitted
def write_expected(states: Records[State], i, returns):
    """Write the expected return of each player by the heuristic value: float64, shape ``(players,)``."""
    expected_returns(states[i], returns)


@jitted
def evaluate(states: Records[State], i, streams, words, returns):
    """Play the round to its end, and write the players' expected returns then: float64, shape ``(players,)``."""
    state = states[i]
    turn = turn_of(state)
    while state.phase != PHASE_GAME_OVER and turn_of(state) == turn:
        if is_planning(state):
            plan_rest(state, LIKELY, streams, 0)
        else:
            apply(state, choose_quickly(state, np.int64(state.seat)))
    write_expected(states, i, returns)
