"""`policy-rollouts`: improves a policy by rollouts (Tesauro and Galperin 1997) to the end of the own turn.

The most likely actions are each played on by the policy itself until another seat is to act; there its value network
says what the position is worth. All are played on from the same determinizations with the same chance (common random
numbers), so that actions differ by what they do and not by their luck.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from romans_agents.budget import Budget
from romans_agents.loops import policy_loops
from romans_agents.loops.networks import networks_of
from romans_agents.policy import Policy
from romans_agents.registry import policy_of
from romans_agents.search import NeutralSearchAgent, streams_for
from romans_env import View
from romans_env.engine.random_stream import WORDS
from romans_env.errors import shortened
from romans_env.games import spec_of


class PolicyRolloutsAgent(NeutralSearchAgent):
    """Searches its own turn on top of a policy.

    Args:
        policy: a policy file, or a trained agent of the game.
        iterations: rollouts for a decision, of all actions together.
        seconds: time for a decision, in place of ``iterations``; choices then depend on the machine, too.
        candidates: how many actions are compared, the most likely ones; at least 1.
        seed: the seed of the search's chance.

    Raises:
        ValueError: options out of range.
        romans_agents.UnknownAgentError: a policy that there is not, or of another game.
    """

    name = "policy-rollouts"
    game: str
    """A subclass names it."""

    def __init__(
        self, policy: str, iterations: int = 100, seconds: float | None = None, candidates: int = 8, seed: int = 0
    ):
        super().__init__(iterations, seconds, seed)
        if candidates < 1:
            raise ValueError(f"candidates is at least 1, not {shortened(candidates)}")
        self.candidates, self.policy = candidates, self._load(policy)
        self._networks, self._loops = networks_of(self.policy), spec_of(self.game).part("policy_kernels")

    def _load(self, policy: str) -> Policy:
        return policy_of(policy, game=self.game)

    def decide(self, view: View) -> int:
        logits = self.policy.logits(view.observation[None])[0]
        legal = np.array(view.legal_actions(), dtype=np.int64)
        actions = legal[np.argsort(-logits[legal], kind="stable")[: self.candidates]]
        budget, sums = Budget(self.iterations, self.seconds), np.zeros(len(actions))
        records = np.repeat(view.states, policy_loops.NUM_RECORDS)
        words = np.zeros((len(records), WORDS), dtype=np.int64)
        seen, scratch = np.empty_like(view.observation[None]), np.empty(len(logits), dtype=np.int64)
        streams: Any = streams_for(view, self._seed, 1)

        def run(count: int) -> None:
            self._loops.evaluate_actions(
                records, view.seat, actions, sums, count, streams, words, seen, scratch, self._networks
            )

        budget.spend(1.0, run, cost=len(actions))
        return int(actions[sums.argmax()])
