"""`flat-mc`: Monte Carlo without a tree.

Every decision samples determinizations of what the seat knows, and every candidate is played on from the very same
determinizations with the very same chance (common random numbers), so that candidates differ by what they do and not by
their luck. In the attack the candidates are the legal actions. In planning they are whole plans, some hundreds or all
7 x 720 of them, against plans that the rivals may make; sequential halving (Karnin, Koren and Somekh 2013) spends the
rollouts on those that do well.
"""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import numpy.typing as npt

from romans_agents.budget import Budget, check_budget
from romans_agents.registry import policy_of
from romans_agents.romans_go_home import flat_mc_kernels as kernels
from romans_agents.romans_go_home.plan_memory import Plan, PlanMemory, Streams, stream_for
from romans_agents.romans_go_home.rollouts import rollouts_of
from romans_agents.romans_go_home.timed_agent import TimedAgent
from romans_env import View
from romans_env.romans_go_home.cards import HAND_SIZE, NUM_WARRIORS
from romans_env.romans_go_home.state import States

MAX_PLANS = math.factorial(HAND_SIZE)


class FlatMCAgent(TimedAgent):
    """Compares candidates by rollouts.

    Args:
        iterations: rollouts for a decision; a whole plan is one decision.
        seconds: time for a decision, in place of ``iterations``; choices then depend on the machine, too.
        plans: candidates in planning, 2 to 5040 (5040: all there are).
        rollout: who plays the rollouts: ``likely``, ``random``, ``greedy``, ``hoarder``, ``legionary``,
            ``skirmisher`` or ``policy``.
        horizon: where rollouts end: ``round`` or ``game``.
        policy: a policy file or a trained agent. Its value judges the ends of rounds, and ``rollout=policy`` plays it.
        seed: the seed of the search's chance.

    Raises:
        ValueError: options out of range.
        romans_agents.PolicyFileError: a policy file that cannot be read.
        romans_agents.UnknownAgentError: no such agent, or one without a network.
    """

    name = "flat-mc"
    searches = True

    def __init__(
        self,
        iterations: int = 2000,
        seconds: float | None = None,
        plans: int = 200,
        rollout: str = "likely",
        horizon: str = "round",
        policy: str | None = None,
        seed: int = 0,
    ):
        check_budget(iterations, seconds)
        if not 2 <= plans <= MAX_PLANS:
            raise ValueError(f"plans is 2 to {MAX_PLANS}, not {plans}")
        self.iterations, self.seconds, self.plans = iterations, seconds, plans
        self._rollouts = rollouts_of(rollout, horizon, None if policy is None else policy_of(policy))
        self._memory = PlanMemory(self._make_plan)
        self.seed(seed)
        if seconds is not None:
            self._compile([self.act, self._best_action])
            self.seed(seed)

    def seed(self, seed: int) -> None:
        self._seed = seed
        self._memory.seed(seed)

    def act(self, view: View) -> int:
        action = self._memory.action(view)
        return self._best_action(view) if action is None else action

    def _best_action(self, view: View) -> int:
        budget = Budget(self.iterations, self.seconds)
        actions = np.array(view.legal_actions(), dtype=np.int64)
        records, stream = np.repeat(view.states, kernels.NUM_RECORDS), stream_for(view.states, self._seed)
        sums = np.zeros(len(actions))

        def run(num_draws: int) -> None:
            kernels.compare_actions(records, view.seat, actions, sums, num_draws, self._rollouts, stream)

        budget.spend(1.0, run, cost=len(actions))
        return int(actions[sums.argmax()])

    def _make_plan(self, root: States, seat: int, stream: Streams) -> Plan:
        budget = Budget(self.iterations, self.seconds)
        plans = self._candidates(root, seat, stream)
        records = np.repeat(root, kernels.NUM_RECORDS)
        num_halvings = math.ceil(math.log2(len(plans)))
        means = np.zeros(len(plans))
        for _ in range(num_halvings):
            sums = np.zeros(len(plans))

            def run(num_draws: int, plans: npt.NDArray[np.int64] = plans, sums: npt.NDArray[np.float64] = sums) -> None:
                kernels.compare_plans(records, seat, plans, sums, num_draws, self._rollouts, stream)

            means = sums / budget.spend(1.0 / num_halvings, run, cost=len(plans))
            plans = plans[np.argsort(-means, kind="stable")[: math.ceil(len(plans) / 2)]]
        return np.asarray(plans[0], dtype=np.int64)

    def _candidates(self, root: States, seat: int, stream: Streams) -> npt.NDArray[np.int64]:
        """Different plans, int64, shape (n, 7)."""
        if self.plans == MAX_PLANS:
            hand = root[0]["hand"][seat]
            cards = [warrior for warrior in range(NUM_WARRIORS) for _ in range(hand[warrior])]
            different = np.array(sorted(set(permutations(cards))), dtype=np.int64)
            return np.pad(different, ((0, 0), (0, HAND_SIZE - len(cards))))
        # Fewer rollouts than candidates would compare luck.
        count = min(self.plans, max(2, self.iterations // 8)) if self.seconds is None else self.plans
        plans = np.empty((count, HAND_SIZE), dtype=np.int64)
        kernels.draw_plans(root, seat, plans, stream)
        _, first = np.unique(plans, axis=0, return_index=True)
        return plans[np.sort(first)]
