"""`plan-mc`: Monte Carlo over whole plans, without a tree.

Every decision samples determinizations of what the seat knows, and every candidate is played on from the very same
determinizations with the very same chance (common random numbers), so that candidates differ by what they do and not by
their luck. In the attack the candidates are the legal actions. In planning they are whole plans, some hundreds or all
7 x 720 of them, against plans that the rivals may make; sequential halving (Karnin, Koren and Somekh 2013) spends the
rollouts on those that do well.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.plan_search import sample_candidates
from romans_agents.romans_go_home.planning_agent import Plan, PlanningAgent, Streams, own_plans, stream_for
from romans_agents.romans_go_home.rollouts import arrange_hidden, judge, roll_on, roll_out, rollouts_of
from romans_agents.romans_go_home.round_start import is_planning, lay_plans
from romans_agents.searches.budget import Budget, SearchAgent
from romans_agents.specs.registry import policy_of
from romans_env import RomansGoHome, Table, View
from romans_env.compiling.decorators import cached_jit
from romans_env.engine.random_stream import WORDS
from romans_env.romans_go_home.determinization import determinize
from romans_env.romans_go_home.material import HAND_SIZE, MAX_CLANS
from romans_env.romans_go_home.state import States
from romans_env.romans_go_home.step import apply

MAX_PLANS = math.factorial(HAND_SIZE)
NUM_RECORDS = 3
"""Records of scratch: the private view of the seat, a determinization of it, and a rollout."""
_VIEW, _SAMPLED, _ROLLOUT = range(NUM_RECORDS)


@cached_jit
def sample_plans(views, seat, plans, streams):
    """Fill ``plans``, int64 of shape (n, 7), with candidates for a seat at the start of a round."""
    sample_candidates(views[0], seat, plans, streams, 0)


@cached_jit(nogil=True)
def compare_plans(records, seat, plans, sums, num_samples, rollouts, streams):
    """Add to ``sums`` the return of each plan in ``num_samples`` determinizations; all meet the same rivals' plans.

    Args:
        records: scratch; the first is the seat's at the start of the round (`round_start`).
        seat: the seat that plans.
        plans: int64, shape (n, 7).
        sums: float64, shape (n,).
        num_samples: how many determinizations.
        rollouts: how games are played on (`rollouts`).
        streams: random streams.
    """
    lines = np.empty((MAX_CLANS, HAND_SIZE), dtype=np.int64)
    returns = np.empty(MAX_CLANS)
    start = np.empty(WORDS, dtype=np.int64)
    round_index = np.int64(records[_VIEW].round_index)
    for _ in range(num_samples):
        determinize(records, _VIEW, _SAMPLED, seat, streams, 0)
        records[_ROLLOUT] = records[_SAMPLED]
        while is_planning(records[_ROLLOUT]) and records[_ROLLOUT].round_index == round_index:
            roll_on(records[_ROLLOUT], rollouts, streams, 0)
        for player in range(records[_ROLLOUT].num_players):
            line_size = records[_ROLLOUT].line_size
            for slot in range(line_size):
                lines[player, slot] = records[_ROLLOUT].line[player, slot]
            lines[player, line_size] = records[_ROLLOUT].set_aside[round_index, player]
        start[:] = streams[0]
        for k in range(plans.shape[0]):
            streams[0] = start
            lines[seat] = plans[k]
            records[_ROLLOUT] = records[_SAMPLED]
            lay_plans(records[_ROLLOUT], lines)
            roll_out(records[_ROLLOUT], rollouts, round_index, streams, 0)
            judge(records[_ROLLOUT], rollouts, returns)
            sums[k] += returns[seat]


@cached_jit(nogil=True)
def compare_actions(records, seat, actions, sums, num_samples, rollouts, streams):
    """Add to ``sums`` the return of each action of the deciding seat in ``num_samples`` determinizations.

    Args:
        records: scratch; the first is redacted for the seat.
        seat: the deciding seat.
        actions: legal ones, int64, shape (n,).
        sums: float64, shape (n,).
        num_samples: how many determinizations.
        rollouts: how games are played on (`rollouts`).
        streams: random streams.
    """
    returns = np.empty(MAX_CLANS)
    start = np.empty(WORDS, dtype=np.int64)
    round_index = np.int64(records[_VIEW].round_index)
    for _ in range(num_samples):
        determinize(records, _VIEW, _SAMPLED, seat, streams, 0)
        arrange_hidden(records[_SAMPLED], seat, rollouts.kind, streams, 0)
        start[:] = streams[0]
        for k in range(actions.shape[0]):
            streams[0] = start
            records[_ROLLOUT] = records[_SAMPLED]
            apply(records[_ROLLOUT], actions[k])
            roll_out(records[_ROLLOUT], rollouts, round_index, streams, 0)
            judge(records[_ROLLOUT], rollouts, returns)
            sums[k] += returns[seat]


class PlanMCAgent(PlanningAgent, SearchAgent):
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

    name = "plan-mc"
    earlier_name = "flat-mc"

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
        super().__init__(iterations, seconds, seed)
        if not 2 <= plans <= MAX_PLANS:
            raise ValueError(f"plans is 2 to {MAX_PLANS}, not {plans}")
        self.plans = plans
        self._rollouts = rollouts_of(rollout, horizon, None if policy is None else policy_of(policy))
        if seconds is not None:
            self._compile(RomansGoHome(Table()), [self.act, self._act_without_plan])
            self.seed(seed)

    def _act_without_plan(self, view: View) -> int:
        budget = Budget(self.iterations, self.seconds)
        actions = np.array(view.legal_actions(), dtype=np.int64)
        records, stream = np.repeat(view.states, NUM_RECORDS), stream_for(view.states, self._seed)
        sums = np.zeros(len(actions))

        def run(count: int) -> None:
            compare_actions(records, view.seat, actions, sums, count, self._rollouts, stream)

        budget.spend(1.0, run, cost=len(actions))
        return int(actions[sums.argmax()])

    def _make_plan(self, root: States, seat: int, stream: Streams) -> Plan:
        budget = Budget(self.iterations, self.seconds)
        plans = self._candidates(root, seat, stream)
        records = np.repeat(root, NUM_RECORDS)
        num_halvings = math.ceil(math.log2(len(plans)))
        means = np.zeros(len(plans))
        for _ in range(num_halvings):
            sums = np.zeros(len(plans))

            def run(count: int, plans: npt.NDArray[np.int64] = plans, sums: npt.NDArray[np.float64] = sums) -> None:
                compare_plans(records, seat, plans, sums, count, self._rollouts, stream)

            means = sums / budget.spend(1.0 / num_halvings, run, cost=len(plans))
            plans = plans[np.argsort(-means, kind="stable")[: math.ceil(len(plans) / 2)]]
        return np.asarray(plans[0], dtype=np.int64)

    def _candidates(self, root: States, seat: int, stream: Streams) -> npt.NDArray[np.int64]:
        """Different plans, int64, shape (n, 7)."""
        if self.plans == MAX_PLANS:
            return own_plans(root, seat).astype(np.int64)
        # Fewer rollouts than candidates would compare luck.
        count = min(self.plans, max(2, self.iterations // 8)) if self.seconds is None else self.plans
        plans = np.empty((count, HAND_SIZE), dtype=np.int64)
        sample_plans(root, seat, plans, stream)
        _, first = np.unique(plans, axis=0, return_index=True)
        return plans[np.sort(first)]
