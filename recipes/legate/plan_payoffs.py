"""What plans drawn from a policy win against each other.

At the start of a round everything is public but the warriors in hand (RULES 2.2, 3). So a policy's plans for many hands
of every seat, played against each other by rollouts to the end of the round, are many samples of one hidden game: each
plan's payoff is a mean over all plans of the others, which has far less variance than the return of one game.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.beliefs import possible_hands
from romans_agents.romans_go_home.rounds.opponents import schemed_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, redacted
from romans_env import Table
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.state import States

Floats = npt.NDArray[np.float64]


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
        payoffs = payoffs_of(redacted(root, 0), 0, plans[0], laid, rng)
        return np.stack([payoffs.mean(axis=1), -payoffs.mean(axis=0)])
    means = np.empty((players, count))
    for seat in range(players):
        laid = np.stack([own[rng.permutation(count)] for own in plans], axis=1)
        means[seat] = payoffs_of(redacted(root, seat), seat, plans[seat], laid, rng).mean(axis=1)
    return means


def payoffs_against_schemers(
    root: States, seat: int, plans: npt.NDArray[np.int8], table: Table, rng: np.random.Generator
) -> Floats:
    """What each plan of a seat wins against others who all plan as `schemer` does, as a mean: float64, shape (n,)."""
    laid = schemers_plans(root, seat, len(plans), table, rng)
    return np.asarray(payoffs_of(redacted(root, seat), seat, plans, laid, rng).mean(axis=1))


def schemers_plans(root: States, seat: int, count: int, table: Table, rng: np.random.Generator) -> npt.NDArray[np.int8]:
    """Plans of all but one seat, who plan as `schemer` does, with few samples: int8, shape (count, players, 7)."""
    laid = np.zeros((count, table.num_players, HAND_SIZE), dtype=np.int8)
    for other in range(table.num_players):
        if other != seat:
            found = schemed_plans(root, other, table, 2, rng)
            laid[:, other] = found.plans[rng.choice(len(found.plans), count, p=found.weights)]
    return laid


def advantages_of(payoffs: Floats, sizes: Sizes) -> Floats:
    """By how much plans beat the mean of the other plans of their hand, in the shape of ``payoffs``, (..., n)."""
    by_hand = payoffs.reshape(*payoffs.shape[:-1], sizes.hands, sizes.plans)
    against = by_hand - by_hand.mean(axis=-1, keepdims=True)
    return np.asarray((against * (sizes.plans / (sizes.plans - 1))).reshape(payoffs.shape))
