"""Targets of the plans of both seats at starts of rounds: what a search by rollouts makes of them.

For a few hands of a seat, candidates are drawn from the magnet: the policy at the beginning of the iteration, mixed
with some other plans. Each candidate plays against plans of the opponent, which follow the policy that is being fitted,
or a fixed habit. The target is the magnet times exp(value / temperature), the fixed point of magnetic mirror descent
(Sokota et al. 2023) against this opponent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from recipes.proximal_point_online.policy_net import PolicyNet
from romans_agents.romans_go_home.rounds.beliefs import begin_planning, plans_laid, possible_hands
from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.opponent_model import observed
from romans_agents.romans_go_home.rounds.opponents import candidate_plans, searched_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, redacted
from romans_agents.romans_go_home.rounds.plan_distributions import Cards, Floats
from romans_agents.romans_go_home.styles import QUICK_SCHEMER
from romans_env import Table
from romans_env.romans_go_home.actions import DISCARD, NUM_ACTIONS, PLACE
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.state import States

Integers = npt.NDArray[np.int64]


class Search(NamedTuple):
    """How plans are compared.

    Attributes:
        temperature: the weight of the divergence from the magnet, in returns.
        floor: the share of the magnet that goes to other plans than the policy's.
        habit: the share of the opponent's plans that come from the habits.
        hands: the number of hands of a seat at a start.
        likely: the number of plans of the policy for each hand.
        plausible: the number of other plans for each hand, besides one of the quick `schemer`.
        opponents: the number of the opponent's plans.
    """

    temperature: float = 0.05
    floor: float = 0.2
    habit: float = 0.5
    hands: int = 4
    likely: int = 9
    plausible: int = 2
    opponents: int = 64


class Candidates(NamedTuple):
    """Candidate plans of several hands, each with the state in which its seat begins to plan.

    Attributes:
        states: records, shape ``(n,)``.
        plans: int8, shape ``(n, 7)``.
        groups: the number of the hand of each plan, counted over all starts and seats: int64, shape ``(n,)``.
        before: the policy's probability of a plan given the hand, by the sample: float64, shape ``(n,)``.
        after: the probability in the target: float64, shape ``(n,)``.
        values: the mean return of the plan: float64, shape ``(n,)``.
    """

    states: States
    plans: Cards
    groups: Integers
    before: Floats
    after: Floats
    values: Floats


class Decisions(NamedTuple):
    """Decisions in planning, from which the network learns.

    Attributes:
        observations: int8, shape ``(n, observation_size)``.
        masks: int8, shape ``(n, NUM_ACTIONS)``.
        before: the probability that the policy comes to the decision, given the hand: float32, shape ``(n,)``.
        change: by how much the target is more likely to come to the decision and choose an action: float32, shape
            ``(n, NUM_ACTIONS)``.
    """

    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    before: npt.NDArray[np.float32]
    change: npt.NDArray[np.float32]


class PlanSearch:
    """Compares candidate plans at starts of rounds.

    Args:
        magnet: the network of the policy at the beginning of the iteration.
        current: the network that is being fitted.
        habits: other policies that the opponent may follow; the quick `schemer` is one more.
        table: a setup for two players without neutral clans.
        search: the settings.
    """

    def __init__(
        self, magnet: PolicyNet, current: PolicyNet, habits: Sequence[PolicyNet], table: Table, search: Search
    ):
        self._magnet, self._current, self._habits = magnet, current, habits
        self._table, self._search = table, search
        self._hands, self._chances = possible_hands(table)

    def candidates(self, starts: States, rng: np.random.Generator) -> Candidates:
        """Return candidate plans of both seats with their targets.

        Args:
            starts: full records at the starts of rounds, shape ``(n,)``; what is hidden in them changes nothing.
            rng: the generator of all samples.
        """
        search, hands = self._search, self._search.hands
        opponents = [self._opponents(starts, seat, rng) for seat in range(2)]
        each = search.likely + 1 + search.plausible
        found = []
        for seat in range(2):
            drawn = rng.choice(len(self._hands), (len(starts), hands), p=self._chances)
            likely = self._drawn(self._magnet, starts, seat, np.repeat(drawn, search.likely, axis=1), rng)
            schemed = self._schemed(starts, seat, drawn, rng)
            plans = np.zeros((len(starts), hands, each, likely.shape[-1]), dtype=np.int8)
            plans[:, :, : search.likely] = likely.reshape(len(starts), hands, search.likely, -1)
            plans[:, :, search.likely] = schemed
            for k, numbers in enumerate(drawn):
                for column, number in enumerate(numbers):
                    other = candidate_plans(
                        starts[k : k + 1], seat, self._hands[number], search.plausible, self._table, rng
                    )
                    # Duplicates are left out, so there may be fewer.
                    plans[k, column, search.likely + 1 :] = other[np.arange(search.plausible) % len(other)]
            values = np.empty((len(starts), hands, each))
            for k in range(len(starts)):
                laid = np.zeros((search.opponents, 2, plans.shape[-1]), dtype=np.int8)
                laid[:, 1 - seat] = opponents[1 - seat][k]
                root = redacted(starts[k : k + 1], seat)
                rows, inverse = np.unique(plans[k].reshape(hands * each, -1), axis=0, return_inverse=True)
                values[k] = payoffs_of(root, seat, rows, laid, rng).mean(axis=1)[inverse].reshape(hands, each)
            found.append(self._with_targets(starts, seat, drawn, plans, values))
        groups = [one.groups + seat * len(starts) * hands for seat, one in enumerate(found)]
        columns = [np.concatenate(column) for column in zip(*found, strict=True)]
        return Candidates(*columns)._replace(groups=np.concatenate(groups))

    def _with_targets(
        self, starts: States, seat: int, drawn: Integers, plans: npt.NDArray[np.int8], values: Floats
    ) -> Candidates:
        search, each = self._search, plans.shape[2]
        before = np.zeros(each)
        before[: search.likely] = 1.0 / search.likely
        weights = before.copy()
        weights[search.likely :] = search.floor / (each - search.likely)
        advantages = values - (values @ before)[:, :, None]
        after = before + weights * advantages / search.temperature
        states = np.repeat(starts, drawn.shape[1] * each)
        begin_planning(states, seat, self._hands[np.repeat(drawn.ravel(), each)], self._table)
        return Candidates(
            states,
            plans.reshape(-1, plans.shape[-1]),
            np.repeat(np.arange(drawn.size), each),
            np.tile(before, drawn.size),
            after.ravel(),
            values.ravel(),
        )

    def _opponents(self, starts: States, seat: int, rng: np.random.Generator) -> Cards:
        """Return plans of a seat for random hands: int8, shape ``(n, opponents, 7)``."""
        search = self._search
        drawn = rng.choice(len(self._hands), (len(starts), search.opponents), p=self._chances)
        habits = round(search.habit * search.opponents)
        schemed = habits // (len(self._habits) + 1)
        parts = [self._schemed(starts, seat, drawn[:, :schemed], rng)]
        first = schemed
        for k, net in enumerate((*self._habits, self._current)):
            last = search.opponents if k == len(self._habits) else first + (habits - schemed) // len(self._habits)
            parts.append(self._drawn(net, starts, seat, drawn[:, first:last], rng))
            first = last
        return np.concatenate(parts, axis=1)

    def _drawn(
        self, net: PolicyNet, starts: States, seat: int, drawn: Integers, rng: np.random.Generator
    ) -> npt.NDArray[np.int8]:
        """Sample a network's plan for each hand: int8, shape ``(n, hands, 7)``."""
        states = self._begun(starts, seat, drawn)
        plans = plans_laid(lambda some: net.probabilities(*observed(some)), states, seat, self._table, rng)
        return plans.reshape(*drawn.shape, HAND_SIZE)

    def _schemed(self, starts: States, seat: int, drawn: Integers, rng: np.random.Generator) -> npt.NDArray[np.int8]:
        plans = searched_plans(QUICK_SCHEMER, self._begun(starts, seat, drawn), rng)
        return plans.reshape(*drawn.shape, HAND_SIZE)

    def _begun(self, starts: States, seat: int, drawn: Integers) -> States:
        states = np.repeat(starts, drawn.shape[1])
        begin_planning(states, seat, self._hands[drawn.ravel()], self._table)
        return states


def decisions_of(candidates: Candidates, table: Table) -> Decisions:
    """Return the decisions by which candidate plans are laid, each once for every hand."""
    states, plans, size = candidates.states.copy(), candidates.plans, table.hand_size
    # A decision is known by the hand and the actions so far: first the warrior set aside, then the line.
    actions = np.concatenate([plans[:, size - 1 : size], plans[:, : size - 1]], axis=1).astype(np.int64) + PLACE
    actions[:, 0] += DISCARD - PLACE
    weights = np.stack([candidates.before, candidates.after], axis=1)
    prefixes, found = candidates.groups, []
    for depth in range(size):
        asked = (states["legal"] & (states["legal"] - 1)) != 0
        states, actions, weights, prefixes = states[asked], actions[asked], weights[asked], prefixes[asked]
        if not len(states):
            break
        _, first, inverse = np.unique(prefixes, return_index=True, return_inverse=True)
        mass = np.zeros((len(first), 2, NUM_ACTIONS))
        chosen = actions[:, depth]
        np.add.at(mass, (inverse, slice(None), chosen), weights)
        found.append((*observed(states[first]), mass[:, 0].sum(axis=1), mass[:, 1] - mass[:, 0]))
        record_loops.plan_each(states, chosen)
        prefixes = inverse * NUM_ACTIONS + chosen
    observations, masks, before, change = (np.concatenate(column) for column in zip(*found, strict=True))
    return Decisions(observations, masks, before.astype(np.float32), change.astype(np.float32))
