"""Features of the public state at the end of a round, of which a value is a weighted sum."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from romans_env.romans_go_home.material import POINTS
from romans_env.romans_go_home.state import PHASE_GAME_OVER, States

FEATURES = (
    "return",
    "return squared",
    "points",
    "lead",
    "lead in a rich rest",
    "one Legion fort",
    "two Legion forts",
    "one Legion fort of a rival",
    "two Legion forts of a rival",
    "more forts",
)
"""The heuristic return (`heuristic_value.expected_returns`; the true one at the end of the game) and its square, own
points, and what corrects the heuristic for the agents that play, all zero at the end of the game: the lead over the
best other player, alone and times the points of the forts to come, Legion forts held by the player and by the others,
and captured forts less the others' mean."""
_POINTS_SCALE = 10.0


def features_of(states: States, returns: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the features of every player: float64, shape (n, players, features).

    Args:
        states: at the end of a round, or of the game.
        returns: true or expected: float64, shape (n, players).
    """
    num_players = returns.shape[1]
    goes_on = (states["phase"] != PHASE_GAME_OVER)[:, None].astype(np.float64)
    points = states["points"][:, :num_players] / _POINTS_SCALE
    lead = (points - _best_of_others(points)) if num_players > 1 else points
    # The wall of the next round has been laid where the game goes on.
    wall = states["wall"]
    rest = states["to_come"] @ np.maximum(POINTS, 0) + np.where(wall >= 0, np.maximum(POINTS[wall], 0), 0).sum(axis=1)
    legion = states["num_legion"][:, :num_players]
    held = [(legion == number).astype(np.float64) for number in (1, 2)]
    others = [(one.sum(axis=1, keepdims=True) - one) for one in held]
    forts = states["num_forts"][:, :num_players].astype(np.float64)
    num_others = max(1, num_players - 1)
    more_forts = forts - (forts.sum(axis=1, keepdims=True) - forts) / num_others
    going_on = [lead, lead * rest[:, None] / 20.0, *held, *others, more_forts]
    return np.stack([returns, returns**2, points, *(column * goes_on for column in going_on)], axis=2)


def _best_of_others(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    ranked = np.sort(values, axis=1)
    return np.where(values == ranked[:, -1:], ranked[:, -2:-1], ranked[:, -1:])
