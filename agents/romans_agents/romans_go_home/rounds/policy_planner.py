"""A step from a policy: its own plans, weighed against what the rivals may lay, for any number of players.

The rivals are believed to lay what the policy lays, or what players lay who evaluate plans by samples. Of the policy's
plans for the hand, those that do well against that become likelier, as after a step of mirror descent from the policy
(Sokota et al. 2023; with the policy as the anchor, KL-regularised search: Jacob et al. 2022): the probability of a plan
is in proportion to that by the policy, times exp(value / TEMPERATURE). No best response, so the plan stays a draw.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from romans_agents import PolicyAgent
from romans_agents.romans_go_home.rounds.attack import determinized, joint_plans
from romans_agents.romans_go_home.rounds.beliefs import Plans, hand_of, plans_of
from romans_agents.romans_go_home.rounds.kernels import games as kernels
from romans_agents.romans_go_home.rounds.networks import round_networks
from romans_agents.romans_go_home.rounds.opponents import mixed, plausible_plans, schemed_plans
from romans_agents.romans_go_home.rounds.rival import Rival
from romans_env import RomansGoHome
from romans_env.romans_go_home.state import States

POLICY_SHARE, SCHEMED_SHARE, PLAUSIBLE_SHARE = 0.5, 0.45, 0.05
"""The belief about a rival: it plays the policy, evaluates plans by samples, or lays anything plausible."""
TEMPERATURE = 0.01
"""Of the step, in returns."""
RIVAL_PARTIAL_PLANS, OWN_PARTIAL_PLANS = 500, 250
"""Partial plans of the policy that are followed, by a budget of 1: of all rivals, and of the own hand."""
SCHEMED, PLAUSIBLE = 4, 16
"""Plans for each hand of all rivals."""
FIRST_SAMPLES, KEPT, SAMPLES = 64, 40, 300
"""All plans meet so many lines of the rivals; so many of the plans, the best, meet more."""


class PolicyPlanner:
    """Draws plans by a step from a policy.

    Args:
        policy: the policy.
        rules: the game with its setup.
    """

    def __init__(self, policy: PolicyAgent, rules: RomansGoHome):
        self._rival, self._table = Rival(policy, rules), rules.setup

    def plan(
        self, root: States, seat: int, budget: float, rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int8], list[Plans]]:
        """A plan, and the belief about the other players' plans.

        Args:
            root: the start of the round, redacted for the seat, shape (1,).
            seat: who plans.
            budget: how much is computed.
            rng: of all draws.
        """
        full = determinized(root, seat, 1, rng)
        others = [player for player in range(self._table.num_players) if player != seat]
        share = budget / max(1, len(others))
        beliefs = [self._belief(full, other, share, rng) for other in others]
        own = plans_of(self._rival, full, seat, rng, _count(OWN_PARTIAL_PLANS * budget), hand_of(root, seat))
        values = self._values(root, seat, own.plans, beliefs, _count(FIRST_SAMPLES * budget), rng)
        best = np.argsort(-values, kind="stable")[: _count(KEPT * budget)]
        values = self._values(root, seat, own.plans[best], beliefs, _count(SAMPLES * budget), rng)
        logs = np.log(own.weights[best]) + values / TEMPERATURE
        weights = np.exp(logs - logs.max())
        return own.plans[best][rng.choice(len(best), p=weights / weights.sum())], beliefs

    def _belief(self, full: States, other: int, budget: float, rng: np.random.Generator) -> Plans:
        table = self._table
        return mixed(
            [
                (plans_of(self._rival, full, other, rng, _count(RIVAL_PARTIAL_PLANS * budget)), POLICY_SHARE),
                (schemed_plans(full, other, table, _count(SCHEMED * budget), rng), SCHEMED_SHARE),
                (plausible_plans(full, other, table, _count(PLAUSIBLE * budget), rng), PLAUSIBLE_SHARE),
            ]
        )

    def _values(
        self,
        root: States,
        seat: int,
        plans: npt.NDArray[np.int8],
        beliefs: list[Plans],
        samples: int,
        rng: np.random.Generator,
    ) -> npt.NDArray[np.float64]:
        """The expected return of each plan: float64, shape (n,)."""
        laid, weights = joint_plans(beliefs, self._table.num_players, seat, samples, rng)
        payoffs = np.empty((len(plans), len(laid)))
        roots = determinized(root, seat, len(laid) + 1, rng)
        kernels.rollout_payoffs(roots, laid, seat, plans, round_networks(), payoffs)
        return np.asarray(payoffs @ weights)


def _count(number: float) -> int:
    return max(2, round(number))
