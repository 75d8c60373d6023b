"""Plans from the solution of the round as a game, without a policy.

Between two players without neutral clans a round is a matrix game with types: a player has one of the possible hands,
and for each hand some candidate plans. Every plan of every hand is played against every one of the other side by a
rollout to the end of the round. Regret matching finds a mixture of plans for each hand of both sides (`matrix_game`),
so that little is gained by knowing it. The best of all plans of the searcher's hand against the rival's mixtures are
added, the game is solved once more, and the plan is drawn. At other tables, plans are compared against plausible plans
of all the others, and the best one is laid.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.attack import determinized, joint_plans
from romans_agents.romans_go_home.rounds.beliefs import own_plans, possible_hands, thinned
from romans_agents.romans_go_home.rounds.matrix_game import Side, solve
from romans_agents.romans_go_home.rounds.opponents import candidate_plans, mixed, plausible_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, payoffs_of_two
from romans_agents.romans_go_home.rounds.plans import Plans, hand_of
from romans_env import Table
from romans_env.romans_go_home.state import States

CANDIDATES, OWN_SHARE = 7, 4
"""Candidates of a hand, by a budget of 1, and how many times as many of the searcher's own hand."""
NUM_SOLVING_ITERATIONS = 250
STAGES = (24, 200), (200, 24)
"""To find the best of all plans: samples of the rival's line that plans meet, by a budget of 1, and plans kept."""
BROAD_SAMPLES = 64
"""Further plans for each hand, in the belief about a line."""
SMOOTHING, BROAD = 0.2, 0.1
"""Share of even probabilities in the rival's mixtures, and of the further plans in the belief."""
CUT = 0.1
"""Plans less than this part as likely as the most likely one are not drawn: what averages keep of the start."""
COMPARED = 300
"""At other tables: candidates, and samples of the others' plans, by a budget of 1."""


class MatrixPlanner:
    """Draws plans from the solution of a round.

    Args:
        table: of the game.
    """

    def __init__(self, table: Table):
        self._table = table

    def plan(
        self, root: States, seat: int, budget: float, rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int8], list[Plans]]:
        """As `PolicyPlanner.plan`."""
        full = determinized(root, seat, 1, rng)
        others = [player for player in range(self._table.num_players) if player != seat]
        broad = [plausible_plans(full, other, self._table, BROAD_SAMPLES, rng) for other in others]
        if not self._table.num_players == self._table.num_clans == 2:
            return self._best(root, seat, broad, budget, rng), broad
        return self._solved(root, full, seat, broad[0], budget, rng)

    def _solved(
        self, root: States, full: States, seat: int, broad: Plans, budget: float, rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int8], list[Plans]]:
        count = max(2, round(CANDIDATES * math.sqrt(budget)))
        own, own_side = self._candidates(full, seat, count, rng, own_hand=True)
        plans, side = self._candidates(full, 1 - seat, count, rng)
        payoffs = payoffs_of_two(root, seat, own, plans, rng)
        _, rival_mix = solve(payoffs, own_side, side, NUM_SOLVING_ITERATIONS)
        hand = len(own_side.chances) - 1
        added = _answers(root, seat, Plans(plans, side.chances[side.types] * rival_mix), budget, rng)
        own = np.concatenate([own, added])
        own_side = Side(np.append(own_side.types, np.full(len(added), hand)), own_side.chances)
        payoffs = np.concatenate([payoffs, payoffs_of_two(root, seat, added, plans, rng)])
        mix, rival_mix = solve(payoffs, own_side, side, NUM_SOLVING_ITERATIONS)
        mine = own_side.types == hand
        weights = np.where(mix[mine] < CUT * mix[mine].max(), 0.0, mix[mine])
        plan = own[mine][rng.choice(int(mine.sum()), p=weights / weights.sum())]
        sizes = np.bincount(side.types)[side.types]
        likely = side.chances[side.types] * ((1 - SMOOTHING) * rival_mix + SMOOTHING / sizes)
        return plan, [mixed([(Plans(plans, likely), 1 - BROAD), (broad, BROAD)])]

    def _candidates(
        self, full: States, seat: int, count: int, rng: np.random.Generator, own_hand: bool = False
    ) -> tuple[npt.NDArray[np.int8], Side]:
        """Plans of every hand that a seat may have; with ``own_hand``, more of the one that it has, the last type."""
        hands, chances = possible_hands(self._table)
        if own_hand:
            mine = int((hands == hand_of(full, seat)).all(axis=1).argmax())
            order = [*(k for k in range(len(hands)) if k != mine), mine]
            hands, chances = hands[order], chances[order]
        found = []
        for number, hand in enumerate(hands):
            more = OWN_SHARE if own_hand and number == len(hands) - 1 else 1
            found.append(candidate_plans(full, seat, hand, count * more, self._table, rng))
        types = np.repeat(np.arange(len(hands)), [len(plans) for plans in found])
        return np.concatenate(found), Side(types, chances)

    def _best(
        self, root: States, seat: int, beliefs: list[Plans], budget: float, rng: np.random.Generator
    ) -> npt.NDArray[np.int8]:
        """The plan that does best against plausible plans of the others."""
        count = max(8, round(COMPARED * math.sqrt(budget)))
        plans = candidate_plans(root, seat, hand_of(root, seat), count, self._table, rng)
        laid, weights = joint_plans(beliefs, self._table.num_players, seat, count, rng)
        return np.asarray(plans[(payoffs_of(root, seat, plans, laid, rng) @ weights).argmax()])


def _answers(root: States, seat: int, rival: Plans, budget: float, rng: np.random.Generator) -> npt.NDArray[np.int8]:
    """The best of all plans of the seat's hand against a mixture of the rival's (double oracle: McMahan 2003)."""
    plans = own_plans(root, seat)
    for samples, kept in STAGES:
        if len(plans) > kept:
            chosen, weights = thinned(rival.weights, max(4, round(samples * budget)), rng)
            means = payoffs_of_two(root, seat, plans, rival.plans[chosen], rng) @ weights
            plans = plans[np.argsort(-means, kind="stable")[:kept]]
    return plans
