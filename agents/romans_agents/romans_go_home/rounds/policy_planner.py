"""The planner of `round-response`: it improves a policy's plans against a belief about the opponents' plans.

The belief is a mixture of the policy's plans and of plans by players who evaluate plans by samples
(`romans_agents.romans_go_home.rounds.opponents`). The candidates are the policy's plans for the hand.

A best response to the belief alone could be exploited. So between two players, the opponent follows the belief with
probability ``trust``, and otherwise plays a best response to the planner's plans over all its hands. This is a
restricted Nash response (Johanson, Zinkevich and Bowling 2008), computed by regret matching for both sides; the plan is
sampled from the mixed strategy for the hand.

On other tables, the planner takes a step of mirror descent from the policy (Sokota et al. 2023; with the policy as the
anchor, KL-regularised search: Jacob et al. 2022): the probability of a plan is proportional to its probability by the
policy times exp(value / TEMPERATURE).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.policies.policy import PolicyAgent
from romans_agents.romans_go_home.rounds.attack import determinized, joint_plans
from romans_agents.romans_go_home.rounds.beliefs import plans_of, possible_hands, thinned
from romans_agents.romans_go_home.rounds.matrix_game import BayesianPlayer, solve
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel
from romans_agents.romans_go_home.rounds.opponents import candidate_plans, mixed, plausible_plans, schemed_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of
from romans_agents.romans_go_home.rounds.plan_distributions import Cards, Floats, Plans, hand_of
from romans_env import RomansGoHome
from romans_env.romans_go_home.state import States

POLICY_SHARE, SCHEMED_SHARE, PLAUSIBLE_SHARE = 0.5, 0.45, 0.05
"""The belief about an opponent: the shares of the policy, of players who evaluate plans by samples, and of any
plausible plans."""
TRUST = 0.75
"""The default probability that the opponent follows the belief, instead of playing a best response."""
TEMPERATURE = 0.01
"""Temperature of the mirror descent step on tables of more than two players, in returns."""
RIVAL_PARTIAL_PLANS, OWN_PARTIAL_PLANS, OTHER_PARTIAL_PLANS = 500, 250, 100
"""The most partial plans of the policy that are followed with a budget of 1: for all opponents together, for the
planner's hand, and for all hands that the planner might have."""
SCHEMED, PLAUSIBLE = 4, 16
"""Plans of either kind for each hand, for all opponents together, with a budget of 1."""
FIRST_SAMPLES, KEPT = 64, 40
"""Number of samples of the opponents' plans in the first comparison, and of the best plans that are kept after it."""
PLAN_BATCHES = 4
"""Number of independent estimates when plans are compared; they share the budget."""
COLUMNS, SAMPLES = 200, 300
"""Number of samples of the opponents' plans in the second comparison, between two players and on other tables."""
NUM_SOLVING_ITERATIONS = 150
CUT = 0.1
"""Plans less likely than this fraction of the most likely one are dropped: average strategies keep some probability
from the first iterations."""


class _Weighed(NamedTuple):
    """The distributions that the planner has computed.

    Attributes:
        own: the planner's plans for its hand, with the probabilities from which it samples.
        beliefs: for each other player, the belief about its plans.
        answers: for each other player, its plans in the solution: the belief mixed with its best responses.
    """

    own: Plans
    beliefs: list[Plans]
    answers: list[Plans]


class PolicyPlanner:
    """Samples plans that improve a policy's.

    Args:
        policy: the policy.
        rules: the game with its setup.
        trust: the probability, between two players, that the opponent follows the belief, instead of playing a best
            response.
    """

    def __init__(self, policy: PolicyAgent, rules: RomansGoHome, trust: float = TRUST):
        self._trust = trust
        self._rival, self._table = OpponentModel(policy, rules), rules.setup
        self._hands, self._chances = possible_hands(self._table)
        self._numbers = {hand.tobytes(): number for number, hand in enumerate(self._hands)}

    def plan(self, root: States, seat: int, budget: float, rng: np.random.Generator) -> tuple[Cards, list[Plans]]:
        """Sample a plan.

        Args:
            root: the record at the start of the round, redacted for the seat, shape ``(1,)``.
            seat: the planning seat.
            budget: the amount of computation, relative to the default of 1.
            rng: the generator of all samples.

        Returns:
            The plan, int8, shape ``(7,)``, and the beliefs about the other players' plans, in seat order.
        """
        chosen = self._weighed(root, seat, budget, rng)
        return chosen.own.plans[rng.choice(len(chosen.own.plans), p=chosen.own.weights)], chosen.beliefs

    def compare(
        self, root: States, seat: int, plan: Cards, budget: float, rng: np.random.Generator
    ) -> tuple[Cards, Floats, list[Plans]]:
        """Compare a plan with the plans from which `plan` samples.

        Args:
            root: the record at the start of the round, redacted for the seat, shape ``(1,)``.
            seat: the planning seat.
            plan: the plan: int8, shape ``(7,)``.
            budget: the amount of computation, relative to the default of 1.
            rng: the generator of all samples.

        Returns:
            The plans, the given one first, int8, shape ``(n, 7)``; independent estimates of the seat's return with
            each, float64, shape ``(PLAN_BATCHES, n)``; and the beliefs about the other players' plans, in seat order.
        """
        found = [self._weighed(root, seat, budget / PLAN_BATCHES, rng) for _ in range(PLAN_BATCHES)]
        others = np.unique(np.concatenate([one.own.plans for one in found]), axis=0)
        plans = np.concatenate([plan[None], others[(others != plan).any(axis=1)]])
        values = np.empty((PLAN_BATCHES, len(plans)))
        for row, one in zip(values, found, strict=True):
            laid, weights = joint_plans(one.answers, self._table.num_players, seat, _count(COLUMNS * budget), rng)
            row[:] = payoffs_of(root, seat, plans, laid, rng) @ weights
        of_players = zip(*(one.beliefs for one in found), strict=True)
        return plans, values, [mixed([(one, 1.0 / PLAN_BATCHES) for one in beliefs]) for beliefs in of_players]

    def _weighed(self, root: States, seat: int, budget: float, rng: np.random.Generator) -> _Weighed:
        full = determinized(root, seat, 1, rng)
        others = [player for player in range(self._table.num_players) if player != seat]
        beliefs = [self._belief(full, other, budget / len(others), rng) for other in others]
        own = plans_of(self._rival, full, seat, rng, _count(OWN_PARTIAL_PLANS * budget), hand_of(root, seat))
        laid, weights = joint_plans(beliefs, self._table.num_players, seat, _count(FIRST_SAMPLES * budget), rng)
        values = payoffs_of(root, seat, own.plans, laid, rng) @ weights
        best = np.argsort(-values, kind="stable")[: _count(KEPT * budget)]
        kept = Plans(own.plans[best], own.weights[best])
        if self._table.num_players == self._table.num_clans == 2:
            chances, answer = self._restricted(root, full, seat, kept.plans, beliefs[0], budget, rng)
            return _Weighed(Plans(kept.plans, chances), beliefs, [answer])
        chances = self._stepped(root, seat, kept, beliefs, budget, rng)
        return _Weighed(Plans(kept.plans, chances), beliefs, beliefs)

    def _belief(self, full: States, other: int, budget: float, rng: np.random.Generator) -> Plans:
        table = self._table
        return mixed(
            [
                (plans_of(self._rival, full, other, rng, _count(RIVAL_PARTIAL_PLANS * budget)), POLICY_SHARE),
                (schemed_plans(full, other, table, _count(SCHEMED * budget), rng), SCHEMED_SHARE),
                (plausible_plans(full, other, table, _count(PLAUSIBLE * budget), rng), PLAUSIBLE_SHARE),
            ]
        )

    def _restricted(
        self,
        root: States,
        full: States,
        seat: int,
        plans: Cards,
        belief: Plans,
        budget: float,
        rng: np.random.Generator,
    ) -> tuple[Floats, Plans]:
        """Solve the game between two players; return the probabilities of ``plans``, and the opponent's plans."""
        own_hand = self._hands_of(plans)[0]
        others = plans_of(self._rival, full, seat, rng, _count(OTHER_PARTIAL_PLANS * budget)).plans
        rows = np.concatenate([plans, others[self._hands_of(others) != own_hand]])
        chosen, habit = thinned(belief.weights, _count(COLUMNS * budget), rng)
        columns = belief.plans[chosen]
        # Every hand needs a plan; the plans added for missing hands have no probability in the habit.
        rows = np.concatenate([rows, self._plans_of_missing_hands(full, seat, rows, rng)])
        missing = self._plans_of_missing_hands(full, 1 - seat, columns, rng)
        columns, habit = np.concatenate([columns, missing]), np.append(habit, np.zeros(len(missing)))
        laid, _ = joint_plans([Plans(columns, habit)], 2, seat, len(columns), rng)
        payoffs = payoffs_of(root, seat, rows, laid, rng)
        sides = (
            BayesianPlayer(self._hands_of(rows), self._chances),
            BayesianPlayer(self._hands_of(columns), self._chances),
        )
        mix, answer = solve(payoffs, *sides, NUM_SOLVING_ITERATIONS, habit, self._trust)
        mine = mix[: len(plans)]
        mine = np.where(mine < CUT * mine.max(), 0.0, mine)
        likely = self._trust * habit + (1 - self._trust) * sides[1].chances[sides[1].types] * answer
        return np.asarray(mine / mine.sum()), Plans(columns, likely)

    def _stepped(
        self, root: States, seat: int, own: Plans, beliefs: list[Plans], budget: float, rng: np.random.Generator
    ) -> Floats:
        """Return the probabilities of the planner's plans after a mirror descent step: float64, shape (n,)."""
        laid, weights = joint_plans(beliefs, self._table.num_players, seat, _count(SAMPLES * budget), rng)
        values = payoffs_of(root, seat, own.plans, laid, rng) @ weights
        logs = np.log(own.weights) + values / TEMPERATURE
        chances = np.exp(logs - logs.max())
        return np.asarray(chances / chances.sum())

    def _hands_of(self, plans: Cards) -> npt.NDArray[np.int64]:
        """Return the index of each plan's hand in `possible_hands`: int64, shape (n,)."""
        held = np.sort(plans[:, : self._table.hand_size], axis=1)
        return np.array([self._numbers[hand.tobytes()] for hand in held], dtype=np.int64)

    def _plans_of_missing_hands(self, full: States, seat: int, plans: Cards, rng: np.random.Generator) -> Cards:
        """Return a plan for every hand for which ``plans`` has none: int8, shape (n, 7)."""
        missing = np.setdiff1d(np.arange(len(self._hands)), self._hands_of(plans))
        found = [candidate_plans(full, seat, self._hands[number], 1, self._table, rng) for number in missing]
        return np.concatenate([plans[:0], *found])


def _count(number: float) -> int:
    return max(2, round(number))
