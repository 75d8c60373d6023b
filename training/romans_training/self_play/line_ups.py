"""Line-ups of self-play: the agent of every seat."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from romans_agents.loops.codes import LEARNER


def draw_line_ups(
    rng: np.random.Generator, count: int, num_players: int, self_play: float, weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64]:
    """Line-ups of new games.

    With probability ``self_play`` the learner has every seat. Otherwise it has one at random, and one member the seat
    after it; further seats are all that member's in half of the games, and in the others the learner's or some member's
    with equal chance: a policy for four players must know rivals of one kind and of several.

    Args:
        rng: the chance.
        count: games.
        num_players: seats.
        self_play: from 0 to 1.
        weights: the probability with which each member is drawn; an empty array for no members.

    Returns:
        The number of a member, or LEARNER: int64, shape (count, num_players).
    """
    line_ups = np.full((count, num_players), LEARNER, dtype=np.int64)
    if num_players == 1 or weights.size == 0:
        return line_ups
    meets = rng.random(count) >= self_play
    drawn = rng.choice(weights.size, size=(count, num_players), p=weights)
    is_one_kind = rng.random(count) < 0.5
    has_member = rng.random((count, num_players)) < 0.5
    own = rng.integers(num_players, size=count)
    rows = np.arange(count)
    for k in range(1, num_players):
        seat = (own + k) % num_players
        of_kinds = np.where(has_member[:, k] | (k == 1), drawn[:, k], LEARNER)
        line_ups[rows, seat] = np.where(meets, np.where(is_one_kind, drawn[:, 1], of_kinds), LEARNER)
    return line_ups
