"""An agent that solves each round between two players for all hands of both sides, without an opponent model.

romans evaluate recipes/equilibria/agent.py:RoundEquilibrium:iterations=50000 --against schemer --table 2+0
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from recipes.equilibria.oracle_planner import OraclePlanner
from romans_agents.romans_go_home.rounds.plan_distributions import Plans
from romans_agents.romans_go_home.rounds.round_response import RoundAgent, table_of
from romans_env.romans_go_home.state import States


class RoundEquilibrium(RoundAgent):
    """Samples its plans from the solution of each round.

    Args:
        iterations: the budget of a plan, roughly its number of rollouts.
        seconds: time per plan, which replaces ``iterations``, as for `RoundAgent`.
        policy: the path of a policy file, or a trained agent, whose plans are the first candidates; None for random
            ones.
        seed: the seed of the search's random numbers.

    Raises:
        ValueError: if an option is out of range.
        romans_agents.PolicyFileError, romans_agents.UnknownAgentError: for the same reasons as `RoundAgent`.
    """

    def __init__(
        self, iterations: int = 100_000, seconds: float | None = None, policy: str | None = None, seed: int = 0
    ):
        super().__init__(iterations, seconds, policy, seed)

    def mixed_plans(self, root: States, seat: int) -> Plans:
        """Return the distribution of the agent's plans over all hands, for opponent models (`OpponentModel`).

        Args:
            root: a game at the start of a round, full or redacted for a seat, shape ``(1,)``.
            seat: the planning seat.
        """
        return self._planner(root).mixed_plans(root, seat, self._budget())

    def _draw_plan(
        self, root: States, seat: int, budget: float, rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int8], list[Plans]]:
        return self._planner(root).plan(root, seat, budget, rng)

    def _planner(self, root: States) -> OraclePlanner:
        table = table_of(root)
        if not table.num_players == table.num_clans == 2:
            raise ValueError("rounds are solved between two players without neutral clans, at the table 2+0")
        return OraclePlanner(table, self._policy)
