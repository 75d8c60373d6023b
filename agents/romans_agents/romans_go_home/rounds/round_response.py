"""`round-response`: searches each round as a game of its own, in which all players choose a plan simultaneously.

It compares a policy's plans for the hand against a belief about the opponents' plans (`policy_planner`), by rollouts to
the end of the round. In these, a small copy of a trained policy decides (`compiled.attack`), and a fitted value network
evaluates the end (`compiled.values`).

In the attack, it updates the belief by Bayes' rule, and searches its own decisions to the end of the round (`attack`).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from romans_agents.policies.policy import PolicyAgent
from romans_agents.romans_go_home.compiled_agents import choose
from romans_agents.romans_go_home.planning_agent import Plan, PlanningAgent, Streams, stream_for
from romans_agents.romans_go_home.round_start import undo_planning_in
from romans_agents.romans_go_home.rounds.attack import AttackSearch, RoundBelief, deal_of
from romans_agents.romans_go_home.rounds.opponent_model import MixedPlayer, OpponentModel, Player, RolloutPlayer
from romans_agents.romans_go_home.rounds.plan_distributions import Cards, Plans, actions_of, hand_of, plan_of
from romans_agents.romans_go_home.rounds.policy_planner import TRUST, PolicyPlanner
from romans_agents.romans_go_home.styles import GREEDY
from romans_agents.searches.budget import AIM, SearchAgent
from romans_agents.searches.comparison import ActionComparison, share_of_return
from romans_agents.specs.registry import policy_of
from romans_env import RomansGoHome, Table, View
from romans_env.romans_go_home.material import FORTS, WARRIORS
from romans_env.romans_go_home.setup import VARIANTS
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States

MOST_ROUNDS = 16384
"""The most rounds that an agent remembers."""
ITERATIONS_OF_BUDGET = 100_000
"""Number of iterations that correspond to a budget of 1."""
BUDGET_A_SECOND, MOST_CHANGE = 4.0, 10.0
"""Budget per second before any plan has been timed, and the largest factor by which measurements may change it."""
POLICY_IN_ATTACK = 0.5
"""Probability that an opponent decides by the policy in the attack, if there is one; otherwise as in rollouts."""
ATTACK_SAMPLES, MOST_POSITIONS = 200, 20_000
"""Samples and the most positions of a search in the attack (`AttackSearch`)."""
COMPARED = 50, 4_000
"""Both numbers for each of the estimates when actions are compared."""


class RoundAgent(PlanningAgent, SearchAgent):
    """Base class of agents that sample a plan at the start of a round, as a subclass defines, and search the attack.

    Args:
        iterations, seconds, seed: as for `RoundResponseAgent`.
        policy: the path of a policy file, or a trained agent, by which opponents decide in the attack with probability
            POLICY_IN_ATTACK; None if they always decide as in rollouts.

    Raises:
        ValueError: if an option is out of range.
        romans_agents.PolicyFileError: if a policy file cannot be read.
        romans_agents.UnknownAgentError: if there is no such agent, or it has no network.
    """

    def __init__(self, iterations: int, seconds: float | None, policy: str | None, seed: int):
        super().__init__(iterations, seconds, seed)
        self._budget_a_second = BUDGET_A_SECOND
        self._policy = None if policy is None else PolicyAgent.of(policy_of(policy), policy, sample=True, cut=0.0)
        if seconds is not None:
            self._compile(RomansGoHome(Table()), [self.act])
            self.seed(seed)

    def seed(self, seed: int) -> None:
        super().seed(seed)
        self._rounds: OrderedDict[tuple[int, bytes], list[RoundBelief]] = OrderedDict()

    def _draw_plan(self, root: States, seat: int, budget: float, rng: np.random.Generator) -> tuple[Cards, list[Plans]]:
        """Sample a plan, with the arguments and results of `PolicyPlanner.plan`."""
        raise NotImplementedError

    def _make_plan(self, root: States, seat: int, stream: Streams) -> Plan:
        start, budget = time.perf_counter(), self._budget()
        plan, beliefs = self._draw_plan(root, seat, budget, np.random.default_rng(stream[0]))
        if self.seconds is not None:
            self._learn_pace(budget / (time.perf_counter() - start))
        self._remember(RoundBelief(root.copy(), beliefs, plan), seat)
        return plan.astype(np.int64)

    def _act_without_plan(self, view: View) -> int:
        if view.states[0]["phase"] in (PHASE_DISCARD, PHASE_PLACE):
            return int(choose(view.states.copy(), GREEDY))
        rng = np.random.default_rng(stream_for(view.states, self._seed)[0])
        search = self._search(RomansGoHome(table_of(view.states)))
        return search.choose(view, self._rounds.get(deal_of(view.states, view.seat), []), rng)

    def _search(self, rules: RomansGoHome, samples: int = ATTACK_SAMPLES, most: int = MOST_POSITIONS) -> AttackSearch:
        rival: Player = RolloutPlayer()
        if self._policy is not None:
            rival = MixedPlayer(OpponentModel(self._policy, rules), rival, POLICY_IN_ATTACK)
        return AttackSearch(rules, rival, samples, most)

    def _remember(self, begun: RoundBelief, seat: int) -> None:
        rounds = self._rounds.setdefault(deal_of(begun.root, seat), [])
        if not any(known.root.tobytes() == begun.root.tobytes() for known in rounds):
            rounds.append(begun)
        if len(self._rounds) > MOST_ROUNDS:
            self._rounds.popitem(last=False)

    def _budget(self) -> float:
        if self.seconds is None:
            return self.iterations / ITERATIONS_OF_BUDGET
        return AIM * self.seconds * self._budget_a_second

    def _learn_pace(self, budget_a_second: float) -> None:
        """Move the assumed pace half way, on a logarithmic scale, to the pace of the last plan.

        A single plan says little about the pace, as it may have included compilation.
        """
        mean = (self._budget_a_second * budget_a_second) ** 0.5
        self._budget_a_second = float(np.clip(mean, BUDGET_A_SECOND / MOST_CHANGE, BUDGET_A_SECOND * MOST_CHANGE))


class RoundResponseAgent(RoundAgent):
    """Improves a policy's plans against a belief about the opponents' plans, and searches the attack.

    Args:
        iterations: the budget of a plan, roughly its number of rollouts.
        seconds: time per plan, which replaces ``iterations``; choices then depend on the speed of the machine. The
            amount of computation is adapted to the time that earlier plans took. Decisions in the attack take less.
        policy: the path of a policy file, or a trained agent.
        trust: the probability, between two players, that the opponent follows the belief, from 0 to 1; otherwise it
            plays a best response (restricted Nash response: Johanson, Zinkevich and Bowling 2008).
        seed: the seed of the search's random numbers.

    Raises:
        ValueError: if an option is out of range.
        romans_agents.PolicyFileError, romans_agents.UnknownAgentError: for the same reasons as `RoundAgent`.
    """

    name = "round-response"

    def __init__(
        self,
        iterations: int = 100_000,
        seconds: float | None = None,
        policy: str = "legate",
        trust: float = TRUST,
        seed: int = 0,
    ):
        if not 0 <= trust <= 1:
            raise ValueError(f"trust is a probability, from 0 to 1, not {trust}")
        self._trust = trust
        super().__init__(iterations, seconds, policy, seed)

    def compare(self, view: View, played: Sequence[int]) -> ActionComparison:
        """Estimate the values of a choice and its alternatives; the whole plan of a round is one choice.

        A plan is compared with the plans from which the agent would sample; the view must be that before the first
        action of the round. See `romans_agents.searches.comparison.Comparing`.

        Args:
            view: the view of the seat before its choice.
            played: ids of the seat's consecutive actions from this view on, at least one.

        Raises:
            ValueError: if the seat has already laid a part of its plan.
        """
        rules, state = RomansGoHome(table_of(view.states)), view.states[0]
        if state["phase"] == PHASE_PLACE:
            raise ValueError("a plan can only be compared as a whole: give the view before its first action")
        rng = np.random.default_rng(stream_for(view.states, self._seed)[0])
        if state["phase"] == PHASE_DISCARD:
            root = view.states.copy()
            undo_planning_in(root, 0, view.seat)
            plan = plan_of(played, hand_of(root, view.seat))
            plans, returns, beliefs = self._planner(rules).compare(root, view.seat, plan, self._budget(), rng)
            choices = [actions_of(one, rules.setup.hand_size) for one in plans]
            self._remember(RoundBelief(root, beliefs, plan), view.seat)
        else:
            rounds = self._rounds.get(deal_of(view.states, view.seat), [])
            actions, returns = self._search(rules, *COMPARED).compare(view, rounds, played[0], rng)
            choices = [(action,) for action in actions]
        return ActionComparison(choices, share_of_return(returns, rules.num_players), np.zeros(len(choices)))

    def _draw_plan(self, root: States, seat: int, budget: float, rng: np.random.Generator) -> tuple[Cards, list[Plans]]:
        return self._planner(RomansGoHome(table_of(root))).plan(root, seat, budget, rng)

    def _planner(self, rules: RomansGoHome) -> PolicyPlanner:
        assert self._policy is not None
        return PolicyPlanner(self._policy, rules, self._trust)


def table_of(states: States) -> Table:
    """Return the setup of a game from its record, shape ``(1,)``."""
    state = states[0]
    return Table(
        int(state["num_players"]),
        int(state["num_neutrals"]),
        VARIANTS[int(state["vogel"])],
        [name for name, copies in zip(FORTS, state["fort_deck"], strict=True) for _ in range(copies)],
        [name for name, copies in zip(WARRIORS, state["warriors"], strict=True) for _ in range(copies)],
        int(state["line_size"]),
        int(state["num_rounds"]),
    )
