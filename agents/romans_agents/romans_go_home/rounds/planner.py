"""What makes a plan at the start of a round: what agents of rounds differ in."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.plans import Plans
from romans_env.romans_go_home.state import States


class RoundPlanner(Protocol):
    """Makes plans."""

    def plan(
        self, root: States, seat: int, budget: float, rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int8], list[Plans]]:
        """A plan, int8, shape (7,), and the belief about the other players' plans, in seat order.

        Args:
            root: the start of the round, redacted for the seat, shape (1,).
            seat: who plans.
            budget: how much is computed.
            rng: of all draws.
        """
        ...
