"""What a step learns from rounds: how much more or less likely each action of planning decisions shall become.

Plans are drawn, and become more likely by what they win more than the other plans of their hand (REINFORCE with a
leave-one-out baseline: Kool, van Hoof and Welling 2019).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from recipes.legate.plan_payoffs import (
    Floats,
    Sizes,
    advantages_of,
    draw_hands,
    payoffs_against_schemers,
    payoffs_between,
)
from romans_agents.romans_go_home.rounds.drawn_plans import Decisions, Probabilities, draw_plans
from romans_env import Table
from romans_env.romans_go_home.state import States

SIZES = Sizes(hands=12, plans=8)
"""For every seat."""


class Part(NamedTuple):
    """Rounds of one table.

    Attributes:
        table: of the games.
        games: that the policy plays against itself, to take rounds from.
        rounds: of a step.
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


class Reinforce:
    """Plans are drawn, and made more or less likely by what they win.

    Args:
        threads: of rollouts.
    """

    def __init__(self, threads: int):
        self._threads = ThreadPoolExecutor(threads)

    def learned(self, probabilities: Probabilities, part: Part, roots: States, rng: np.random.Generator) -> Learned:
        """Decisions from rounds.

        Args:
            probabilities: of the policy.
            part: the rounds' table, and who plays.
            roots: games at the start of a round, shape (n,).
            rng: of all chance.
        """
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

    def weights(self, learned: torch.Tensor, logs: torch.Tensor, entropy: float) -> torch.Tensor:
        """What the logarithms of the probabilities are multiplied with in the gain, entropy bonus included.

        Args:
            learned: the weights of `Learned`, float32, shape (n, number of actions).
            logs: logarithms of the policy's probabilities, in the same shape, without gradients.
            entropy: weight of the bonus, in returns.
        """
        probabilities = logs.exp()
        whole = -(probabilities * logs).sum(dim=1, keepdim=True)
        return learned - entropy * probabilities * (logs + whole)


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


def join(parts: list[Learned]) -> Learned:
    """The decisions of several parts, and the mean of their spreads."""
    columns = [np.concatenate(column) for column in list(zip(*parts, strict=True))[:3]]
    spreads, counts = [part.spread for part in parts], [len(part.masks) for part in parts]
    return Learned(columns[0], columns[1], columns[2], float(np.average(spreads, weights=np.maximum(counts, 1))))
