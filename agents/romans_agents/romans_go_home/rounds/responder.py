"""The best responder: a best response, round by round, to an agent whose action probabilities are known.

It knows the policy of the agent on all other seats, but not their cards: it gets a private view like every agent. At
the start of a round it compares its plans against the exact distribution of the other seats' plans. In the attack it
updates that distribution by Bayes' rule, and searches its own decisions to the end of the round, which
`romans_agents.romans_go_home.rounds.compiled.values` evaluates. This is a local best response (Lisy and Bowling 2017)
for whole plans.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from romans_agents.base import Agent
from romans_agents.romans_go_home.planning_agent import agreeing, next_actions, own_plans, stream_for
from romans_agents.romans_go_home.round_start import undo_planning_in
from romans_agents.romans_go_home.rounds.attack import AttackSearch, RoundBelief, deal_of, determinized, joint_plans
from romans_agents.romans_go_home.rounds.beliefs import MOST_ROWS, plans_of
from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.lookahead import Positions, best_values
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel, Player, RolloutPlayer
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of
from romans_agents.romans_go_home.rounds.plan_distributions import Cards, Floats, Plans
from romans_env import RomansGoHome, View
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States

MOST_ROUNDS = 16384
"""The most rounds that an agent remembers."""


@dataclass(frozen=True)
class ResponseBudget:
    """The amount of computation for a decision.

    Attributes:
        first_samples: samples of the others' plans in the first comparison, of all plans, by rollouts.
        second_plans: the number of plans that are kept for the second comparison.
        second_samples: samples of the others' plans in the second comparison, by rollouts.
        last_plans: the number of plans that are kept for the last comparison, by a search of the attack.
        samples: samples of the others' plans in a search.
        most: the most positions that a search follows.
        most_plans: the most partial plans of the others that are followed.
    """

    first_samples: int = 24
    second_plans: int = 400
    second_samples: int = 200
    last_plans: int = 24
    samples: int = 400
    most: int = 60_000
    most_plans: int = MOST_ROWS


LIGHT = ResponseBudget(second_plans=200, second_samples=100, last_plans=10, samples=150, most=20_000, most_plans=5_000)
"""A smaller budget, for comparing many agents: it takes about a quarter of the time and exploits less."""
EFFORTS = {"full": ResponseBudget(), "light": LIGHT}
"""Budgets by the names that ``romans exploit --effort`` takes."""


class BestResponder(Agent):
    """Plays a best response, round by round, to an agent that has all other seats.

    Args:
        agent: the agent on all other seats. If it searches, its decisions in the attack are modelled as in rollouts.
        rules: the game with its setup.
        effort: a `ResponseBudget` or the name of one in EFFORTS, ``"full"`` or ``"light"``.
        seed: the seed of its samples.
    """

    searches = True

    def __init__(self, agent: Agent, rules: RomansGoHome, effort: ResponseBudget | str = "full", seed: int = 0):
        self.name = f"response to {agent.name}"
        self._rival, self._rules = OpponentModel(agent, rules), rules
        self._effort = EFFORTS[effort] if isinstance(effort, str) else effort
        # A searching agent is too slow to be evaluated at every position of a search.
        self._in_attack: Player = RolloutPlayer() if agent.searches else self._rival
        self._search = AttackSearch(rules, self._in_attack, self._effort.samples, self._effort.most)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        self._seed = seed
        self._rounds: OrderedDict[tuple[int, bytes], list[RoundBelief]] = OrderedDict()

    def act(self, view: View) -> int:
        if view.states[0]["phase"] in (PHASE_DISCARD, PHASE_PLACE):
            return int(next_actions(self._round(view).plan[None], view)[0])
        rng = np.random.default_rng(stream_for(view.states, self._seed)[0])
        return self._search.choose(view, self._rounds.get(deal_of(view.states, view.seat), []), rng)

    def probabilities_of_rival(self, states: States) -> Floats:
        """Return the modelled action probabilities of the other agent.

        Args:
            states: records of full states in which another seat is to act, shape ``(n,)``.

        Returns:
            Probabilities: float64, shape ``(n, NUM_ACTIONS)``.
        """
        return self._rival.probabilities(states)

    def _round(self, view: View) -> RoundBelief:
        """Return the belief about the round in which the seat is planning; compute it if it is not yet known."""
        root = view.states.copy()
        undo_planning_in(root, 0, view.seat)
        rounds = self._rounds.setdefault(deal_of(view.states, view.seat), [])
        for known in rounds:
            if known.root.tobytes() == root.tobytes() and agreeing(known.plan[None], view)[0]:
                return known
        if len(self._rounds) > MOST_ROUNDS:
            self._rounds.popitem(last=False)
        rng = np.random.default_rng(stream_for(root, self._seed)[0])
        full = determinized(root, view.seat, 1, rng)
        others = [
            plans_of(self._rival, full, other, rng, self._effort.most_plans)
            for other in range(self._rules.num_players)
            if other != view.seat
        ]
        candidates = own_plans(root, view.seat)
        candidates = candidates[agreeing(candidates, view)]
        rounds.append(RoundBelief(root, others, self._best_plan(candidates, root, others, view.seat, rng)))
        return rounds[-1]

    def _best_plan(self, plans: Cards, root: States, others: list[Plans], seat: int, rng: np.random.Generator) -> Cards:
        """Return the plan with the highest expected return; estimates get better as the number of plans shrinks."""
        effort = self._effort
        stages = (effort.first_samples, effort.second_plans), (effort.second_samples, effort.last_plans)
        for samples, kept in stages:
            if len(plans) > kept:
                laid, weights = joint_plans(others, self._rules.num_players, seat, samples, rng)
                values = payoffs_of(root, seat, plans, laid, rng) @ weights
                plans = plans[np.argsort(-values, kind="stable")[:kept]]
        laid, weights = joint_plans(others, self._rules.num_players, seat, effort.samples, rng)
        roots = determinized(root, seat, len(laid), rng)
        everybody = np.tile(laid, (len(plans), 1, 1))
        everybody[:, seat] = np.repeat(plans, len(laid), axis=0)
        states = np.tile(roots, len(plans))
        record_loops.begin_attacks(states, everybody)
        numbers = np.repeat(np.arange(len(plans)), len(laid))
        positions = Positions(states, np.tile(weights, len(plans)), numbers)
        values = best_values(positions, len(plans), seat, self._in_attack, effort.most, rng)
        return np.asarray(plans[values.argmax()])
