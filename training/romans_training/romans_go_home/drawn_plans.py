"""Plans drawn from a policy at the start of rounds, and what they win against each other.

At the start of a round everything is public but the warriors in hand (RULES 2.2, 3). So a policy's plans for many hands
of every seat, played against each other by rollouts to the end of the round, are many samples of one hidden game: each
plan's payoff is a mean over all plans of the others, which has far less variance than the return of one game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.beliefs import begin_planning, decided_plans, possible_hands
from romans_agents.romans_go_home.rounds.kernels import games as kernels
from romans_agents.romans_go_home.rounds.opponents import schemed_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of
from romans_env import Table
from romans_env.romans_go_home.actions import DISCARD, NUM_ACTIONS, PLACE
from romans_env.romans_go_home.cards import HAND_SIZE
from romans_env.romans_go_home.kernels import hide_from
from romans_env.romans_go_home.observation import OBSERVATION_SIZE
from romans_env.romans_go_home.state import PHASE_DISCARD, States

Probabilities = Callable[[npt.NDArray[np.int8], npt.NDArray[np.int8]], npt.NDArray[np.float32]]
"""Of a policy: the probabilities of all actions, for observations and action masks."""
Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]
Choice = Callable[[States, npt.NDArray[np.int8], npt.NDArray[np.int8], Numbers], Numbers]
"""Actions for states, their observations and masks, and the numbers of their plans."""


class Decisions(NamedTuple):
    """Planning decisions, n in all.

    Attributes:
        observations: int8, shape (n, observation size).
        masks: int8, shape (n, number of actions).
        actions: int64, shape (n,).
        plans: the number of the plan that each is a part of: int64, shape (n,).
    """

    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int64]
    plans: npt.NDArray[np.int64]


class Sizes(NamedTuple):
    """How many plans are drawn.

    Attributes:
        hands: drawn for every seat of a round.
        plans: drawn for every hand.
    """

    hands: int
    plans: int


def draw_hands(count: int, table: Table, sizes: Sizes, rng: np.random.Generator) -> npt.NDArray[np.int8]:
    """Hands for the plans of a seat in ``count`` games, as kinds: int8, shape (count * hands * plans, hand size)."""
    hands, chances = possible_hands(table)
    return np.repeat(hands[rng.choice(len(hands), count * sizes.hands, p=chances)], sizes.plans, axis=0)


def draw_plans(
    probabilities: Probabilities,
    roots: States,
    seat: int,
    hands: npt.NDArray[np.int8],
    table: Table,
    rng: np.random.Generator,
) -> tuple[npt.NDArray[np.int8], Decisions]:
    """Draw a plan for each hand.

    Args:
        probabilities: of the policy.
        roots: games at the start of a round; each is that of as many hands as the next.
        seat: whose plans.
        hands: as kinds, int8, shape (n, hand size), those of a game together.
        table: of the games.
        rng: of the plans.

    Returns:
        The plans, int8, shape (n, 7), and their decisions.
    """

    def drawn(states: States, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8], _: Numbers) -> Numbers:
        sums = np.cumsum(probabilities(observations, masks), axis=1)
        return np.asarray((sums <= rng.random((len(states), 1)) * sums[:, -1:]).sum(axis=1))

    return _planned(np.repeat(roots, len(hands) // len(roots)), seat, hands, table, drawn)


def decisions_of(root: States, seat: int, plans: npt.NDArray[np.int8], table: Table) -> Decisions:
    """The decisions that lead to plans.

    Args:
        root: a game at the start of a round, shape (1,).
        seat: whose plans.
        plans: int8, shape (n, 7).
        table: of the game.
    """

    def as_planned(
        states: States, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8], rows: Numbers
    ) -> Numbers:
        placed = plans[rows, np.minimum(states["slot"], table.line_size - 1)]
        aside = plans[rows, table.line_size]
        return np.where(states["phase"] == PHASE_DISCARD, DISCARD + aside, PLACE + placed).astype(np.int64)

    hands = np.sort(plans[:, : table.hand_size], axis=1)
    return _planned(np.repeat(root, len(plans)), seat, hands, table, as_planned)[1]


def _planned(
    states: States, seat: int, hands: npt.NDArray[np.int8], table: Table, choose: Choice
) -> tuple[npt.NDArray[np.int8], Decisions]:
    begin_planning(states, seat, hands, table)
    made, left = np.zeros((len(states), HAND_SIZE), dtype=np.int8), np.arange(len(states))
    found = []
    while len(left):
        observations = np.zeros((len(left), OBSERVATION_SIZE), dtype=np.int8)
        masks = np.zeros((len(left), NUM_ACTIONS), dtype=np.int8)
        kernels.observe_each(states, observations, masks)
        actions = choose(states, observations, masks, left)
        found.append(Decisions(observations, masks, actions, left))
        kernels.plan_each(states, actions)
        decided = (states["legal"] & (states["legal"] - 1)) == 0
        made[left[decided]] = decided_plans(states[decided], seat, table)
        states, left = states[~decided], left[~decided]
    return made, together(found)


def together(parts: list[Decisions]) -> Decisions:
    """The decisions of several parts, whose plans are numbered alike."""
    return Decisions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def payoffs_between(root: States, plans: npt.NDArray[np.int8], table: Table, rng: np.random.Generator) -> Floats:
    """What each plan wins against those of the others, as a mean: float64, shape (players, n).

    Args:
        root: a game at the start of a round, shape (1,).
        plans: of every player: int8, shape (players, n, 7).
        table: of the game.
        rng: of all chance.
    """
    players, count = plans.shape[:2]
    if players == table.num_clans == 2:
        laid = np.ascontiguousarray(plans.transpose(1, 0, 2))
        payoffs = payoffs_of(_view(root, 0), 0, plans[0], laid, rng)
        return np.stack([payoffs.mean(axis=1), -payoffs.mean(axis=0)])
    means = np.empty((players, count))
    for seat in range(players):
        laid = np.stack([own[rng.permutation(count)] for own in plans], axis=1)
        means[seat] = payoffs_of(_view(root, seat), seat, plans[seat], laid, rng).mean(axis=1)
    return means


def payoffs_against_schemers(
    root: States, seat: int, plans: npt.NDArray[np.int8], table: Table, rng: np.random.Generator
) -> Floats:
    """What each plan of a seat wins against others who all plan as `schemer` does, as a mean: float64, shape (n,)."""
    laid = np.zeros((len(plans), table.num_players, HAND_SIZE), dtype=np.int8)
    for other in range(table.num_players):
        if other != seat:
            found = schemed_plans(root, other, table, 2, rng)
            laid[:, other] = found.plans[rng.choice(len(found.plans), len(plans), p=found.weights)]
    return np.asarray(payoffs_of(_view(root, seat), seat, plans, laid, rng).mean(axis=1))


def advantages_of(payoffs: Floats, sizes: Sizes) -> Floats:
    """By how much plans beat the mean of the other plans of their hand, in the shape of ``payoffs``, (..., n)."""
    by_hand = payoffs.reshape(*payoffs.shape[:-1], sizes.hands, sizes.plans)
    against = by_hand - by_hand.mean(axis=-1, keepdims=True)
    return np.asarray((against * (sizes.plans / (sizes.plans - 1))).reshape(payoffs.shape))


def _view(root: States, seat: int) -> States:
    private = root.copy()
    hide_from(private, 0, seat)
    return private
