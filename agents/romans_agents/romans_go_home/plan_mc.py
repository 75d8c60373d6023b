"""`plan-mc`: Monte Carlo over whole plans, without a tree.

Every decision samples determinizations, and all candidates are tried from the same determinizations with the same
chance (common random numbers), so that they differ by what they do and not by luck. In the attack the candidates are
the legal actions. In planning they are whole plans, some hundreds or all 5040 of them, against sampled plans of the
opponents; sequential halving (Karnin, Koren and Somekh 2013) spends most rollouts on the best candidates.
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
"""Number of scratch records: the seat's private view, a determinization of it, and a rollout."""
_VIEW, _SAMPLED, _ROLLOUT = range(NUM_RECORDS)


@cached_jit
def sample_plans(views, seat, plans, streams):
    """Fill ``plans``, int64, shape ``(n, 7)``, with candidates for a seat at the start of a round."""
    sample_candidates(views[0], seat, plans, streams, 0)


@cached_jit(nogil=True)
def compare_plans(records, seat, plans, sums, num_samples, rollouts, streams):
    """Add the return of each plan in ``num_samples`` determinizations to ``sums``.

    All plans meet the same plans of the opponents.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``; the first is the seat's private view at the start of the
            round (`romans_agents.romans_go_home.round_start`).
        seat: the planning seat.
        plans: the candidates, int64, shape ``(n, 7)``.
        sums: sums of returns, float64, shape ``(n,)``; added to.
        num_samples: the number of determinizations.
        rollouts: the settings of the rollouts (`romans_agents.romans_go_home.rollouts.Rollouts`).
        streams: a random stream, int64, shape ``(1, 4)``; advanced.
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
    """Add the return of each action of the seat to act in ``num_samples`` determinizations to ``sums``.

    Args:
        records: scratch records, shape ``(NUM_RECORDS,)``; the first is the seat's private view.
        seat: the seat to act.
        actions: legal actions, int64, shape ``(n,)``.
        sums: sums of returns, float64, shape ``(n,)``; added to.
        num_samples: the number of determinizations.
        rollouts: the settings of the rollouts (`romans_agents.romans_go_home.rollouts.Rollouts`).
        streams: a random stream, int64, shape ``(1, 4)``; advanced.
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
    """Compares whole plans, or single actions in the attack, by rollouts.

    Args:
        iterations: rollouts per decision; a whole plan is one decision.
        seconds: time per decision, which replaces ``iterations``; choices then depend on the speed of the machine.
        plans: the most candidates in planning, 2 to 5040; with 5040, all plans are candidates.
        rollout: the player of the rollouts: ``likely``, ``random``, ``greedy``, ``hoarder``, ``legionary``,
            ``skirmisher`` or ``policy``.
        horizon: where rollouts end: ``round`` or ``game``.
        policy: the path of a policy file, or a trained agent. Its value network evaluates the ends of rounds, and
            ``rollout=policy`` plays it.
        seed: the seed of the search's random numbers.

    Raises:
        ValueError: if an option is out of range.
        romans_agents.PolicyFileError: if a policy file cannot be read.
        romans_agents.UnknownAgentError: if there is no such agent, or it has no network.
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
        """Return distinct candidate plans: int64, shape (n, 7)."""
        if self.plans == MAX_PLANS:
            return own_plans(root, seat).astype(np.int64)
        # Few enough candidates that each gets several rollouts; otherwise luck would decide.
        count = min(self.plans, max(2, self.iterations // 8)) if self.seconds is None else self.plans
        plans = np.empty((count, HAND_SIZE), dtype=np.int64)
        sample_plans(root, seat, plans, stream)
        _, first = np.unique(plans, axis=0, return_index=True)
        return plans[np.sort(first)]
