"""`policy-rollouts`: an agent that improves a policy by rollouts (Tesauro and Galperin 1997).

By default a rollout lasts until the end of the seat's own turn. After each of the most likely actions, the policy plays
for all seats until the seat to act has changed ``turns`` times; the value network estimates the return at each change.
All actions are tried from the same determinizations with the same chance (common random numbers), so that their
estimates differ by the actions and not by luck.

The agent plays the most likely action of the improved policy, whose probabilities are proportional to p(a) exp(w Q(a)).
Here p is the policy, Q the mean return of the rollouts, and w a weight. This is the best policy for Q under a KL
penalty towards p (Grill et al. 2020, "Monte-Carlo tree search as regularized policy optimization"). If the rollouts
cannot tell actions apart, the policy decides between them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.loops import policy_loops
from romans_agents.loops.compiled_networks import networks_of
from romans_agents.searches.search import RolloutAgent, Rollouts, streams_for
from romans_agents.specs.registry import policy_of
from romans_env import View
from romans_env.compiling.templates import bound
from romans_env.core.games import spec_of
from romans_env.engine.random_stream import WORDS
from romans_env.errors import shortened

LEAST_RATIO = 0.0025
"""Least probability of a compared action, relative to the most likely action's. At least two actions are compared."""


class PolicyRolloutsAgent(RolloutAgent):
    """Improves the decisions of a policy by rollouts of the policy itself.

    Args:
        policy: the path of a policy file, or a trained agent of the game.
        iterations: the number of rollouts per decision, of all actions together.
        seconds: the time per decision in seconds, which replaces ``iterations``; choices then depend on the speed of
            the machine.
        candidates: the maximum number of actions to compare, at least 2; the most likely actions are taken.
        value_weight: the weight with which an action's mean return (from -1 to 1) is added to its log-probability; at
            least 0.
        seed: the seed of the search's random numbers.
        turns: the number of times that the seat to act changes in a rollout, from 1 to 1000. The value of a rollout is
            the mean of the estimates at these changes.
        prior_floor: a lower bound on an action's probability, relative to the most likely action's, from 0 to 1.
            Training can make a policy almost certain of a mistake, and the bound lets rollouts correct the mistake.
            With 0, actions below LEAST_RATIO are not compared at all.

    Raises:
        ValueError: if an option is out of range.
        romans_agents.UnknownAgentError: if there is no such policy, or it was made for another game.
    """

    name = "policy-rollouts"
    game: str
    """Name of the game, set by a subclass."""

    def __init__(
        self,
        policy: str,
        iterations: int = 100,
        seconds: float | None = None,
        candidates: int = 6,
        value_weight: float = 80.0,
        seed: int = 0,
        turns: int = 1,
        prior_floor: float = 0.0,
    ):
        super().__init__(iterations, seconds, seed, candidates, value_weight, turns)
        if not 0.0 <= prior_floor <= 1.0:
            raise ValueError(f"prior_floor is from 0 to 1, not {shortened(prior_floor)}")
        self.prior_floor = prior_floor
        self.policy = policy_of(policy, game=self.game)
        self._networks = networks_of(self.policy)
        self._loops = bound(policy_loops, game=spec_of(self.game).part("step"))

    def candidates(self, view: View) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
        """Return the most likely legal actions, at least 2 and at most ``most``, with their logits.

        Returns:
            Action ids, int64, and logits (raised to ``prior_floor``), float32, both of shape ``(n,)`` and in descending
            order of the logits.
        """
        logits = self.policy.logits(view.observation[None])[0]
        legal = np.array(view.legal_actions(), dtype=np.int64)
        likeliest = legal[np.argsort(-logits[legal], kind="stable")[: self.most]]
        if self.prior_floor:
            return likeliest, np.maximum(logits[likeliest], logits[likeliest[0]] + math.log(self.prior_floor))
        is_likely = logits[likeliest] >= logits[likeliest[0]] + math.log(LEAST_RATIO)
        actions = likeliest[: max(2, np.count_nonzero(is_likely))]
        return actions, logits[actions]

    def rollouts(self, view: View, actions: npt.NDArray[np.int64]) -> Rollouts:
        """Return a function that plays rollouts of the policy after each of the actions.

        Args:
            view: the view of the seat to act.
            actions: ids of legal actions, int64, shape ``(n,)``.
        """
        records = np.repeat(view.states, policy_loops.NUM_RECORDS)
        words = np.zeros((len(records), WORDS), dtype=np.int64)
        seen, scratch = np.empty_like(view.observation[None]), np.empty(view.rules.num_actions, dtype=np.int64)
        streams: Any = streams_for(view, self._seed, 1)
        return lambda sums, count: self._loops.evaluate_actions(
            records, view.seat, actions, sums, count, self.turns, streams, words, seen, scratch, self._networks
        )
