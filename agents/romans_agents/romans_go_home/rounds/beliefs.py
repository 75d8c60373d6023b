"""What the other seats may hold and lay in a round, and how likely each of it is."""

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
"""Probabilities below it count as none."""
MOST_ROWS = 20_000
"""Partial plans that are followed by default; of more, a sample is."""


def possible_hands(table: Table) -> tuple[Cards, Floats]:
    """Every hand that a player may draw (RULES 2.2), as kinds, int8, shape (n, hand size), and its probability."""
    kinds = np.repeat(np.arange(NUM_WARRIORS), table.warrior_counts())
    drawn = np.array(list(combinations(kinds.tolist(), table.hand_size)), dtype=np.int8)
    hands, counts = np.unique(drawn, axis=0, return_counts=True)
    return hands, counts / counts.sum()


def thinned(weights: Floats, count: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.int64], Floats]:
    """Systematic resampling: at most ``count`` indices, and weights of the same sum, without bias; all, of fewer."""
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
    """Every action that may be taken: rows, actions and weights; of more than ``most``, one drawn for each row."""
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
    """Return the plans of a seat at the start of a round, over all hands that it may have drawn.

    Args:
        rival: plays the seat.
        root: a game at the start of the round, shape (1,); every hand in it but the seat's stays as it is.
        seat: whose plans.
        rng: samples, where there are more partial plans than ``most``.
        most: partial plans that are followed.
        hand: the hand, where it is known, as of `hand_of`.
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
    """Let a seat begin to plan in every game at the start of a round, with a hand of its own.

    Args:
        states: written.
        seat: who plans.
        hands: as kinds, int8, shape (n, hand size).
        table: of the games.
    """
    games, rounds = np.arange(len(states)), states["round_index"].astype(np.int64)
    for before in range(seat):
        # Seats plan in turn: what those before have laid is hidden from this one, but it is laid, in any order.
        states["line"][:, before, : table.line_size] = states["dealt"][games, rounds, before, : table.line_size]
        states["set_aside"][games, rounds, before] = states["dealt"][games, rounds, before, table.line_size]
        states["hand"][:, before] = 0
    states["dealt"][games, rounds, seat, : table.hand_size] = hands
    states["hand"][:, seat] = (hands[:, :, None] == np.arange(NUM_WARRIORS)).sum(axis=1)
    record_loops.open_planning(states, seat)


def decided_plans(states: States, seat: int, table: Table) -> Cards:
    """Plans whose rest is a matter of course, int8, shape (n, 7): one kind of warrior, if any, is left in hand."""
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
    """Draw a seat's plans decision by decision, where it is to set a warrior aside: int8, shape (n, 7).

    Args:
        probabilities: of all actions, for full states.
        states: the games, shape (n,); they are changed.
        seat: whose plans.
        table: of the games.
        rng: of the plans.
    """
    made, left = np.zeros((len(states), HAND_SIZE), dtype=np.int8), np.arange(len(states))
    while len(left):
        # Where a single action is legal, the rest of the plan is a matter of course.
        decided = (states["legal"] & (states["legal"] - 1)) == 0
        made[left[decided]] = decided_plans(states[decided], seat, table)
        states, left = states[~decided], left[~decided]
        if len(left):
            sums = np.cumsum(probabilities(states), axis=1)
            record_loops.plan_each(states, (sums <= rng.random((len(sums), 1)) * sums[:, -1:]).sum(axis=1))
    return made
