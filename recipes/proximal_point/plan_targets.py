"""The targets of an iteration: solutions of rounds between two players, pulled towards the current policy.

In the game of a round, each player meets the other player's solution with probability 1 - ``habit``, and otherwise a
fixed belief. It maximises its return minus ``temperature`` times the divergence of its plans from a magnet, which is
the policy mixed with a few other plans. The solution is a step of the proximal-point method, computed by magnetic
mirror descent (Sokota et al. 2023). A single step against the current policy would go round in circles. With a habit,
the solution is a restricted Nash response (Johanson, Zinkevich and Bowling 2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents import PolicyAgent
from romans_agents.romans_go_home.rounds.beliefs import plans_of, possible_hands, thinned
from romans_agents.romans_go_home.rounds.matrix_game import BayesianPlayer, matched
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel
from romans_agents.romans_go_home.rounds.opponents import mixed, plausible_plans, schemed_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, redacted
from romans_agents.romans_go_home.rounds.plan_distributions import Cards, Floats, Plans
from romans_env import RomansGoHome, Table
from romans_env.romans_go_home.state import States

RATE, ITERATIONS = 0.2, 150
"""Of mirror descent: the share of the new logits in each iteration, and the number of iterations. Plans then differ by
less than 1e-4 from the solution."""
LEAST = 1e-12
"""Smaller probabilities count as this one in logarithms."""


class Search(NamedTuple):
    """The settings with which rounds are solved.

    Attributes:
        temperature: the weight of the divergence from the magnet, in returns.
        floor: the share of the magnet that goes to other plans than the policy's.
        habit: the probability that a player meets the belief about its opponent.
        partial_plans: the most partial plans of the policy that are followed, for all hands of a seat.
        plausible: the most other plans of each hand, besides one of the quick `schemer`.
        columns: the most plans of a belief.
    """

    temperature: float = 0.05
    floor: float = 0.2
    habit: float = 0.5
    partial_plans: int = 300
    plausible: int = 2
    columns: int = 80


class ImprovedPlans(NamedTuple):
    """The plans of a seat before and after the improvement, for all hands.

    Attributes:
        plans: the plans, those of a hand together: int8, shape ``(n, 7)``.
        hands: the index of each plan's hand in `possible_hands`: int64, shape ``(n,)``.
        before: the policy's probability of each plan given its hand, estimated by a sample: float64, shape ``(n,)``.
        after: the probability in the solution: float64, shape ``(n,)``.
        gain: the gain in return of the solution over the policy, against the opponent of the solution.
        regret: the gain in return of the best plans over the policy, against the policy.
    """

    plans: Cards
    hands: npt.NDArray[np.int64]
    before: Floats
    after: Floats
    gain: float
    regret: float


class RoundSolver:
    """Solves rounds between two players for a policy.

    Args:
        policy: the policy.
        panel: policies in the belief about an opponent; the quick `schemer` is one more, and all have equal shares.
        table: a setup for two players without neutral clans.
        search: the settings.
    """

    def __init__(self, policy: PolicyAgent, panel: Sequence[PolicyAgent], table: Table, search: Search):
        rules = RomansGoHome(table)
        self._policy, self._panel = OpponentModel(policy, rules), [OpponentModel(one, rules) for one in panel]
        self._table, self._search = table, search
        self._hands, self._chances = possible_hands(table)
        self._numbers = {hand.tobytes(): number for number, hand in enumerate(self._hands)}

    def improve(self, start: States, rng: np.random.Generator) -> list[ImprovedPlans]:
        """Return the improved plans of both seats at the start of a round.

        Args:
            start: a full record at the start of a round, shape ``(1,)``; what is hidden in it changes nothing.
            rng: the generator of all samples.
        """
        schemed = [schemed_plans(start, seat, self._table, 1, rng) for seat in range(2)]
        own = [self._candidates(start, seat, schemed[seat], rng) for seat in range(2)]
        first = _payoffs(start, 0, own[0].plans, own[1].plans, rng)
        payoffs = first, np.ascontiguousarray(-first.T)
        habits = [np.zeros(len(one.plans)) for one in own]
        if self._search.habit:
            for seat in range(2):
                belief = self._belief(start, 1 - seat, schemed[1 - seat], rng)
                habits[seat] = _payoffs(start, seat, own[seat].plans, belief.plans, rng) @ belief.weights
        return self._solved(own, payoffs, habits)

    def _candidates(self, start: States, seat: int, schemed: Plans, rng: np.random.Generator) -> ImprovedPlans:
        """Return the plans of a seat that are compared; ``after`` is the magnet."""
        search = self._search
        likely = plans_of(self._policy, start, seat, rng, search.partial_plans)
        plausible = plausible_plans(start, seat, self._table, search.plausible, rng)
        others = mixed([(schemed, 0.2), (plausible, 0.8)])
        plans = np.concatenate([likely.plans, others.plans])
        hands = self._hands_of(plans)
        side = BayesianPlayer(hands, self._chances)
        zeros = np.zeros(len(others.plans))
        weights = np.append(likely.weights, zeros)
        # A hand of which no plan of the policy was followed has other plans only.
        is_followed = np.bincount(hands, weights, len(self._chances))[hands] > 0
        before = np.where(is_followed, matched(weights, side), 0.0)
        extra = matched(np.append(0 * likely.weights, others.weights), side)
        magnet = matched((1 - search.floor) * before + search.floor * extra, side)
        order = np.argsort(hands, kind="stable")
        return ImprovedPlans(plans[order], hands[order], before[order], magnet[order], 0.0, 0.0)

    def _belief(self, start: States, seat: int, schemed: Plans, rng: np.random.Generator) -> Plans:
        share = 1.0 / (1 + len(self._panel))
        parts = [plans_of(model, start, seat, rng, self._search.partial_plans) for model in self._panel]
        belief = mixed([(one, share) for one in (*parts, schemed)])
        chosen, weights = thinned(belief.weights, self._search.columns, rng)
        return Plans(belief.plans[chosen], weights)

    def _solved(
        self, own: list[ImprovedPlans], payoffs: tuple[Floats, Floats], habits: Sequence[Floats]
    ) -> list[ImprovedPlans]:
        search, sides = self._search, [BayesianPlayer(one.hands, self._chances) for one in own]
        regrets = [self._regret(own[seat], payoffs[seat] @ self._weights(own[1 - seat])) for seat in range(2)]
        magnets = [np.log(np.maximum(one.after, LEAST)) for one in own]
        logits, values = list(magnets), list(habits)
        for _ in range(ITERATIONS):
            for seat in range(2):
                others = own[1 - seat]
                met = payoffs[seat] @ (self._chances[others.hands] * others.after)
                values[seat] = (1 - search.habit) * met + search.habit * habits[seat]
                target = magnets[seat] + values[seat] / search.temperature
                logits[seat] = (1 - RATE) * logits[seat] + RATE * target
                own[seat] = own[seat]._replace(after=_softmax(logits[seat], sides[seat]))
        gains = [
            float((self._chances[one.hands] * (one.after - one.before)) @ value)
            for one, value in zip(own, values, strict=True)
        ]
        return [one._replace(gain=gain, regret=regret) for one, gain, regret in zip(own, gains, regrets, strict=True)]

    def _regret(self, own: ImprovedPlans, values: Floats) -> float:
        best = np.full(len(self._chances), -np.inf)
        np.maximum.at(best, own.hands, values)
        return float(self._chances @ best - self._weights(own) @ values)

    def _weights(self, own: ImprovedPlans) -> Floats:
        return np.asarray(self._chances[own.hands] * own.before)

    def _hands_of(self, plans: Cards) -> npt.NDArray[np.int64]:
        held = np.sort(plans[:, : self._table.hand_size], axis=1)
        return np.array([self._numbers[hand.tobytes()] for hand in held], dtype=np.int64)


def _payoffs(start: States, seat: int, own: Cards, others: Cards, rng: np.random.Generator) -> Floats:
    laid = np.zeros((len(others), 2, others.shape[1]), dtype=np.int8)
    laid[:, 1 - seat] = others
    return payoffs_of(redacted(start, seat), seat, own, laid, rng)


def _softmax(logits: Floats, side: BayesianPlayer) -> Floats:
    highest = np.full(len(side.chances), -np.inf)
    np.maximum.at(highest, side.types, logits)
    return matched(np.exp(logits - highest[side.types]), side)
