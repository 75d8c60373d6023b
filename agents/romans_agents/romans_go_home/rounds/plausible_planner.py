"""Plans without a policy at tables that are not solved: the best one against plausible plans of all others."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.attack import determinized, joint_plans
from romans_agents.romans_go_home.rounds.beliefs import Plans, hand_of
from romans_agents.romans_go_home.rounds.opponents import candidate_plans, plausible_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of
from romans_env import Table
from romans_env.romans_go_home.state import States

EACH = 64
"""Plans for each hand, in the belief about a line."""
COMPARED = 300
"""Candidates, and samples of the others' plans, by a budget of 1."""


class PlausiblePlanner:
    """Lays the best of some plans.

    Args:
        table: of the game.
    """

    def __init__(self, table: Table):
        self._table = table

    def plan(
        self, root: States, seat: int, budget: float, rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int8], list[Plans]]:
        """A plan, and the belief about the other players' plans.

        Args:
            root: the start of the round, redacted for the seat, shape (1,).
            seat: who plans.
            budget: how much is computed.
            rng: of all draws.
        """
        full = determinized(root, seat, 1, rng)
        others = [player for player in range(self._table.num_players) if player != seat]
        beliefs = [plausible_plans(full, other, self._table, EACH, rng) for other in others]
        count = max(8, round(COMPARED * math.sqrt(budget)))
        plans = candidate_plans(root, seat, hand_of(root, seat), count, self._table, rng)
        laid, weights = joint_plans(beliefs, self._table.num_players, seat, count, rng)
        best = (payoffs_of(root, seat, plans, laid, rng) @ weights).argmax()
        return np.asarray(plans[best]), beliefs
