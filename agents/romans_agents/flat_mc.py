"""`flat-mc` for a game without one of its own: Monte Carlo without a tree.

Hidden cards are sampled from what the seat knows (determinization), and every legal action is played on from the very
same determinizations with the very same chance (common random numbers), so that actions differ by what they do and not
by their luck.
"""

from __future__ import annotations

import numpy as np

from romans_agents.budget import Budget
from romans_agents.search import NeutralSearchAgent, scratch_for, search_loops_of, streams_for
from romans_env import View


class FlatMCAgent(NeutralSearchAgent):
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

    def decide(self, view: View) -> int:
        budget = Budget(self.iterations, self.seconds)
        records, _, words = scratch_for(view.states)
        streams, loops = streams_for(view, self._seed, 2), search_loops_of(view.rules)
        actions = np.array(view.legal_actions(), dtype=np.int64)
        sums = np.zeros(len(actions))

        def run(count: int) -> None:
            loops.compare(records, view.seat, actions, sums, count, streams, words)

        budget.spend(1.0, run, cost=len(actions))
        return int(actions[sums.argmax()])
