"""What a step learns from rounds: how much more or less likely each action of planning decisions shall become.

Two methods. `Reinforce` draws plans and makes them more likely by what they win more than the other plans of their hand
(REINFORCE with a leave-one-out baseline: Kool, van Hoof and Welling 2019). `ReplicatorDynamics` values all actions of a
decision (`action_values`) and moves their logits by the advantages, however likely they are (neural replicator
dynamics: Hennes et al. 2020). A policy gradient hardly sees what the policy no longer draws; replicator dynamics does.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch

from romans_agents.romans_go_home.rounds.drawn_plans import Decisions, Probabilities, draw_plans
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, redacted
from romans_env import Table
from romans_env.romans_go_home.cards import HAND_SIZE
from romans_env.romans_go_home.state import States
from romans_training.romans_go_home.action_values import Tried, tried_plans, values_of
from romans_training.romans_go_home.plan_payoffs import (
    Floats,
    Sizes,
    advantages_of,
    draw_hands,
    payoffs_against_schemers,
    payoffs_between,
    schemers_plans,
)

SIZES = Sizes(hands=12, plans=8)
"""Of `Reinforce`, for every seat."""
DECISIONS, OTHERS = 12, 16
"""Of `ReplicatorDynamics`: decisions of each seat of a round, and plans of each of the others that theirs meet."""
LEAST_LOGARITHM = -8.0
"""Of a probability: actions below it are not made less likely by `ReplicatorDynamics`."""


class Part(NamedTuple):
    """Rounds of one table.

    Attributes:
        table: of the games.
        games: that the policy plays against itself, to take rounds from.
        rounds: of a step; each method takes a multiple of them.
        every: only every so many steps have them.
        schemers: the part of the rounds in which all others plan as `schemer` does, and one seat learns.
    """

    table: Table
    games: int
    rounds: int
    every: int
    schemers: float


class Learned(NamedTuple):
    """Planning decisions, n in all.

    Attributes:
        observations: int8, shape (n, observation size).
        masks: int8, shape (n, number of actions).
        weights: by how much each action's probability should grow, in returns: float32, shape (n, number of actions).
        spread: the standard deviation of the advantages, in returns.
    """

    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    weights: npt.NDArray[np.float32]
    spread: float


class Update(Protocol):
    """How plans are improved.

    Attributes:
        rounds: for each of the rounds of a part.
    """

    rounds: int

    def learned(self, probabilities: Probabilities, part: Part, roots: States, rng: np.random.Generator) -> Learned:
        """Decisions from rounds.

        Args:
            probabilities: of the policy.
            part: the rounds' table, and who plays.
            roots: games at the start of a round, shape (n,).
            rng: of all chance.
        """
        ...

    def weights(self, learned: torch.Tensor, logs: torch.Tensor, masks: torch.Tensor, entropy: float) -> torch.Tensor:
        """What the logarithms of the probabilities are multiplied with in the gain, entropy bonus included.

        Args:
            learned: the weights of `Learned`, float32, shape (n, number of actions).
            logs: logarithms of the policy's probabilities, in the same shape, without gradients.
            masks: of the actions, int8, in the same shape.
            entropy: weight of the bonus, in returns.
        """
        ...


class Reinforce:
    """Plans are drawn, and made more or less likely by what they win.

    Args:
        threads: of rollouts.
    """

    rounds = 1

    def __init__(self, threads: int):
        self._threads = ThreadPoolExecutor(threads)

    def learned(self, probabilities: Probabilities, part: Part, roots: States, rng: np.random.Generator) -> Learned:
        """As `Update.learned`."""
        table = part.table
        drawn = [
            draw_plans(probabilities, roots, seat, draw_hands(len(roots), table, SIZES, rng), table, rng)
            for seat in range(table.num_players)
        ]
        plans = np.stack([one for one, _ in drawn]).reshape(
            table.num_players, len(roots), SIZES.hands * SIZES.plans, -1
        )
        rngs = generators(rng, len(roots))
        lone = lone_seats(part, len(roots), rng)

        def advantages(k: int) -> Floats:
            """Of all seats, shape (players, plans); NaN for seats that do not learn."""
            root, found = roots[k : k + 1], np.full(plans.shape[:1] + plans.shape[2:3], np.nan)
            if (seat := lone[k]) is None:
                found[:] = payoffs_between(root, plans[:, k], table, rngs[k])
            else:
                found[seat] = payoffs_against_schemers(root, seat, plans[seat, k], table, rngs[k])
            return advantages_of(found, SIZES)

        by_round = np.stack(list(self._threads.map(advantages, range(len(roots)))), axis=1)
        return join([_of_drawn(made, by_round[seat].ravel()[made.plans]) for seat, (_, made) in enumerate(drawn)])

    def weights(self, learned: torch.Tensor, logs: torch.Tensor, masks: torch.Tensor, entropy: float) -> torch.Tensor:
        """As `Update.weights`: the bonus has the gradient of the entropy."""
        probabilities = logs.exp()
        whole = -(probabilities * logs).sum(dim=1, keepdim=True)
        return learned - entropy * probabilities * (logs + whole)


class ReplicatorDynamics:
    """All actions of a decision are valued, and their logits move by the advantages.

    Args:
        threads: of the players' plans and of rollouts.
    """

    rounds = 3

    def __init__(self, threads: int):
        self._threads = ThreadPoolExecutor(threads)

    def learned(self, probabilities: Probabilities, part: Part, roots: States, rng: np.random.Generator) -> Learned:
        """As `Update.learned`."""
        table, players = part.table, range(part.table.num_players)

        def others_plans(seat: int, rng: np.random.Generator) -> npt.NDArray[np.int8]:
            hands = draw_hands(len(roots), table, Sizes(OTHERS, 1), rng)
            plans, _ = draw_plans(probabilities, roots, seat, hands, table, rng)
            return plans.reshape(len(roots), OTHERS, HAND_SIZE)

        laid = np.stack(list(self._threads.map(others_plans, players, generators(rng, len(players)))), axis=2)
        lone = lone_seats(part, len(roots), rng)
        learning = [[k for k, seat in enumerate(lone) if seat in (None, own)] for own in players]

        def tried(seat: int, rng: np.random.Generator) -> Tried:
            return tried_plans(probabilities, roots[learning[seat]], seat, DECISIONS, table, rng)

        found = list(self._threads.map(tried, players, generators(rng, len(players))))

        def payoffs(seat: int, number: int, rng: np.random.Generator) -> Floats:
            """Of the plans of a seat in one of the rounds from which it learns."""
            k, own = learning[seat][number], found[seat]
            root, plans = roots[k : k + 1], own.plans[own.games[own.decisions] == number]
            others = laid[k].copy() if lone[k] is None else schemers_plans(root, seat, OTHERS, table, rng)
            return np.asarray(payoffs_of(redacted(root, seat), seat, plans, others, rng).mean(axis=1))

        valued = []
        for seat in players:
            numbers = range(len(learning[seat]))
            if numbers:
                won = self._threads.map(partial(payoffs, seat), numbers, generators(rng, len(numbers)))
                valued.append(_of_tried(found[seat], np.concatenate(list(won))))
        return join(valued)

    def weights(self, learned: torch.Tensor, logs: torch.Tensor, masks: torch.Tensor, entropy: float) -> torch.Tensor:
        """As `Update.weights`: the bonus pulls the logits together, those of unlikely actions as much as others."""
        legal = masks.float()
        pulled = (learned - entropy * logs) * legal
        centred = (pulled - pulled.sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True)) * legal
        return torch.where((logs < LEAST_LOGARITHM) & (centred < 0), 0.0, centred)


UPDATES: dict[str, Callable[[int], Update]] = {
    "reinforce": Reinforce,
    "replicator-dynamics": ReplicatorDynamics,
}
"""By name; each is created with a number of threads."""


def generators(rng: np.random.Generator, count: int) -> list[np.random.Generator]:
    """Generators for threads; unlike those of ``spawn``, they follow from the state that a checkpoint keeps."""
    return [np.random.default_rng(word) for word in rng.integers(2**63, size=count)]


def lone_seats(part: Part, rounds: int, rng: np.random.Generator) -> list[int | None]:
    """For each of some rounds the seat that learns against others who plan as `schemer` does; None, where all learn."""
    lone = rng.random(rounds) < part.schemers
    seats = rng.integers(part.table.num_players, size=rounds)
    return [int(seat) if alone else None for seat, alone in zip(seats, lone, strict=True)]


def _of_drawn(made: Decisions, advantages: Floats) -> Learned:
    learns = ~np.isnan(advantages)
    weights = np.zeros(made.masks.shape, dtype=np.float32)
    weights[np.arange(len(made.actions)), made.actions] = advantages
    kept = advantages[learns]
    spread = float(kept.std()) if len(kept) else 0.0
    return Learned(made.observations[learns], made.masks[learns], weights[learns], spread)


def _of_tried(tried: Tried, payoffs: Floats) -> Learned:
    values = values_of(tried, payoffs)
    means = (values * tried.probabilities).sum(axis=1, keepdims=True)
    advantages = np.where(tried.masks == 1, values - means, 0.0).astype(np.float32)
    spread = float(advantages[tried.masks == 1].std()) if len(advantages) else 0.0
    return Learned(tried.observations, tried.masks, advantages, spread)


def join(parts: list[Learned]) -> Learned:
    """The decisions of several parts, and the mean of their spreads."""
    columns = [np.concatenate(column) for column in list(zip(*parts, strict=True))[:3]]
    spreads, counts = [part.spread for part in parts], [len(part.masks) for part in parts]
    return Learned(columns[0], columns[1], columns[2], float(np.average(spreads, weights=np.maximum(counts, 1))))
