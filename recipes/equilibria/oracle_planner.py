"""Plans from the solution of a round between two players, by a double oracle.

There is no opponent model, so an opponent that knows the planner gains little. The solution belongs to the public start
of the round, for all hands of both seats: a seat samples its plan from the mixed strategy of its hand, and the
opponent's mixed strategies are its belief. The random numbers of the search are derived from the public start, so that
both seats, and an opponent model, find the same solution.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from recipes.equilibria.double_oracle import DoubleOracle, Search, Solution
from romans_agents.policies.policy import PolicyAgent
from romans_agents.romans_go_home.planning_agent import stream_for
from romans_agents.romans_go_home.rounds.attack import determinized
from romans_agents.romans_go_home.rounds.beliefs import possible_hands
from romans_agents.romans_go_home.rounds.opponents import mixed, plausible_plans
from romans_agents.romans_go_home.rounds.payoffs import public_start
from romans_agents.romans_go_home.rounds.plan_distributions import Plans, hand_of
from romans_env import Table
from romans_env.romans_go_home.state import STATE, States

FULL_BUDGET = 14.0
"""The budget of a search with the defaults of `Search`; with less of it, fewer plans are tried."""
MOST_SOLVED = 256
"""Solutions that are remembered."""
CUT = 0.02
"""Plans with less probability are not drawn, but for the likeliest: what averages keep of the start."""
PLAUSIBLE, PLAUSIBLE_SHARE = 64, 0.1
"""Further plans for each hand, and their share, in the belief about a line."""


class OraclePlanner:
    """Draws plans from the solution of a round.

    Args:
        table: of the game, for two players without neutral clans.
        policy: whose plans are looked at first; None: any plans.
    """

    def __init__(self, table: Table, policy: PolicyAgent | None):
        self._table, self._policy = table, policy

    def plan(
        self, root: States, seat: int, budget: float, rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int8], list[Plans]]:
        """As `PolicyPlanner.plan`."""
        mine = self.mixed_plans(root, seat, budget).of_hand(hand_of(root, seat))
        plan = mine.plans[rng.choice(len(mine.plans), p=mine.weights)]
        likely = self.mixed_plans(root, 1 - seat, budget)
        broad = plausible_plans(determinized(root, seat, 1, rng), 1 - seat, self._table, PLAUSIBLE, rng)
        return plan, [mixed([(likely, 1 - PLAUSIBLE_SHARE), (broad, PLAUSIBLE_SHARE)])]

    def mixed_plans(self, root: States, seat: int, budget: float) -> Plans:
        """The plans of all hands of a seat, by their chances.

        Args:
            root: the start of the round, redacted for a seat, or with all cards in it, shape (1,).
            seat: whose plans.
            budget: how much is computed.
        """
        solution = _solved(public_start(root).tobytes(), self._table, self._policy, budget)[seat]
        return Plans(solution.plans, solution.weights * possible_hands(self._table)[1][solution.types])


@lru_cache(MOST_SOLVED)
def _solved(start: bytes, table: Table, policy: PolicyAgent | None, budget: float) -> tuple[Solution, Solution]:
    """The solution of a public start: all who ask for it, on whatever seat, share the work."""
    root = np.frombuffer(start, dtype=STATE).copy()
    rng = np.random.default_rng(stream_for(root, 0)[0])
    for seat in range(2):
        root = determinized(root, seat, 1, rng)
    first, second = DoubleOracle(root, table, search_of(budget), rng).solve(policy)
    return _without_unlikely(first), _without_unlikely(second)


def search_of(budget: float) -> Search:
    """What is searched with a budget."""
    whole, scale = Search(), (budget / FULL_BUDGET) ** 0.5
    least = {"own": 2, "random": 24, "first": 4, "second": 8, "added": 3}
    return whole._replace(**{name: max(few, round(getattr(whole, name) * scale)) for name, few in least.items()})


def _without_unlikely(solution: Solution) -> Solution:
    most = np.zeros(solution.types.max() + 1)
    np.maximum.at(most, solution.types, solution.weights)
    kept = (solution.weights >= CUT) | (solution.weights == most[solution.types])
    weights = np.where(kept, solution.weights, 0.0)
    sums = np.bincount(solution.types, weights)
    return Solution(solution.plans[kept], solution.types[kept], (weights / sums[solution.types])[kept])
