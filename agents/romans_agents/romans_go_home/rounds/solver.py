"""`round-solver`: solves the round as a game for both sides, and draws its plan from the solution.

At the start of a round of two clans everything is public but the two hands. So the round is a matrix game with types: a
player has one of the possible hands, and for each hand some candidate plans. Every plan of every hand is played
against every one of the other side by a rollout to the end of the round, which `heuristic_value` judges. Regret
matching finds a mixture of plans for each hand of both sides (`matrix_game`), so that little is gained by knowing it.
The best of all plans of the searcher's hand against the rival's mixtures are added, the game is solved once more, and
the searcher draws its plan. The rival's mixtures are the belief about its line, to which Bayes' rule adds what is
revealed; the decisions of the attack are searched to the end of the round.

With more than two clans, plans are compared against plausible plans of all the others, and the best one is laid.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict

import numpy as np
import numpy.typing as npt

from romans_agents.budget import SearchAgent
from romans_agents.policy import PolicyAgent
from romans_agents.registry import policy_of
from romans_agents.romans_go_home.compiled_agents import GREEDY
from romans_agents.romans_go_home.compiled_games import act_scripted
from romans_agents.romans_go_home.flat_mc import sample_plans
from romans_agents.romans_go_home.planning_agent import Plan, PlanningAgent, Streams, stream_for
from romans_agents.romans_go_home.rounds.attack import AttackSearch, KnownRound, deal_of, determinized, joint_plans
from romans_agents.romans_go_home.rounds.beliefs import Plans, own_plans, plans_of, possible_hands, thinned
from romans_agents.romans_go_home.rounds.kernels import games as kernels
from romans_agents.romans_go_home.rounds.matrix_game import Floats, Side, solve
from romans_agents.romans_go_home.rounds.rival import QuickPlayer, Rival
from romans_env import RomansGoHome, Table, View
from romans_env.romans_go_home.cards import FORTS, HAND_SIZE, NUM_WARRIORS, WARRIORS
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States
from romans_env.romans_go_home.table import VARIANTS

MOST_ROUNDS = 16384
"""Rounds that an agent remembers."""
OWN_SHARE = 4
"""Candidates of the searcher's own hand for one of any other hand."""
NUM_SOLVING_ITERATIONS = 250
POLICY_CUT = 0.1
"""Of a policy's plans, those with an action less likely than this part of the most likely one are no candidates."""
TRUST = 0.5
"""The probability that a rival follows the policy, if there is one; else it is free to play as is best for it."""
SOLVING_SHARE = 0.35
"""Share of a time limit that the first rollouts take; the answers take as many."""
NUM_ANSWERS = 24
"""Plans that are added for the searcher's hand: the best of all against the first solution."""
BROAD_SAMPLES = 64
"""Further plans for each hand, in the belief about a line."""
SMOOTHING, BROAD = 0.2, 0.1
"""Share of even probabilities in the rival's mixtures, and of the further plans in the belief."""
CUT = 0.1
"""Plans less than this part as likely as the most likely one are not drawn: what averages keep of the start."""
ATTACK_SAMPLES, MOST_POSITIONS = 200, 20_000


class RoundSolverAgent(PlanningAgent, SearchAgent):
    """Solves each round as a game for both sides.

    Args:
        iterations: rollouts for a plan, about.
        seconds: time for a plan, in place of ``iterations``; choices then depend on the machine, too. Decisions of the
            attack take less.
        policy: a policy file or a trained agent: its likely plans are candidates, too.
        seed: the seed of the search's chance.

    Raises:
        ValueError: options out of range.
        romans_agents.PolicyFileError: a policy file that cannot be read.
        romans_agents.UnknownAgentError: no such agent, or one without a network.
    """

    name = "round-solver"

    def __init__(
        self, iterations: int = 100_000, seconds: float | None = None, policy: str | None = None, seed: int = 0
    ):
        super().__init__(iterations, seconds, seed)
        self._policy = None if policy is None else PolicyAgent.of(policy_of(policy), policy, True, POLICY_CUT)
        if seconds is not None:
            self._compile(RomansGoHome(Table()), [self.act])
            self.seed(seed)

    def seed(self, seed: int) -> None:
        super().seed(seed)
        self._rounds: OrderedDict[tuple[int, bytes], list[KnownRound]] = OrderedDict()

    def _act_without_plan(self, view: View) -> int:
        if view.states[0]["phase"] in (PHASE_DISCARD, PHASE_PLACE):
            return int(act_scripted(GREEDY, view.states.copy(), 0, view.seat))
        search = AttackSearch(RomansGoHome(_table_of(view.states)), QuickPlayer(), ATTACK_SAMPLES, MOST_POSITIONS)
        rng = np.random.default_rng(stream_for(view.states, self._seed)[0])
        return search.choose(view, self._rounds.get(deal_of(view.states, view.seat), []), rng)

    def _make_plan(self, root: States, seat: int, stream: Streams) -> Plan:
        start = time.perf_counter()
        rng = np.random.default_rng(stream[0])
        table = _table_of(root)
        others = [player for player in range(table.num_players) if player != seat]
        if table.num_clans == 2:
            plan, beliefs = self._solved(root, seat, table, rng, start)
        else:
            beliefs = [self._plausible(root, other, table, rng, BROAD_SAMPLES) for other in others]
            plan = self._best(root, seat, table, beliefs, rng)
        rounds = self._rounds.setdefault(deal_of(root, seat), [])
        if not any(known.root.tobytes() == root.tobytes() for known in rounds):
            rounds.append(KnownRound(root.copy(), beliefs, plan))
        if len(self._rounds) > MOST_ROUNDS:
            self._rounds.popitem(last=False)
        return plan.astype(np.int64)

    def _solved(
        self, root: States, seat: int, table: Table, rng: np.random.Generator, start: float
    ) -> tuple[npt.NDArray[np.int8], list[Plans]]:
        """A plan drawn from the solution, and the belief about the rival's line."""
        full = determinized(root, seat, 1, rng)
        size = self._plans_a_hand(root, full, seat, table, rng, start)
        own, own_side, _ = self._candidates(full, seat, table, size, rng, own_hand=True)
        plans, side, habit = self._candidates(full, 1 - seat, table, size, rng)
        payoffs = _payoffs(root, seat, own, plans, rng)
        mix, rival_mix = solve(payoffs, own_side, side, NUM_SOLVING_ITERATIONS, habit, TRUST)
        hand = len(own_side.chances) - 1
        added = self._answers(root, seat, plans, side.chances[side.types] * rival_mix, payoffs.size, rng)
        own = np.concatenate([own, added])
        own_side = Side(np.append(own_side.types, np.full(len(added), hand)), own_side.chances)
        payoffs = np.concatenate([payoffs, _payoffs(root, seat, added, plans, rng)])
        mix, rival_mix = solve(payoffs, own_side, side, NUM_SOLVING_ITERATIONS, habit, TRUST)
        mine = own_side.types == hand
        weights = np.where(mix[mine] < CUT * mix[mine].max(), 0.0, mix[mine])
        plan = own[mine][rng.choice(int(mine.sum()), p=weights / weights.sum())]
        sizes = np.bincount(side.types)[side.types]
        likely = side.chances[side.types] * ((1 - SMOOTHING) * rival_mix + SMOOTHING / sizes)
        broad = self._plausible(full, 1 - seat, table, rng, BROAD_SAMPLES)
        belief = Plans(
            np.concatenate([plans, broad.plans]), np.concatenate([(1 - BROAD) * likely, BROAD * broad.weights])
        )
        return plan, [belief]

    def _answers(
        self,
        root: States,
        seat: int,
        others: npt.NDArray[np.int8],
        weights: Floats,
        num_rollouts: int,
        rng: np.random.Generator,
    ) -> npt.NDArray[np.int8]:
        """The best of all plans of the seat's hand against a mixture of the rival's (double oracle: McMahan 2003)."""
        every = own_plans(root, seat)
        chosen, kept = thinned(weights, max(4, num_rollouts // len(every)), rng)
        means = _payoffs(root, seat, every, others[chosen], rng) @ kept
        return every[np.argsort(-means, kind="stable")[:NUM_ANSWERS]]

    def _plans_a_hand(
        self, root: States, full: States, seat: int, table: Table, rng: np.random.Generator, start: float
    ) -> int:
        """How many candidates of each hand the budget allows."""
        num_hands = len(possible_hands(table)[0])
        rollouts = self.iterations / 2
        if self.seconds is not None:
            own, _, _ = self._candidates(full, seat, table, 2, rng)
            began = time.perf_counter()
            _payoffs(root, seat, own, own, rng)
            now = time.perf_counter()
            left = max(0.0, SOLVING_SHARE * self.seconds - (now - start))
            rollouts = left * len(own) ** 2 / max(now - began, 1e-9)
        return max(2, int(math.sqrt(rollouts / num_hands / (num_hands - 1 + OWN_SHARE))))

    def _candidates(
        self, full: States, seat: int, table: Table, size: int, rng: np.random.Generator, own_hand: bool = False
    ) -> tuple[npt.NDArray[np.int8], Side, Floats | None]:
        """Plans of every hand that a seat may have; with ``own_hand``, more of the one that it has, the last type.

        The third is each plan's probability, given its hand, under the policy; None without one.
        """
        hands, chances = possible_hands(table)
        if own_hand:
            counts = (hands[:, :, None] == np.arange(NUM_WARRIORS)).sum(axis=1)
            mine = int((counts == full[0]["hand"][seat]).all(axis=1).argmax())
            order = [*(k for k in range(len(hands)) if k != mine), mine]
            hands, chances = hands[order], chances[order]
        found, types = [], []
        for number, hand in enumerate(hands):
            more = OWN_SHARE if own_hand and number == len(hands) - 1 else 1
            plans = _sampled(full, seat, hand, size * more, table, rng)
            found.append(plans)
            types += [number] * len(plans)
        plans, kinds, habit = np.concatenate(found), np.array(types, dtype=np.int64), None
        if self._policy is not None:
            likely = plans_of(Rival(self._policy, RomansGoHome(table)), full, seat, rng)
            numbers = {tuple(hand.tolist()): number for number, hand in enumerate(hands)}
            more_kinds = [numbers[tuple(sorted(plan[: table.hand_size].tolist()))] for plan in likely.plans]
            plans, first, place = np.unique(
                np.concatenate([plans, likely.plans]), axis=0, return_index=True, return_inverse=True
            )
            kinds = np.concatenate([kinds, np.array(more_kinds, dtype=np.int64)])[first]
            habit = np.bincount(place.reshape(-1)[-len(likely.plans) :], likely.weights, len(plans)) / chances[kinds]
        return plans, Side(kinds, chances), habit

    def _plausible(self, root: States, seat: int, table: Table, rng: np.random.Generator, size: int) -> Plans:
        """Plans that a seat may well make, each as likely as the next, for every hand."""
        hands, chances = possible_hands(table)
        found = [_sampled(root, seat, hand, size, table, rng) for hand in hands]
        weights = [np.full(len(plans), chance / len(plans)) for plans, chance in zip(found, chances, strict=True)]
        return Plans(np.concatenate(found), np.concatenate(weights))

    def _best(
        self, root: States, seat: int, table: Table, beliefs: list[Plans], rng: np.random.Generator
    ) -> npt.NDArray[np.int8]:
        """The plan that does best against plausible plans of the others."""
        side = max(8, int(math.sqrt(self.iterations if self.seconds is None else 200_000 * self.seconds)))
        hand = np.repeat(np.arange(NUM_WARRIORS), root[0]["hand"][seat]).astype(np.int8)
        plans = _sampled(root, seat, hand, side, table, rng)
        laid, weights = joint_plans(beliefs, table.num_players, seat, side, rng)
        payoffs = np.empty((len(plans), len(laid)))
        kernels.quick_payoffs(determinized(root, seat, len(laid) + 1, rng), laid, seat, plans, payoffs)
        return np.asarray(plans[(payoffs @ weights).argmax()])


def _sampled(
    full: States, seat: int, hand: npt.NDArray[np.int8], size: int, table: Table, rng: np.random.Generator
) -> npt.NDArray[np.int8]:
    """Different plans worth a try from a hand: int8, shape (n, 7), n at most ``size``."""
    views = full.copy()
    views["hand"][0, seat] = np.bincount(hand, minlength=NUM_WARRIORS)
    plans = np.zeros((size, HAND_SIZE), dtype=np.int64)
    sample_plans(views, seat, plans, rng.integers(0, 2**32, size=(1, 4), dtype=np.int64))
    plans[:, table.hand_size :] = 0
    return np.unique(plans, axis=0).astype(np.int8)


def _payoffs(
    root: States, seat: int, own: npt.NDArray[np.int8], others: npt.NDArray[np.int8], rng: np.random.Generator
) -> Floats:
    """What the seat of two wins with each plan against each of the other's: float64, shape (own, others)."""
    laid = np.zeros((len(others), 2, HAND_SIZE), dtype=np.int8)
    laid[:, 1 - seat] = others
    payoffs = np.empty((len(own), len(others)))
    kernels.quick_payoffs(np.repeat(determinized(root, seat, 1, rng), len(others) + 1), laid, seat, own, payoffs)
    return payoffs


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
