"""The win probability of a seat: the heuristic value of the position, corrected by a trained network.

The log-odds are a linear function of those by `romans_agents.struggle.value.write_values`, plus the output of a network
that gets the seat's observation. `recipes.stilicho.fit_win_chance` fits both to the results of games.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.loops.compiled_networks import Network, flat_network, last_hidden, output
from romans_agents.policies.policy_file import Layers, read_numbers
from romans_agents.struggle.value import write_values
from romans_env.compiling.decorators import jitted
from romans_env.engine.state_fields import Records
from romans_env.struggle import step
from romans_env.struggle.state import State

_LEAST_CHANCE = 1e-4
"""Probabilities by the heuristic value are clipped to [_LEAST_CHANCE, 1 - _LEAST_CHANCE]."""
NUM_LAYERS = 3


class WinChance(NamedTuple):
    """The fitted parameters of the win probability.

    Attributes:
        line: slope and offset for the log-odds by the heuristic value: float64, shape ``(2,)``.
        scale: factors for the entries of an observation: float32, shape ``(observation_size,)``.
        network: the network; its output is added to the log-odds.
    """

    line: npt.NDArray[np.float64]
    scale: npt.NDArray[np.float32]
    network: Network


def win_chance_of(line: npt.NDArray[np.float64], scale: npt.NDArray[np.float32], layers: Layers) -> WinChance:
    """Return fitted parameters in the form that compiled loops take.

    Args:
        line: slope and offset for the log-odds by the heuristic value: floats, shape ``(2,)``.
        scale: factors for the entries of an observation: floats, shape ``(observation_size,)``.
        layers: weight, float32, shape ``(out, in)``, and bias, float32, shape ``(out,)``, of each layer of the network,
            with relu between them.
    """
    return WinChance(np.asarray(line, dtype=np.float64), np.asarray(scale, dtype=np.float32), flat_network(layers))


def load_win_chance(path: Path) -> WinChance:
    """Read parameters from a file that `recipes.stilicho.fit_win_chance` has written.

    Raises:
        ValueError: if the file does not contain such parameters.
        OSError: if the file cannot be read.
    """
    names = [f"{k}_{part}" for k in range(NUM_LAYERS) for part in ("weight", "bias")]
    what = "no network of winning chances"
    line, scale, *flat = read_numbers(path, ("line", "scale", *names), what, _check_shapes)
    return win_chance_of(line, scale, list(zip(flat[::2], flat[1::2], strict=True)))


def _check_shapes(shapes: list[tuple[int, ...]]) -> None:
    widths = [math.prod(shape) for shape in shapes[1::2]]
    layers = [shape for k in range(NUM_LAYERS) for shape in ((widths[k + 1], widths[k]), (widths[k + 1],))]
    if shapes != [(2,), (widths[0],), *layers] or widths[-1] != 1:
        raise ValueError("its layers do not fit each other")


@jitted
def share_won(states: Records[State], i, seat):
    """Return a seat's share of the win in a finished game: 1 for a sole winner, 1/k if k seats share the win."""
    players = float(states[i].num_players)
    return (step.game_return(states, i, seat) * (players - 1.0) + 1.0) / players


@jitted
def log_odds_of_value(state: State, seat, weights, returns):
    """Return the log-odds of a win by the heuristic value; ``returns`` is scratch: float64, shape ``(players,)``."""
    players = float(state.num_players)
    write_values(state, weights, returns)
    chance = (returns[seat] * (players - 1.0) + 1.0) / players
    chance = min(max(chance, _LEAST_CHANCE), 1.0 - _LEAST_CHANCE)
    return np.log(chance / (1.0 - chance))


@jitted
def chance_of(states: Records[State], i, seat, weights, fitted, returns, seen):
    """Return the win probability of a seat, from 0 to 1; its share of the win if the game is over.

    Args:
        states: records, shape ``(n,)``.
        i: the index of the game.
        seat: the seat.
        weights: the weights of a style for the heuristic value: float64.
        fitted: a `WinChance`.
        returns: scratch: float64, shape ``(players,)``.
        seen: scratch for an observation: int16, shape ``(1, observation_size)``.
    """
    if step.is_over(states, i):
        return share_won(states, i, seat)
    log_odds = fitted.line[0] * log_odds_of_value(states[i], seat, weights, returns) + fitted.line[1]
    step.observe(states, i, seat, seen, 0)
    hidden, at = last_hidden(seen[0], fitted.scale, fitted.network, False)
    log_odds += float(output(hidden, at, fitted.network, 0))
    return 1.0 / (1.0 + np.exp(-log_odds))
