"""Plans drawn from a policy at the start of rounds, decision by decision, for many hands at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.beliefs import begin_planning, decided_plans
from romans_agents.romans_go_home.rounds.kernels import games as kernels
from romans_agents.romans_go_home.rounds.rival import observed
from romans_env import Table
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.state import States

Probabilities = Callable[[npt.NDArray[np.int8], npt.NDArray[np.int8]], npt.NDArray[np.float32]]
"""Of a policy: the probabilities of all actions, for observations and action masks."""


def draw_plans(
    probabilities: Probabilities,
    roots: States,
    seat: int,
    hands: npt.NDArray[np.int8],
    table: Table,
    rng: np.random.Generator,
) -> npt.NDArray[np.int8]:
    """Draw a plan for each hand: int8, shape (n, 7).

    Args:
        probabilities: of the policy.
        roots: games at the start of a round; each is that of as many hands as the next.
        seat: whose plans.
        hands: as kinds, int8, shape (n, hand size), those of a game together.
        table: of the games.
        rng: of the plans.
    """
    states = np.repeat(roots, len(hands) // len(roots))
    begin_planning(states, seat, hands, table)
    return plans_laid(lambda states: probabilities(*observed(states)), states, seat, table, rng)


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
