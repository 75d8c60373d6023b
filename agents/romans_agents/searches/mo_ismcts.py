"""`mo-ismcts`: information-set Monte Carlo tree search for every game, with multiple observers.

Cowling, Powley and Whitehouse (2012) describe multiple-observer ISMCTS, `loops.search_loops` the tree. The action that
was tried most is played. A known limit: in determinizations the searcher's own cards are always its true ones, so the
rivals' nodes come to know them a little: with many iterations a searcher takes its rivals to be better informed than
they are.
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
"""Legal actions of a node for which there is room, on average."""


class MOISMCTSAgent(NeutralSearchAgent):
    """Searches a tree of what players know.

    Args:
        iterations: the iterations for a decision.
        seconds: time for a decision, in place of ``iterations``; choices then depend on the machine, too.
        exploration: weight of the exploration term, above 0.
        seed: the seed of the search's chance.

    Raises:
        ValueError: options out of range.
    """

    name = "mo-ismcts"

    def __init__(self, iterations: int = 1000, seconds: float | None = None, exploration: float = 1.0, seed: int = 0):
        if not 0.0 < exploration < math.inf:
            raise ValueError(f"exploration is a number above 0, not {exploration}")
        super().__init__(iterations, seconds, seed)
        self.exploration = exploration
        self.last_iterations = 0
        """Iterations of the last decision."""

    def decide(self, view: View) -> int:
        """See `SearchAgent.decide`."""
        return most_tried(*self.search(view))

    def search(self, view: View) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return visits, int64, and sums of returns, float64, by action: shape (number of actions,) each."""
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
