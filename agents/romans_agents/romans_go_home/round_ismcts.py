"""`round-ismcts`: information-set Monte Carlo tree search from the start of the round.

`romans_agents.romans_go_home.round_ismcts_tree` describes the tree and the treatment of hidden simultaneous plans.
Every decision has a new search; the action with the most visits is played.

A known limit: every determinization contains the searcher's true hidden cards, so the statistics in the opponents'
nodes adapt to them. With many iterations the searcher treats its opponents as better informed than they are.
"""

from __future__ import annotations

import math

import numpy as np

from romans_agents.loops.tree import Tree, most_tried, size_for
from romans_agents.romans_go_home import round_ismcts_tree
from romans_agents.romans_go_home.planning_agent import stream_for
from romans_agents.romans_go_home.rollouts import rollouts_of
from romans_agents.romans_go_home.round_ismcts_tree import Search
from romans_agents.romans_go_home.round_start import undo_planning_in
from romans_agents.searches.budget import Budget, SearchAgent
from romans_agents.specs.registry import policy_of
from romans_env import RomansGoHome, Table, View
from romans_env.romans_go_home.actions import NUM_ACTIONS
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE


class RoundISMCTSAgent(SearchAgent):
    """Searches a tree of information sets.

    Args:
        iterations: iterations per decision.
        seconds: time per decision, which replaces ``iterations``; choices then depend on the speed of the machine.
        rollout: the player of the rollouts: ``likely``, ``random``, ``greedy``, ``hoarder``, ``legionary``,
            ``skirmisher`` or ``policy``.
        horizon: where rollouts end: ``round`` or ``game``.
        policy: the path of a policy file, or a trained agent. Its probabilities are the priors in the tree, and its
            value network evaluates the ends of rounds.
        exploration: weight of the exploration term, above 0.
        seed: the seed of the search's random numbers.

    Raises:
        ValueError: if an option is out of range.
        romans_agents.PolicyFileError: if a policy file cannot be read.
        romans_agents.UnknownAgentError: if there is no such agent, or it has no network.
    """

    name = "round-ismcts"
    earlier_name = "ismcts"

    def __init__(
        self,
        iterations: int = 1000,
        seconds: float | None = None,
        rollout: str = "likely",
        horizon: str = "round",
        policy: str | None = None,
        exploration: float = 2.0,
        seed: int = 0,
    ):
        super().__init__(iterations, seconds, seed)
        if not 0.0 < exploration < math.inf:
            raise ValueError(f"exploration is a number above 0, not {exploration}")
        loaded = None if policy is None else policy_of(policy)
        self._search = Search(rollouts_of(rollout, horizon, loaded), loaded is not None, exploration)
        self.last_iterations = 0
        """Number of iterations in the last decision."""
        if seconds is not None:
            self._compile(RomansGoHome(Table()), [self.search])

    def act(self, view: View) -> int:
        return most_tried(*self.search(view))

    def search(self, view: View) -> tuple[np.ndarray, np.ndarray]:
        """Search, and return the statistics of the root.

        Returns:
            The visits of each action, int64, and the sums of their returns, float64, both of shape ``(NUM_ACTIONS,)``
            and 0 for illegal actions.
        """
        budget = Budget(self.iterations, self.seconds)
        records = np.repeat(view.states, round_ismcts_tree.NUM_RECORDS)
        words = records.view(np.int64).reshape(len(records), -1)
        state, seat = view.states[0], view.seat
        plan = np.full(1, -1, dtype=np.int64)
        if state["phase"] in (PHASE_DISCARD, PHASE_PLACE):
            aside, slot = state["set_aside"][state["round_index"], seat], max(0, int(state["slot"]))
            plan = np.array([aside, *state["line"][seat, :slot]], dtype=np.int64)
            undo_planning_in(records, 0, seat)
        size = size_for(int(state["num_players"]), self.iterations if self.seconds is None else None)
        tree = Tree.new(size, size * round_ismcts_tree.WIDTH)
        stream = stream_for(view.states, self._seed)

        def run(count: int) -> None:
            round_ismcts_tree.iterate(records, words, seat, plan, tree, self._search, count, stream)

        self.last_iterations = budget.spend(1.0, run)
        visits, totals = np.zeros(NUM_ACTIONS, dtype=np.int64), np.zeros(NUM_ACTIONS)
        records[:1] = view.states
        round_ismcts_tree.root_counts(words, tree, visits, totals)
        return visits, totals
