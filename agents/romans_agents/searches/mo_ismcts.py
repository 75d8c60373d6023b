"""`mo-ismcts`: multiple-observer information-set Monte Carlo tree search for every game.

The algorithm is MO-ISMCTS (Cowling, Powley and Whitehouse 2012); `romans_agents.loops.search_loops` describes the tree.
The search plays the action with the most visits.

A known limitation is that every determinization contains the searcher's true hidden cards, so that the statistics in
the opponents' nodes adapt to these cards. With many iterations, the searcher therefore treats its opponents as better
informed than they are.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from romans_agents.loops.tree import Tree, most_tried, size_for
from romans_agents.searches.budget import Budget
from romans_agents.searches.search import NeutralSearchAgent, scratch_for, search_loops_of, streams_for
from romans_env import View

ACTIONS_OF_A_NODE = 16
"""Average number of legal actions of a node for which the tree allocates room."""


class MOISMCTSAgent(NeutralSearchAgent):
    """Searches a tree of information sets.

    Args:
        iterations: the number of iterations per decision.
        seconds: the time per decision in seconds, which replaces ``iterations``; choices then depend on the speed of
            the machine.
        exploration: the weight of the exploration term, above 0.
        seed: the seed of the search's random numbers.

    Raises:
        ValueError: if an option is out of range.
    """

    name = "mo-ismcts"

    def __init__(self, iterations: int = 1000, seconds: float | None = None, exploration: float = 1.0, seed: int = 0):
        if not 0.0 < exploration < math.inf:
            raise ValueError(f"exploration is a number above 0, not {exploration}")
        super().__init__(iterations, seconds, seed)
        self.exploration = exploration
        self.last_iterations = 0
        """Number of iterations in the last decision."""

    def decide(self, view: View) -> int:
        return most_tried(*self.search(view))

    def search(self, view: View) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Search, and return the statistics of the root.

        Returns:
            The number of visits of each action, int64, and the sum of its returns, float64. Both have shape
            ``(num_actions,)`` and are 0 for illegal actions.
        """
        budget = Budget(self.iterations, self.seconds)
        records, hashed, words = scratch_for(view.states)
        streams, loops = streams_for(view, self._seed, 1), search_loops_of(view.rules)
        num_actions = view.rules.num_actions
        size = size_for(view.rules.num_players, self.iterations if self.seconds is None else None)
        tree = Tree.new(size, size * ACTIONS_OF_A_NODE + num_actions)

        def run(count: int) -> None:
            loops.iterate(records, hashed, view.seat, tree, num_actions, self.exploration, count, streams, words)

        self.last_iterations = budget.spend(1.0, run)
        visits, totals = np.zeros(num_actions, dtype=np.int64), np.zeros(num_actions)
        loops.root_counts(hashed, tree, visits, totals)
        return visits, totals
