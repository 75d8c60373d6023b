"""The value of a game between two rounds: each player's share of the win, estimated by a small network.

The network computes a number for each player from public information: the player's holdings, the others' holdings, and
the remaining forts. The softmax of these numbers gives the shares. `recipes.rounds.fit_round_values` fits it to the
results of games of a trained policy. Solo games use the heuristic value instead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.loops.score_priors import exponentiate
from romans_agents.romans_go_home.heuristic_value import expected_returns, rounds_over
from romans_env.compiling.decorators import inlined, jitted
from romans_env.romans_go_home.material import NONE, NUM_FORTS, WALL_SIZE
from romans_env.romans_go_home.state import PHASE_GAME_OVER, State

NUM_HELD = 4
"""Number of inputs for a player's holdings: points, forts, and whether it has exactly one or two Legion forts."""
HIGHEST_OF_OTHERS, MEAN_OF_OTHERS, COMMON = NUM_HELD, 2 * NUM_HELD, 3 * NUM_HELD
"""Indices where groups of inputs begin. The player's own holdings come first; the common inputs are the remaining forts
by kind, followed by the inputs named below."""
IS_FIRST_ROUND_OVER, THREE_PLAYERS, FOUR_PLAYERS, NEUTRALS = COMMON + NUM_FORTS + np.arange(4)
NUM_INPUTS = COMMON + NUM_FORTS + 4
HIDDEN = 32
"""The size of the hidden layer; a constant, so that loops are compiled for it."""


class ValueNetwork(NamedTuple):
    """A network with one hidden layer and relu.

    Attributes:
        first: weights of the hidden layer: float32, shape ``(NUM_INPUTS, HIDDEN)``.
        bias: bias of the hidden layer: float32, shape ``(HIDDEN,)``.
        last: weights of the output: float32, shape ``(HIDDEN,)``.
    """

    first: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]


@inlined
def write_held(state: State, player, held):
    """Write the inputs for a player's holdings: float32, shape ``(NUM_HELD,)`` or longer."""
    held[0] = state.points[player] / np.float32(10.0)
    held[1] = state.num_forts[player] / np.float32(6.0)
    held[2] = 1.0 if state.num_legion[player] == 1 else 0.0
    held[3] = 1.0 if state.num_legion[player] == 2 else 0.0


@jitted
def write_inputs(state: State, inputs):
    """Write the network inputs of every player: float32, shape ``(players, NUM_INPUTS)``; further rows stay."""
    players = np.int64(state.num_players)
    inputs[:players] = 0.0
    common = inputs[0]
    for kind in range(NUM_FORTS):
        common[COMMON + kind] = np.float32(state.to_come[kind])
    for slot in range(WALL_SIZE):
        if state.wall[slot] != NONE:
            # The wall of the next round has already been laid; its forts count as remaining, too.
            common[COMMON + np.int64(state.wall[slot])] += np.float32(1.0)
    for kind in range(NUM_FORTS):
        common[COMMON + kind] /= np.float32(2.0)
    common[IS_FIRST_ROUND_OVER] = 1.0 if rounds_over(state) == 1 else 0.0
    common[THREE_PLAYERS] = 1.0 if players == 3 else 0.0
    common[FOUR_PLAYERS] = 1.0 if players == 4 else 0.0
    common[NEUTRALS] = state.num_neutrals / np.float32(2.0)
    for player in range(players):
        inputs[player, COMMON:] = common[COMMON:]
        write_held(state, player, inputs[player])
    for player in range(players):
        for k in range(NUM_HELD):
            highest, total = np.float32(-np.inf), np.float32(0.0)
            for other in range(players):
                if other != player:
                    highest = max(highest, inputs[other, k])
                    total += inputs[other, k]
            inputs[player, HIGHEST_OF_OTHERS + k] = highest
            inputs[player, MEAN_OF_OTHERS + k] = total / (players - 1)


@jitted
def write_round_returns(state: State, network, inputs, returns):
    """Write each player's return (RULES 7.4): the actual one if the game is over, otherwise the expected one.

    Args:
        state: a record at the end of a round or of the game.
        network: the `ValueNetwork`.
        inputs: scratch: float32, shape ``(4, NUM_INPUTS)``.
        returns: float64, shape ``(4,)``; the players' entries are written.
    """
    players = np.int64(state.num_players)
    if state.phase == PHASE_GAME_OVER or players == 1:
        expected_returns(state, returns)
        return
    write_inputs(state, inputs)
    hidden = np.empty(HIDDEN, dtype=np.float32)
    for player in range(players):
        for j in range(HIDDEN):
            hidden[j] = network.bias[j]
        for k in range(NUM_INPUTS):
            entry = inputs[player, k]
            if entry != 0.0:
                for j in range(HIDDEN):
                    hidden[j] += entry * network.first[k, j]
        number = np.float32(0.0)
        for j in range(HIDDEN):
            number += max(hidden[j], np.float32(0.0)) * network.last[j]
        returns[player] = number
    total = exponentiate(returns, players, 1.0)
    for player in range(players):
        returns[player] = (players * returns[player] / total - 1.0) / (players - 1.0)
