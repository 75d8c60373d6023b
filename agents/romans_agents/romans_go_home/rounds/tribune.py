"""`tribune`: one step of mirror descent from the plans of `legate`; in the attack it plays like `legate`.

Between two players, a round is a game of its own in which both choose a plan simultaneously. `tribune` compares the
plans of `legate` for its hand against samples of the opponent's plans, by rollouts to the end of the round, and
multiplies the probability of each by exp(value / temperature). This is a step of mirror descent (Sokota et al. 2023),
like that of Ataraxos from its policy (Sokota et al. 2025). The samples depend only on the common knowledge of both
players, so the resulting probabilities can be computed by an opponent model.

`trained/tribune.md` reports its strength.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from romans_agents.policies.policy import PolicyAgent
from romans_agents.romans_go_home.planning_agent import Plan, PlanningAgent, Streams, stream_for
from romans_agents.romans_go_home.rounds.attack import determinized, joint_plans
from romans_agents.romans_go_home.rounds.beliefs import plans_of, possible_hands
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel
from romans_agents.romans_go_home.rounds.opponents import mixed, plausible_plans, schemed_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, public_start, redacted
from romans_agents.romans_go_home.rounds.plan_distributions import Cards, Floats, Plans, hand_of
from romans_agents.romans_go_home.rounds.policy_planner import PLAUSIBLE_SHARE, POLICY_SHARE, SCHEMED_SHARE
from romans_agents.romans_go_home.rounds.round_response import table_of
from romans_agents.specs.registry import policy_of
from romans_env import RomansGoHome, Table, View
from romans_env.core.protocol import Rules
from romans_env.romans_go_home.state import States

OWN_PARTIAL_PLANS, RIVAL_PARTIAL_PLANS = 100, 64
"""The most partial plans of the policy that are followed, for the agent's hand and for all hands of the opponent."""
LEAST = 1e-4
"""Plans with a smaller probability are dropped."""
ONLY = "tribune plays only tables with two players and no neutral clans, such as 2+0; legate plays every table"


class _Start(NamedTuple):
    """The start of a round: a full state, samples of the opponent's plans with weights, and a seed."""

    root: States
    laid: Cards
    weights: Floats
    seed: int


class TribuneAgent(PlanningAgent):
    """Samples its plans after one step of mirror descent from `legate`; for two players without neutral clans.

    Args:
        temperature: the temperature of the step, in returns, above 0; with a lower one, the best plans are more likely.
        seed: the seed of its samples.

    Attributes:
        in_attack: the policy that decides in the attack; opponent models use it (`OpponentModel`).

    Raises:
        ValueError: if the temperature is not above 0, or, while playing, if the table has other seats.
    """

    name = "tribune"

    def __init__(self, temperature: float = 0.02, seed: int = 0):
        if not temperature > 0:
            raise ValueError(f"temperature is a number above 0, not {temperature}")
        self._temperature = temperature
        self.in_attack = PolicyAgent.of(policy_of("legate"), "legate", sample=True, cut=0.0)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        super().seed(seed)
        self.in_attack.seed(seed)

    def plays(self, rules: Rules) -> bool:
        """Return whether the setup has two players and no neutral clans."""
        return isinstance(rules, RomansGoHome) and _is_for_two(rules.setup)

    def mixed_plans(self, root: States, seat: int) -> Plans:
        """Return the distribution of the agent's plans over all hands, for opponent models (`OpponentModel`).

        Args:
            root: a game at the start of a round, full or redacted for a seat, shape ``(1,)``.
            seat: the planning seat.
        """
        start = self._begin(root, seat)
        hands = zip(*possible_hands(table_of(root)), strict=True)
        return mixed([(self._plans_of_hand(start, seat, hand), chance) for hand, chance in hands])

    def _make_plan(self, root: States, seat: int, stream: Streams) -> Plan:
        mine = self._plans_of_hand(self._begin(root, seat), seat, hand_of(root, seat))
        rng = np.random.default_rng(stream[0])
        return mine.plans[rng.choice(len(mine.plans), p=mine.weights)].astype(np.int64)

    def _act_without_plan(self, view: View) -> int:
        if not self.plays(view.rules):
            raise ValueError(ONLY)
        return self.in_attack.act(view)

    def _begin(self, root: States, seat: int) -> _Start:
        table = table_of(root)
        if not _is_for_two(table):
            raise ValueError(ONLY)
        start = public_start(root)
        seed = int(stream_for(start, seat)[0, 0])
        rng = np.random.default_rng(seed)
        for player in range(2):
            start = determinized(start, player, 1, rng)
        likely = plans_of(OpponentModel(self.in_attack, RomansGoHome(table)), start, 1 - seat, rng, RIVAL_PARTIAL_PLANS)
        schemed, plausible = (of(start, 1 - seat, table, 1, rng) for of in (schemed_plans, plausible_plans))
        belief = mixed([(likely, POLICY_SHARE), (schemed, SCHEMED_SHARE), (plausible, PLAUSIBLE_SHARE)])
        return _Start(start, *joint_plans([belief], 2, seat, len(belief.plans), rng), seed)

    def _plans_of_hand(self, start: _Start, seat: int, hand: Cards) -> Plans:
        """Return the plans of a hand after the step, with their probabilities."""
        rng, rules = np.random.default_rng([start.seed, *hand.tolist()]), RomansGoHome(table_of(start.root))
        own = plans_of(OpponentModel(self.in_attack, rules), start.root, seat, rng, OWN_PARTIAL_PLANS, hand)
        values = payoffs_of(redacted(start.root, seat), seat, own.plans, start.laid.copy(), rng) @ start.weights
        logs = np.log(own.weights) + values / self._temperature
        weights = np.exp(logs - logs.max())
        kept = weights > LEAST * weights.sum()
        return Plans(own.plans[kept], weights[kept] / weights[kept].sum())


def _is_for_two(table: Table) -> bool:
    return table.num_players == table.num_clans == 2
