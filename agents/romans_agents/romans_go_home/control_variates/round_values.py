"""Features of the public state at the end of a round; a value is a weighted sum of them."""

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
"""The names of the features.

The first three are the return (`heuristic_value.expected_returns`: heuristic, or actual at the end of the game), its
square, and the player's points. The others correct the heuristic for the agents that play, and are zero at the end of
the game: the lead over the best other player, alone and times the points of the remaining forts; Legion forts of the
player and of the others; and the number of captured forts minus the others' mean."""
_POINTS_SCALE = 10.0


def features_of(states: States, returns: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Compute the features of every player.

    Args:
        states: records at the end of a round, or of the game, shape ``(n,)``.
        returns: the actual or expected returns: float64, shape ``(n, players)``.

    Returns:
        Features: float64, shape ``(n, players, len(FEATURES))``.
    """
    num_players = returns.shape[1]
    goes_on = (states["phase"] != PHASE_GAME_OVER)[:, None].astype(np.float64)
    points = states["points"][:, :num_players] / _POINTS_SCALE
    lead = (points - _best_of_others(points)) if num_players > 1 else points
    # If the game continues, the wall of the next round has already been laid.
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
