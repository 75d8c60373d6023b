"""Plans drawn by action probabilities, decision by decision, in many games at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.beliefs import decided_plans
from romans_agents.romans_go_home.rounds.kernels import games as kernels
from romans_env import Table
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.state import States


def plans_laid(
    probabilities: Callable[[States], npt.NDArray[Any]],
    states: States,
    seat: int,
    table: Table,
    rng: np.random.Generator,
) -> npt.NDArray[np.int8]:
    """Draw a seat's plans decision by decision, where it is to set a warrior aside: int8, shape (n, 7).

    Args:
        probabilities: of all actions, for full states.
        states: the games, shape (n,); they are changed.
        seat: whose plans.
        table: of the games.
        rng: of the plans.
    """
    made, left = np.zeros((len(states), HAND_SIZE), dtype=np.int8), np.arange(len(states))
    while len(left):
        # Where a single action is legal, the rest of the plan is a matter of course.
        decided = (states["legal"] & (states["legal"] - 1)) == 0
        made[left[decided]] = decided_plans(states[decided], seat, table)
        states, left = states[~decided], left[~decided]
        if len(left):
            sums = np.cumsum(probabilities(states), axis=1)
            kernels.plan_each(states, (sums <= rng.random((len(sums), 1)) * sums[:, -1:]).sum(axis=1))
    return made
