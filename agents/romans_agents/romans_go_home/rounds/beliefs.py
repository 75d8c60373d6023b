"""Beliefs about the hands and plans of other seats in a round."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel
from romans_agents.romans_go_home.rounds.plan_distributions import Cards, Floats, Plans
from romans_env import Table
from romans_env.romans_go_home.material import HAND_SIZE, NONE, NUM_WARRIORS
from romans_env.romans_go_home.state import States

LEAST = 1e-9
"""Smaller probabilities count as 0."""
MOST_ROWS = 20_000
"""By default, the most partial plans that are followed; if there are more, a sample is followed."""


def possible_hands(table: Table) -> tuple[Cards, Floats]:
    """Return all hands that a player may draw (RULES 2.2), with their probabilities.

    Returns:
        Hands as ascending kinds of warriors, int8, shape ``(n, hand_size)``, and probabilities, float64, shape
        ``(n,)``.
    """
    kinds = np.repeat(np.arange(NUM_WARRIORS), table.warrior_counts())
    drawn = np.array(list(combinations(kinds.tolist(), table.hand_size)), dtype=np.int8)
    hands, counts = np.unique(drawn, axis=0, return_counts=True)
    return hands, counts / counts.sum()


def thinned(weights: Floats, count: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.int64], Floats]:
    """Resample systematically, without bias.

    Args:
        weights: float64, shape ``(n,)``, at least 0.
        count: the most indices.
        rng: the generator of the draw.

    Returns:
        At most ``count`` indices, int64, ascending, and new weights with the same total, float64; all indices and the
        old weights if n is at most ``count``.
    """
    if len(weights) <= count:
        return np.arange(len(weights)), weights
    total = float(weights.sum())
    ticks = (rng.random() + np.arange(count)) * (total / count)
    chosen, times = np.unique(np.searchsorted(np.cumsum(weights), ticks), return_counts=True)
    chosen = np.minimum(chosen, len(weights) - 1).astype(np.int64)
    return chosen, np.asarray(times * (total / count), dtype=np.float64)


def branches(
    probabilities: Floats, weights: Floats, most: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
    """Return all actions with positive probability in some games; if there are too many, sample one per game.

    Args:
        probabilities: float64, shape ``(n, num_actions)``.
        weights: the weights of the games: float64, shape ``(n,)``.
        most: the most actions (if n is larger, n).
        rng: the generator of the samples.

    Returns:
        Indices of games and action ids, int64, and weights, float64, all of shape ``(k,)``; the weights of a game's
        actions sum to the weight of the game.
    """
    rows, actions = np.nonzero(probabilities > LEAST)
    if len(rows) > max(most, len(weights)):
        ticks = rng.random((len(weights), 1)) * probabilities.sum(axis=1, keepdims=True)
        drawn = (np.cumsum(probabilities, axis=1) <= ticks).sum(axis=1)
        return np.arange(len(weights)), np.minimum(drawn, probabilities.shape[1] - 1), weights
    return rows, actions, weights[rows] * probabilities[rows, actions]


def plans_of(
    rival: OpponentModel,
    root: States,
    seat: int,
    rng: np.random.Generator,
    most: int = MOST_ROWS,
    hand: Cards | None = None,
) -> Plans:
    """Compute the distribution over a seat's plans at the start of a round, for all hands that it may have drawn.

    Args:
        rival: the model of the seat.
        root: a game at the start of the round, shape ``(1,)``; the hands of other seats stay as they are.
        seat: the planning seat.
        rng: the generator of samples, used if there are more partial plans than ``most``.
        most: the most partial plans that are followed.
        hand: the seat's hand if it is known, as `hand_of` returns it: int8, shape ``(hand_size,)``; None otherwise.
    """
    table = rival.rules.setup
    if (known := rival.mixed_plans(root, seat)) is not None:
        return known if hand is None else known.of_hand(hand)
    hands, weights = possible_hands(table) if hand is None else (hand[None], np.ones(1))
    states = np.repeat(root, len(hands))
    begin_planning(states, seat, hands, table)
    made, done = [], []
    while len(states):
        rows, actions, weights = branches(rival.probabilities(states), weights, most, rng)
        kept, weights = thinned(weights, most, rng)
        states = states[rows[kept]]
        record_loops.plan_each(states, actions[kept])
        decided = (states["legal"] & (states["legal"] - 1)) == 0
        made.append(decided_plans(states[decided], seat, table))
        done.append(weights[decided])
        states, weights = states[~decided], weights[~decided]
    plans, totals = np.concatenate(made), np.concatenate(done)
    return Plans(plans, totals / totals.sum())


def begin_planning(states: States, seat: int, hands: Cards, table: Table) -> None:
    """Set up every game so that a seat begins to plan with a given hand.

    Args:
        states: records at the start of a round, shape ``(n,)``; changed in place.
        seat: the planning seat.
        hands: the hand in each game, as kinds of warriors: int8, shape ``(n, hand_size)``.
        table: the setup of the games.
    """
    games, rounds = np.arange(len(states)), states["round_index"].astype(np.int64)
    for before in range(seat):
        # Seats plan one after the other. Earlier seats have laid their warriors face-down; the order does not matter.
        states["line"][:, before, : table.line_size] = states["dealt"][games, rounds, before, : table.line_size]
        states["set_aside"][games, rounds, before] = states["dealt"][games, rounds, before, table.line_size]
        states["hand"][:, before] = 0
    states["dealt"][games, rounds, seat, : table.hand_size] = hands
    states["hand"][:, seat] = (hands[:, :, None] == np.arange(NUM_WARRIORS)).sum(axis=1)
    record_loops.open_planning(states, seat)


def decided_plans(states: States, seat: int, table: Table) -> Cards:
    """Return complete plans for games in which at most one kind of warrior is left in the seat's hand.

    Args:
        states: records in planning, shape ``(n,)``.
        seat: the planning seat.
        table: the setup of the games.

    Returns:
        Plans: int8, shape ``(n, 7)``.
    """
    plans = np.zeros((len(states), HAND_SIZE), dtype=np.int8)
    lines = states["line"][:, seat, : table.line_size]
    rest = states["hand"][:, seat].argmax(axis=1)
    plans[:, : table.line_size] = np.where(lines == NONE, rest[:, None], lines)
    if len(states):
        aside = states["set_aside"][np.arange(len(states)), states["round_index"].astype(int), seat]
        plans[:, table.line_size] = np.where(aside == NONE, rest, aside)
    return plans


def plans_laid(
    probabilities: Callable[[States], npt.NDArray[Any]],
    states: States,
    seat: int,
    table: Table,
    rng: np.random.Generator,
) -> Cards:
    """Sample a plan of a seat in each game, decision by decision.

    Args:
        probabilities: a function that returns action probabilities, shape ``(n, num_actions)``, for full states.
        states: records in which the seat is about to plan, shape ``(n,)``; changed.
        seat: the planning seat.
        table: the setup of the games.
        rng: the generator of the samples.

    Returns:
        Plans: int8, shape ``(n, 7)``.
    """
    made, left = np.zeros((len(states), HAND_SIZE), dtype=np.int8), np.arange(len(states))
    while len(left):
        # If at most one action is legal, the rest of the plan is determined.
        decided = (states["legal"] & (states["legal"] - 1)) == 0
        made[left[decided]] = decided_plans(states[decided], seat, table)
        states, left = states[~decided], left[~decided]
        if len(left):
            sums = np.cumsum(probabilities(states), axis=1)
            record_loops.plan_each(states, (sums <= rng.random((len(sums), 1)) * sums[:, -1:]).sum(axis=1))
    return made
