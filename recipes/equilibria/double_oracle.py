"""Solves rounds between two players, as games with hidden hands, by a double oracle.

At the start of a round everything is public except the warriors in hand (RULES 2.2, 3). So a round is a game of two
sides, each with 29 types (the hands) and up to 5,040 plans per type. The double oracle (McMahan, Gordon and Blum 2003)
solves the game with a few plans for each hand by regret matching, finds good responses to the solution by rollouts,
adds them, and repeats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.policies.policy import PolicyAgent
from romans_agents.romans_go_home.rounds.beliefs import begin_planning, plans_laid, possible_hands
from romans_agents.romans_go_home.rounds.matrix_game import BayesianPlayer, Floats, solve
from romans_agents.romans_go_home.rounds.opponent_model import observed
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, redacted
from romans_env import Table
from romans_env.romans_go_home.material import HAND_SIZE, NUM_WARRIORS
from romans_env.romans_go_home.state import States


class Search(NamedTuple):
    """How a round is solved.

    Attributes:
        own: plans for each hand, at first: of the policy, if there is one.
        random: other plans of a hand that are tried each time.
        first, second: plans of the rival that these meet, and that the best quarter meet after that.
        added: plans that are added for each hand.
        repeats: how often plans are added, after the first time.
        iterations: of regret matching.
    """

    own: int = 8
    random: int = 240
    first: int = 8
    second: int = 24
    added: int = 8
    repeats: int = 3
    iterations: int = 200


DROPPED = 0.002
"""Plans with less probability are dropped before others are added."""


class Solution(NamedTuple):
    """Mixed plans of a seat, for every hand.

    Attributes:
        plans: int8, shape (n, 7), those of a hand together.
        types: the number of the hand of each, ascending, as in `possible_hands`: int64, shape (n,).
        weights: its probability, given the hand: float64, shape (n,).
    """

    plans: npt.NDArray[np.int8]
    types: npt.NDArray[np.int64]
    weights: Floats


class DoubleOracle:
    """Solves the start of a round.

    Args:
        root: a game at the start of a round, shape (1,); what hands it has changes nothing.
        table: of the game, for two players without neutral clans.
        search: how.
        rng: of all chance.
    """

    def __init__(self, root: States, table: Table, search: Search, rng: np.random.Generator):
        self._root, self._table, self._search, self._rng = root, table, search, rng
        self._hands, self._chances = possible_hands(table)
        self._views = [redacted(root, seat) for seat in range(2)]

    def solve(self, policy: PolicyAgent | None = None) -> list[Solution]:
        """Mixed plans of both seats, close to an equilibrium.

        Args:
            policy: whose plans are the first that are looked at; None: any plans.
        """
        search, count = self._search, len(self._hands)
        hands = np.repeat(self._hands, search.own, axis=0)
        types = np.repeat(np.arange(count), search.own)
        mixes = []
        for seat in range(2):
            if policy is None:
                plans = self._laid_at_random(hands)
            else:
                plans = draw_plans(policy, self._root, seat, hands, self._table, self._rng)
            mixes.append(Solution(plans, types, np.full(len(plans), 1 / search.own)))
        for repeat in range(search.repeats + 1):
            met = [self._drawn(mix, search.first + search.second) for mix in mixes]
            if repeat == 0:
                # A policy may be too sure of itself, so the first answers are looked for against other plans, too.
                for plans in met:
                    plans[::4] = self._any_plans(len(plans[::4]))
            wider = [self._with_answers(seat, mixes[seat], met[1 - seat]) for seat in range(2)]
            mixes = self._solved(wider)
        return mixes

    def _drawn(self, mix: Solution, count: int) -> npt.NDArray[np.int8]:
        chances = self._chances[mix.types] * mix.weights
        return mix.plans[self._rng.choice(len(chances), count, p=chances / chances.sum())]

    def _any_plans(self, count: int) -> npt.NDArray[np.int8]:
        hands = self._hands[self._rng.choice(len(self._hands), count, p=self._chances)]
        return self._laid_at_random(hands)

    def _laid_at_random(self, hands: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """A plan of each hand: int8, shape (n, 7)."""
        missing = HAND_SIZE - hands.shape[1]
        return np.pad(self._rng.permuted(hands, axis=1), ((0, 0), (0, missing)))

    def _payoffs(self, seat: int, plans: npt.NDArray[np.int8], others: npt.NDArray[np.int8]) -> Floats:
        laid = np.zeros((len(others), 2, HAND_SIZE), dtype=np.int8)
        laid[:, 1 - seat] = others
        return payoffs_of(self._views[seat], seat, plans, laid, self._rng)

    def _with_answers(self, seat: int, mix: Solution, met: npt.NDArray[np.int8]) -> Solution:
        """The plans of a mix that count, and the best of some others, by hand."""
        search, count = self._search, len(self._hands)
        tried = self._laid_at_random(np.repeat(self._hands, search.random, axis=0))
        first = self._payoffs(seat, tried, met[: search.first]).mean(axis=1)
        # Where a hand has few plans, as at a small table, each counts once.
        first[_again(tried, np.repeat(np.arange(count), search.random))] = -np.inf
        first = first.reshape(count, -1)
        kept = search.random // 4
        rows = np.argpartition(-first, kept, axis=1)[:, :kept]
        tried = tried.reshape(count, search.random, -1)[np.arange(count)[:, None], rows]
        second = self._payoffs(seat, tried.reshape(count * kept, -1), met[search.first :]).mean(axis=1)
        score = second.reshape(count, -1) * search.second + np.take_along_axis(first, rows, axis=1) * search.first
        best = np.argsort(-score, axis=1)[:, : search.added]
        found = tried[np.arange(count)[:, None], best].reshape(count * search.added, -1)
        counts = mix.weights > DROPPED
        plans = np.concatenate([mix.plans[counts], found])
        types = np.concatenate([mix.types[counts], np.repeat(np.arange(count), search.added)])
        labelled = np.unique(np.column_stack([types.astype(np.int8), plans]), axis=0)
        return Solution(
            np.ascontiguousarray(labelled[:, 1:]), labelled[:, 0].astype(np.int64), np.full(len(labelled), np.nan)
        )

    def _solved(self, wider: list[Solution]) -> list[Solution]:
        payoffs = self._payoffs(0, wider[0].plans, wider[1].plans)
        sides = [BayesianPlayer(mix.types, self._chances) for mix in wider]
        weights = solve(payoffs, sides[0], sides[1], self._search.iterations)
        return [mix._replace(weights=weight) for mix, weight in zip(wider, weights, strict=True)]


def draw_plans(
    policy: PolicyAgent, root: States, seat: int, hands: npt.NDArray[np.int8], table: Table, rng: np.random.Generator
) -> npt.NDArray[np.int8]:
    """Draw a plan for each hand from a policy, which is asked for all at once: int8, shape (n, 7).

    Args:
        policy: makes the plans.
        root: a game at the start of a round, shape (1,).
        seat: whose plans.
        hands: as kinds, int8, shape (n, hand size).
        table: of the game.
        rng: of the plans.
    """
    states = np.repeat(root, len(hands))
    begin_planning(states, seat, hands, table)
    return plans_laid(lambda states: policy.policy.probabilities(*observed(states)), states, seat, table, rng)


def _again(plans: npt.NDArray[np.int8], types: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether a plan has been there before among those of its type: bool, shape (n,)."""
    codes = types.copy()
    for place in plans.T:
        codes = codes * NUM_WARRIORS + place
    again = np.ones(len(plans), dtype=bool)
    again[np.unique(codes, return_index=True)[1]] = False
    return again
