"""Search of the attack: a belief about the others' plans by Bayes' rule, then a search of the seat's own decisions."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from romans_agents.romans_go_home.rounds.beliefs import thinned
from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.lookahead import Positions, best_values, until_asked
from romans_agents.romans_go_home.rounds.opponent_model import Player, hashes_of
from romans_agents.romans_go_home.rounds.plan_distributions import Cards, Floats, Plans
from romans_agents.searches.comparison import BATCHES
from romans_env import RomansGoHome, View
from romans_env.romans_go_home.material import HAND_SIZE, NONE, ZVORD
from romans_env.romans_go_home.state import States

LEAST_STATES = 4
"""The least number of full states for each row of a comparison."""


@dataclass
class RoundBelief:
    """A seat's belief about a round, and its own choices in it.

    Attributes:
        root: the record at the start of the round, redacted for the seat, shape ``(1,)``.
        others: the distributions over the other players' plans, in seat order.
        plan: the seat's own plan: int8, shape ``(7,)``.
        chosen: the seat's actions in the attack, by the hash of its view.
    """

    root: States
    others: list[Plans]
    plan: Cards
    chosen: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class AttackSearch:
    """Searches decisions in the attack.

    Attributes:
        rules: the game with its setup.
        rival: the model of all other seats.
        samples: maximum number of full states, sampled from what the seat knows, that a search starts from.
        most: maximum number of positions in the search tree.
    """

    rules: RomansGoHome
    rival: Player
    samples: int
    most: int

    def choose(self, view: View, rounds: list[RoundBelief], rng: np.random.Generator) -> int:
        """Choose the action with the highest expected return.

        Args:
            view: the view of a seat that is to act in the attack.
            rounds: beliefs about rounds, one of which may be this round. If none is, all determinizations count as
                equally likely.
            rng: the generator of samples.

        Returns:
            The id of a legal action.
        """
        now, actions = int(hashes_of(view.states, NONE)[0]), view.legal_actions()
        for known in rounds:
            if now in known.chosen:
                return known.chosen[now]
        begun, states, weights = self._where(view, rounds, now, rng)
        action = actions[int(self._values(states, weights, view.seat, actions, rng).argmax())]
        if begun is not None:
            begun.chosen[now] = action
        return action

    def compare(
        self, view: View, rounds: list[RoundBelief], action: int, rng: np.random.Generator
    ) -> tuple[list[int], Floats]:
        """Estimate the values of the legal actions; the chosen one is recorded in the belief about the round.

        Args:
            view: the view of a seat that is to act in the attack.
            rounds: beliefs about rounds, as for `choose`.
            action: the action that was chosen.
            rng: the generator of samples.

        Returns:
            The actions, the chosen one first, and the seat's expected return after each: float64, shape ``(BATCHES,
            n)``.
        """
        now = int(hashes_of(view.states, NONE)[0])
        actions = [action, *(other for other in view.legal_actions() if other != action)]
        begun, states, weights = self._where(view, rounds, now, rng)
        if begun is not None:
            begun.chosen[now] = action
        # With few states, every row uses all of them.
        count = BATCHES if len(states) >= LEAST_STATES * BATCHES else 1
        parts = [(states[k::count], weights[k::count] / weights[k::count].sum()) for k in range(count)]
        values = np.array([self._values(*part, view.seat, actions, rng) for part in parts])
        return actions, np.broadcast_to(values, (BATCHES, len(actions)))

    def _where(
        self, view: View, rounds: list[RoundBelief], now: int, rng: np.random.Generator
    ) -> tuple[RoundBelief | None, States, Floats]:
        """Return the belief about this round, the full states that agree with the seat's knowledge, and their weights.

        Args:
            view: the view of a seat that is to act in the attack.
            rounds: beliefs about rounds, as for `choose`.
            now: the hash of the view.
            rng: the generator of samples.

        Returns:
            The belief, None if there is none; records, shape (n,); and weights, float64, shape (n,), which sum to 1.
        """
        for known in rounds:
            states, weights = self._belief(view, known, now, rng)
            if len(states):
                return known, states, weights
        states = determinized(view.states, view.seat, self.samples, rng)
        return None, states, np.full(self.samples, 1.0 / self.samples)

    def _belief(self, view: View, known: RoundBelief, now: int, rng: np.random.Generator) -> tuple[States, Floats]:
        """Return the full states that agree with all that the seat has seen in the round, with their probabilities."""
        seat, state = view.seat, view.states[0]
        turn = int(state["turn"])
        players = [player for player in range(self.rules.num_players) if player != seat]
        others = []
        for player, plans in zip(players, known.others, strict=True):
            shown = state["line"][player, :turn]
            # The warriors after a Zvord may have been reordered (RULES 4.10).
            zvords = np.flatnonzero(shown == ZVORD)
            fixed = int(zvords[0]) + 1 if len(zvords) else turn
            agrees = (plans.plans[:, :fixed] == shown[:fixed]).all(axis=1)
            if not agrees.any():
                return known.root[:0], np.zeros(0)
            others.append(Plans(plans.plans[agrees], plans.weights[agrees] / plans.weights[agrees].sum()))
        laid, weights = joint_plans(others, self.rules.num_players, seat, self.most // 4, rng)
        laid[:, seat] = known.plan
        states = determinized(known.root, seat, len(laid), rng)
        first_neutral = self.rules.num_players
        if self.rules.setup.num_neutrals:
            # A neutral's line is uniform, so its hidden part stays uniform given the visible part.
            now_there = determinized(view.states, seat, len(laid), rng)
            states["line"][:, first_neutral:] = now_there["line"][:, first_neutral:]
        record_loops.begin_attacks(states, laid)
        reached = []
        while len(states):
            positions = Positions(states, weights, np.zeros(len(states), dtype=np.int64))
            states, weights, _ = until_asked(positions, seat, self.rival, self.most, rng)[0]
            seen = hashes_of(states, seat)
            reached.append((states[seen == now], weights[seen == now]))
            actions = np.array([known.chosen.get(key, NONE) for key in seen.tolist()], dtype=np.int64)
            agrees = (actions != NONE) & (seen != now)
            states, weights = states[agrees], weights[agrees]
            record_loops.act_each(states, actions[agrees])
        states, weights = (np.concatenate(column) for column in zip(*reached, strict=True))
        return states, weights / weights.sum() if len(weights) else weights

    def _values(
        self, states: States, weights: Floats, seat: int, actions: list[int], rng: np.random.Generator
    ) -> Floats:
        """Return the seat's expected return after each action, given a belief: float64, shape (actions,)."""
        chosen, weights = thinned(weights, self.samples, rng)
        count = len(chosen)
        after = np.tile(states[chosen], len(actions))
        record_loops.act_each(after, np.repeat(np.array(actions), count))
        positions = Positions(after, np.tile(weights, len(actions)), np.repeat(np.arange(len(actions)), count))
        return best_values(positions, len(actions), seat, self.rival, self.most, rng)


def joint_plans(
    others: list[Plans], num_players: int, seat: int, count: int, rng: np.random.Generator
) -> tuple[Cards, Floats]:
    """Return combinations of the other players' plans with weights.

    With one other player, these are its plans, resampled if there are more than ``count``; with several, ``count``
    combinations are drawn independently.

    Args:
        others: the distributions over the plans of the other players, in seat order.
        num_players: the number of players.
        seat: the seat whose own plan is left 0.
        count: the most combinations.
        rng: the generator of the draws.

    Returns:
        Plans, int8, shape ``(n, num_players, 7)``, and weights, float64, shape ``(n,)``, which sum to 1.
    """
    if len(others) == 1:
        chosen, weights = thinned(others[0].weights, count, rng)
        drawn = [others[0].plans[chosen]]
    else:
        # In a solo game there are none; the rows then differ only in the neutrals' lines, drawn later.
        weights = np.full(count, 1.0 / count)
        drawn = [own.plans[rng.choice(len(own.plans), count, p=own.weights)] for own in others]
    laid = np.zeros((len(weights), num_players, HAND_SIZE), dtype=np.int8)
    for player, plans in zip((player for player in range(num_players) if player != seat), drawn, strict=True):
        laid[:, player] = plans
    return laid, weights


def determinized(private: States, seat: int, count: int, rng: np.random.Generator) -> States:
    """Sample determinizations of a redacted record.

    Args:
        private: the record, redacted for the seat, shape ``(1,)``.
        seat: the seat.
        count: the number of determinizations.
        rng: the generator of the samples.

    Returns:
        Records, shape ``(count,)``.
    """
    states = np.repeat(private, 1 + count)
    record_loops.determinize_each(states, seat, rng.integers(0, 2**32, size=(1, 4), dtype=np.int64))
    return states[1:]


def deal_of(private: States, seat: int) -> tuple[int, bytes]:
    """Return a key made of the seat's knowledge of the deal, which is the same throughout a round.

    Args:
        private: the record, redacted for the seat, shape ``(1,)``.
        seat: the seat.
    """
    state = private[0]
    return seat, state["fort_order"].tobytes() + state["dealt"].tobytes()
