"""`policy-rollouts`: improves a policy by rollouts (Tesauro and Galperin 1997) to the end of the own turn, or further.

The most likely actions are each played on by the policy itself until the seat to act has changed so many times; its
value network says at each change what the position is worth. All are played on from the same determinizations with the
same chance (common random numbers), so that actions differ by what they do and not by their luck.

What is played is the most likely action of the improved policy: probabilities in proportion to p(a) exp(w Q(a)), with
the policy p, the mean Q of the rollouts and a weight w. It is the best policy for Q that a KL divergence keeps near p
(Grill et al. 2020, "Monte-Carlo tree search as regularized policy optimization"): between actions that the rollouts
cannot tell apart, what the policy has learned decides.
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
"""An action is compared if it is at least so likely in proportion to the most likely one; the second one always is."""


class PolicyRolloutsAgent(RolloutAgent):
    """Searches its own turn on top of a policy.

    Args:
        policy: a policy file, or a trained agent of the game.
        iterations: rollouts for a decision, of all actions together.
        seconds: time for a decision, in place of ``iterations``; choices then depend on the machine, too.
        candidates: how many actions are compared, the most likely ones; at least 2.
        value_weight: weight of the mean return of an action's rollouts, from -1 to 1, beside its log-probability;
            at least 0.
        seed: the seed of the search's chance.
        turns: how often the seat to act changes in a rollout, whose worth is the mean over these changes; 1 to 1000.
        prior_floor: what an action's probability counts as at least, in proportion to the most likely one's, 0 to 1.
            Training can make a policy as good as certain of a mistake; with 0, actions below LEAST_RATIO are left out.

    Raises:
        ValueError: options out of range.
        romans_agents.UnknownAgentError: a policy that there is not, or of another game.
    """

    name = "policy-rollouts"
    game: str
    """A subclass names it."""

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
        """Return the most likely legal actions, in descending order, between 2 and ``most``; scores are logits."""
        logits = self.policy.logits(view.observation[None])[0]
        legal = np.array(view.legal_actions(), dtype=np.int64)
        likeliest = legal[np.argsort(-logits[legal], kind="stable")[: self.most]]
        if self.prior_floor:
            return likeliest, np.maximum(logits[likeliest], logits[likeliest[0]] + math.log(self.prior_floor))
        is_likely = logits[likeliest] >= logits[likeliest[0]] + math.log(LEAST_RATIO)
        actions = likeliest[: max(2, np.count_nonzero(is_likely))]
        return actions, logits[actions]

    def rollouts(self, view: View, actions: npt.NDArray[np.int64]) -> Rollouts:
        """Return rollouts of the policy after each of some actions."""
        records = np.repeat(view.states, policy_loops.NUM_RECORDS)
        words = np.zeros((len(records), WORDS), dtype=np.int64)
        seen, scratch = np.empty_like(view.observation[None]), np.empty(view.rules.num_actions, dtype=np.int64)
        streams: Any = streams_for(view, self._seed, 1)
        return lambda sums, count: self._loops.evaluate_actions(
            records, view.seat, actions, sums, count, self.turns, streams, words, seen, scratch, self._networks
        )
