"""`flat-mc` for a game without one of its own: Monte Carlo without a tree.

Hidden cards are sampled from what the seat knows (determinization), and every legal action is played on.
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
        iterations: rollouts for a decision, of all actions together.
        seconds: time for a decision, in place of ``iterations``; choices then depend on the machine, too.
        seed: the seed of the search's chance.

    Raises:
        ValueError: options out of range.
    """

    name = "flat-mc"

    def __init__(self, iterations: int = 500, seconds: float | None = None, seed: int = 0):
        super().__init__(iterations, seconds, seed)

    def candidates(self, view: View) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
        """Return the legal actions, int64, and their weights, both of shape (actions,)."""
        actions = np.array(view.legal_actions(), dtype=np.int64)
        return actions, np.zeros(len(actions))

    def rollouts(self, view: View, actions: npt.NDArray[np.int64]) -> Rollouts:
        """Return rollouts at random after each of some actions."""
        records, _, words = scratch_for(view.states)
        streams, loops = streams_for(view, self._seed, 2), search_loops_of(view.rules)
        return lambda sums, count: loops.compare(records, view.seat, actions, sums, count, streams, words)
