"""`flat-mc`: Monte Carlo search without a tree, for every game that has no flat Monte Carlo agent of its own.

The search samples determinizations, which are complete states consistent with what the seat knows. In each
determinization, it plays a rollout after every legal action.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.searches.search import RolloutAgent, Rollouts, scratch_for, search_loops_of, streams_for
from romans_env import View


class FlatMCAgent(RolloutAgent):
    """Compares the legal actions by rollouts.

    Args:
        iterations: the number of rollouts per decision, of all actions together.
        seconds: the time per decision in seconds, which replaces ``iterations``; choices then depend on the speed of
            the machine.
        seed: the seed of the search's random numbers.

    Raises:
        ValueError: if an option is out of range.
    """

    name = "flat-mc"

    def __init__(self, iterations: int = 500, seconds: float | None = None, seed: int = 0):
        super().__init__(iterations, seconds, seed)

    def candidates(self, view: View) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
        """Return the legal actions, int64, and a score of 0 for each, float64; both have shape ``(num_legal,)``."""
        actions = np.array(view.legal_actions(), dtype=np.int64)
        return actions, np.zeros(len(actions))

    def rollouts(self, view: View, actions: npt.NDArray[np.int64]) -> Rollouts:
        """Return a function that plays rollouts after each of the actions; the game's evaluator values them.

        Args:
            view: the view of the seat to act.
            actions: ids of legal actions, int64, shape ``(n,)``.
        """
        records, _, words = scratch_for(view.states)
        streams, loops = streams_for(view, self._seed, 2), search_loops_of(view.rules)
        return lambda sums, count: loops.compare(records, view.seat, actions, sums, count, streams, words)
