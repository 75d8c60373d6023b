"""Agents that search the round as a game of its own, in which all sides choose a plan at once.

- `round-response` evaluates a policy's plans for the hand against what the rivals may lay (`policy_planner`).
- `round-solver` solves the round of two players from plausible plans (`matrix_planner`).
- `round-equilibrium` solves it for whatever the rival may do (`oracle_planner`).

Each solves a matrix game for both sides, and draws the plan from the mixture. Plans are compared by rollouts to the end
of the round, in which a small copy of a trained policy decides (`kernels.attack`) and whose ends a fitted network
judges (`kernels.values`).

What is believed about the rivals' plans is kept, and Bayes' rule adds what is revealed; the decisions of the attack are
searched to the end of the round (`attack`).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from romans_agents.budget import AIM, SearchAgent
from romans_agents.comparison import Comparison, share_of_return
from romans_agents.policy import PolicyAgent
from romans_agents.registry import policy_of
from romans_agents.romans_go_home.compiled_agents import choose
from romans_agents.romans_go_home.planning_agent import Plan, PlanningAgent, Streams, stream_for
from romans_agents.romans_go_home.round_start import undo_planning_in
from romans_agents.romans_go_home.rounds.attack import AttackSearch, KnownRound, deal_of
from romans_agents.romans_go_home.rounds.matrix_planner import MatrixPlanner
from romans_agents.romans_go_home.rounds.oracle_planner import OraclePlanner
from romans_agents.romans_go_home.rounds.plans import Plans, actions_of, hand_of, plan_of
from romans_agents.romans_go_home.rounds.policy_planner import TRUST, PolicyPlanner
from romans_agents.romans_go_home.rounds.rival import MixedPlayer, Player, Rival, RolloutPlayer
from romans_agents.romans_go_home.styles import GREEDY
from romans_env import RomansGoHome, Table, View
from romans_env.romans_go_home.material import FORTS, WARRIORS
from romans_env.romans_go_home.setup import VARIANTS
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States

MOST_ROUNDS = 16384
"""Rounds that an agent remembers."""
ITERATIONS_OF_BUDGET = 100_000
"""Iterations that are a budget of 1."""
BUDGET_A_SECOND, MOST_CHANGE = 4.0, 10.0
"""The budget of a second, before any plan has been timed, and how many times as much or as little it may become."""
POLICY_IN_ATTACK = 0.5
"""The probability that a rival decides in the attack by the policy, if there is one; else as in rollouts."""
ATTACK_SAMPLES, MOST_POSITIONS = 200, 20_000
COMPARED = 50, 4_000
"""The same for each of the estimates that are compared."""


class RoundSolverAgent(PlanningAgent, SearchAgent):
    """Solves each round from plausible plans of all sides.

    With ``policy`` it is `RoundResponseAgent`, with ``trust=0`` `RoundEquilibriumAgent`: so were these called before
    they had names of their own.

    Args:
        iterations: the budget of a plan, about its rollouts.
        seconds: time for a plan, in place of ``iterations``; choices then depend on the machine, too. What is computed
            follows from how long the plans before took. Decisions of the attack take less.
        policy: a policy file or a trained agent, whose plans it evaluates; None: it solves the round without one.
        trust: the probability, between two players, that the rival plans as is believed with a policy, from 0 to 1;
            else it answers. Of 0, with or without a policy, nothing is believed, and the round is solved for all hands
            of both sides.
        seed: the seed of the search's chance.

    Raises:
        ValueError: options out of range.
        romans_agents.PolicyFileError: a policy file that cannot be read.
        romans_agents.UnknownAgentError: no such agent, or one without a network.
    """

    name = "round-solver"

    def __init__(
        self,
        iterations: int = 100_000,
        seconds: float | None = None,
        policy: str | None = None,
        trust: float = TRUST,
        seed: int = 0,
    ):
        super().__init__(iterations, seconds, seed)
        if not 0 <= trust <= 1:
            raise ValueError(f"trust is a probability, from 0 to 1, not {trust}")
        self._trust = trust
        self._budget_a_second = BUDGET_A_SECOND
        self._policy = None if policy is None else PolicyAgent.of(policy_of(policy), policy, sample=True, cut=0.0)
        if seconds is not None:
            self._compile(RomansGoHome(Table()), [self.act])
            self.seed(seed)

    def seed(self, seed: int) -> None:
        super().seed(seed)
        self._rounds: OrderedDict[tuple[int, bytes], list[KnownRound]] = OrderedDict()

    def mixed_plans(self, root: States, seat: int) -> Plans | None:
        """What it may lay, over all hands, by their chances: for those who respond to it.

        Args:
            root: a game at the start of a round, full or redacted for a seat, shape (1,).
            seat: whose plans.

        Returns:
            The plans; None where it does not solve the round for both sides.
        """
        table = _table_of(root)
        if not self._solves(table):
            return None
        return OraclePlanner(table, self._policy).mixed_plans(root, seat, self._budget())

    def _solves(self, table: Table) -> bool:
        """Whether it assumes nothing about the rival."""
        return table.num_players == table.num_clans == 2 and self._trust == 0

    def compare(self, view: View, played: Sequence[int]) -> Comparison:
        """As `romans_agents.comparison.Comparing.compare`. The plan of a round is one choice, and compared with those
        that the agent draws its own from; so it is asked for the round's first action.

        Raises:
            ValueError: it has no policy, or believes nothing; or the seat has begun to lay its plan.
        """
        rules = RomansGoHome(_table_of(view.states))
        planner, state = self._planner(rules.setup), view.states[0]
        if not isinstance(planner, PolicyPlanner) or state["phase"] == PHASE_PLACE:
            raise ValueError("plans are compared with a policy and from their first action on: round-response does")
        rng = np.random.default_rng(stream_for(view.states, self._seed)[0])
        if state["phase"] == PHASE_DISCARD:
            root = view.states.copy()
            undo_planning_in(root, 0, view.seat)
            plan = plan_of(played, hand_of(root, view.seat))
            plans, returns, beliefs = planner.compare(root, view.seat, plan, self._budget(), rng)
            choices = [actions_of(one, rules.setup.hand_size) for one in plans]
            self._remember(KnownRound(root, beliefs, plan), view.seat)
        else:
            rounds = self._rounds.get(deal_of(view.states, view.seat), [])
            actions, returns = self._search(rules, *COMPARED).compare(view, rounds, played[0], rng)
            choices = [(action,) for action in actions]
        return Comparison(choices, share_of_return(returns, rules.num_players), np.zeros(len(choices)))

    def _act_without_plan(self, view: View) -> int:
        if view.states[0]["phase"] in (PHASE_DISCARD, PHASE_PLACE):
            return int(choose(view.states.copy(), GREEDY))
        rules = RomansGoHome(_table_of(view.states))
        rng = np.random.default_rng(stream_for(view.states, self._seed)[0])
        return self._search(rules).choose(view, self._rounds.get(deal_of(view.states, view.seat), []), rng)

    def _search(self, rules: RomansGoHome, samples: int = ATTACK_SAMPLES, most: int = MOST_POSITIONS) -> AttackSearch:
        return AttackSearch(rules, self._rival_in_attack(rules), samples, most)

    def _rival_in_attack(self, rules: RomansGoHome) -> Player:
        if self._policy is None:
            return RolloutPlayer()
        return MixedPlayer(Rival(self._policy, rules), RolloutPlayer(), POLICY_IN_ATTACK)

    def _make_plan(self, root: States, seat: int, stream: Streams) -> Plan:
        table, rng = _table_of(root), np.random.default_rng(stream[0])
        start, budget = time.perf_counter(), self._budget()
        planner = self._planner(table)
        plan, beliefs = planner.plan(root, seat, budget, rng)
        if self.seconds is not None:
            self._learn_pace(budget / (time.perf_counter() - start))
        self._remember(KnownRound(root.copy(), beliefs, plan), seat)
        return plan.astype(np.int64)

    def _remember(self, begun: KnownRound, seat: int) -> None:
        rounds = self._rounds.setdefault(deal_of(begun.root, seat), [])
        if not any(known.root.tobytes() == begun.root.tobytes() for known in rounds):
            rounds.append(begun)
        if len(self._rounds) > MOST_ROUNDS:
            self._rounds.popitem(last=False)

    def _planner(self, table: Table) -> OraclePlanner | MatrixPlanner | PolicyPlanner:
        if self._solves(table):
            return OraclePlanner(table, self._policy)
        if self._policy is None:
            return MatrixPlanner(table)
        return PolicyPlanner(self._policy, RomansGoHome(table), self._trust)

    def _budget(self) -> float:
        if self.seconds is None:
            return self.iterations / ITERATIONS_OF_BUDGET
        return AIM * self.seconds * self._budget_a_second

    def _learn_pace(self, budget_a_second: float) -> None:
        """Go half way, on a logarithmic scale, to the pace of the last plan; one that was compiled says little."""
        mean = (self._budget_a_second * budget_a_second) ** 0.5
        self._budget_a_second = float(np.clip(mean, BUDGET_A_SECOND / MOST_CHANGE, BUDGET_A_SECOND * MOST_CHANGE))


class RoundResponseAgent(RoundSolverAgent):
    """Evaluates a policy's plans for the hand against what the rivals may lay.

    Args:
        iterations: the budget of a plan, about its rollouts.
        seconds: time for a plan, in place of ``iterations``, as for `RoundSolverAgent`.
        policy: a policy file or a trained agent.
        trust: the probability, between two players, that the rival plans as is believed, from 0 to 1; else it answers
            (restricted Nash response: Johanson, Zinkevich and Bowling 2008).
        seed: the seed of the search's chance.

    Raises:
        ValueError, romans_agents.PolicyFileError, romans_agents.UnknownAgentError: as for `RoundSolverAgent`.
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
        super().__init__(iterations, seconds, policy, trust, seed)


class RoundEquilibriumAgent(RoundSolverAgent):
    """Solves the round between two players for all hands of both sides, and believes nothing about the rival.

    At other tables it plays as `RoundSolverAgent`.

    Args:
        iterations: the budget of a plan, about its rollouts.
        seconds: time for a plan, in place of ``iterations``, as for `RoundSolverAgent`.
        policy: a policy file or a trained agent, whose plans are its first candidates; None: plausible ones.
        seed: the seed of the search's chance.

    Raises:
        ValueError, romans_agents.PolicyFileError, romans_agents.UnknownAgentError: as for `RoundSolverAgent`.
    """

    name = "round-equilibrium"

    def __init__(
        self, iterations: int = 100_000, seconds: float | None = None, policy: str | None = None, seed: int = 0
    ):
        super().__init__(iterations, seconds, policy, 0.0, seed)


def _table_of(states: States) -> Table:
    """The setup of a record."""
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
