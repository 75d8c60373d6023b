"""The chance of a seat to win: what `value` says of the position, corrected by a trained network.

The log-odds are a line through those of `value.write_values`, and an output of a network that sees the seat's
observation. `recipes.stilicho.fit_win_chance` fits both to the ends of games.
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
"""`value` is never surer than this."""
NUM_LAYERS = 3


class WinChance(NamedTuple):
    """The fitted parameters of the chance to win.

    Attributes:
        line: slope and offset of the log-odds of `value`: float64, shape (2,).
        scale: what the entries of an observation are multiplied by: float32.
        network: from an observation to a number that is added to the log-odds.
    """

    line: npt.NDArray[np.float64]
    scale: npt.NDArray[np.float32]
    network: Network


def win_chance_of(line: npt.NDArray[np.float64], scale: npt.NDArray[np.float32], layers: Layers) -> WinChance:
    """Return the fitted numbers and the network as compiled loops take them.

    Args:
        line: as in `WinChance`.
        scale: as in `WinChance`.
        layers: weights, shape (outputs, inputs), and biases of each layer of the network; relu between them.
    """
    return WinChance(np.asarray(line, dtype=np.float64), np.asarray(scale, dtype=np.float32), flat_network(layers))


def load_win_chance(path: Path) -> WinChance:
    """Read the file that `recipes.stilicho.fit_win_chance` writes.

    Raises:
        ValueError: it is not such a file.
        OSError: it cannot be read.
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
    """Return a seat's share of the win of a game that is over: 1 for a win alone, 1/k for one that k share."""
    players = float(states[i].num_players)
    return (step.game_return(states, i, seat) * (players - 1.0) + 1.0) / players


@jitted
def log_odds_of_value(state: State, seat, weights, returns):
    """Return the log-odds of a win by `value` alone; ``returns`` is scratch: float64, shape (players,)."""
    players = float(state.num_players)
    write_values(state, weights, returns)
    chance = (returns[seat] * (players - 1.0) + 1.0) / players
    chance = min(max(chance, _LEAST_CHANCE), 1.0 - _LEAST_CHANCE)
    return np.log(chance / (1.0 - chance))


@jitted
def chance_of(states: Records[State], i, seat, weights, fitted, returns, seen):
    """Return the chance of a seat to win, from 0 to 1; its share of the win if the game is over.

    Args:
        states: records.
        i: the number of the game.
        seat: the seat whose chance is asked.
        weights: the weights of a style, for `value`.
        fitted: a `WinChance`.
        returns: scratch: float64, shape (players,).
        seen: scratch for an observation, shape (1, observation size).
    """
    if step.is_over(states, i):
        return share_won(states, i, seat)
    log_odds = fitted.line[0] * log_odds_of_value(states[i], seat, weights, returns) + fitted.line[1]
    step.observe(states, i, seat, seen, 0)
    hidden, at = last_hidden(seen[0], fitted.scale, fitted.network, False)
    log_odds += float(output(hidden, at, fitted.network, 0))
    return 1.0 / (1.0 + np.exp(-log_odds))
