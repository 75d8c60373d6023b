"""Plans drawn from a policy at the start of rounds, decision by decision, for many hands at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.beliefs import begin_planning, decided_plans
from romans_agents.romans_go_home.rounds.kernels import games as kernels
from romans_env import Table
from romans_env.romans_go_home.actions import DISCARD, NUM_ACTIONS, PLACE
from romans_env.romans_go_home.material import HAND_SIZE
from romans_env.romans_go_home.observation import OBSERVATION_SIZE
from romans_env.romans_go_home.state import PHASE_DISCARD, States

Probabilities = Callable[[npt.NDArray[np.int8], npt.NDArray[np.int8]], npt.NDArray[np.float32]]
"""Of a policy: the probabilities of all actions, for observations and action masks."""
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

    states = np.repeat(roots, len(hands) // len(roots))
    begin_planning(states, seat, hands, table)
    return go_on(states, seat, table, by_policy(probabilities, rng))


def by_policy(probabilities: Probabilities, rng: np.random.Generator) -> Choice:
    """Actions drawn from the probabilities of a policy."""

    def choose(states: States, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8], _: Numbers) -> Numbers:
        return drawn_actions(probabilities(observations, masks), rng)

    return choose


def drawn_actions(probabilities: npt.NDArray[np.float32], rng: np.random.Generator) -> Numbers:
    """An action for each row of probabilities, shape (n, number of actions): int64, shape (n,)."""
    sums = np.cumsum(probabilities, axis=1)
    return np.asarray((sums <= rng.random((len(sums), 1)) * sums[:, -1:]).sum(axis=1))


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

    states = np.repeat(root, len(plans))
    begin_planning(states, seat, np.sort(plans[:, : table.hand_size], axis=1), table)
    return go_on(states, seat, table, as_planned)[1]


def go_on(states: States, seat: int, table: Table, choose: Choice) -> tuple[npt.NDArray[np.int8], Decisions]:
    """Plan to the end.

    Args:
        states: games in which the seat plans, at any of its decisions; those that have none left get their plans alone.
        seat: who plans.
        table: of the games.
        choose: its actions.

    Returns:
        The plans, int8, shape (n, 7), and the decisions, their plans numbered as the games.
    """
    made, left = np.zeros((len(states), HAND_SIZE), dtype=np.int8), np.arange(len(states))
    found = []
    while True:
        decided = is_decided(states)
        made[left[decided]] = decided_plans(states[decided], seat, table)
        states, left = states[~decided], left[~decided]
        observations, masks = observed(states)
        actions = choose(states, observations, masks, left) if len(left) else np.zeros(0, dtype=np.int64)
        found.append(Decisions(observations, masks, actions, left))
        if not len(left):
            return made, together(found)
        kernels.plan_each(states, actions)


def is_decided(states: States) -> npt.NDArray[np.bool_]:
    """Whether the rest of the plan is a matter of course: bool, shape (n,)."""
    return np.asarray((states["legal"] & (states["legal"] - 1)) == 0)


def observed(states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Observations and action masks of the seats that must decide: int8, shape (n, ...)."""
    observations = np.zeros((len(states), OBSERVATION_SIZE), dtype=np.int8)
    masks = np.zeros((len(states), NUM_ACTIONS), dtype=np.int8)
    kernels.observe_each(states, observations, masks)
    return observations, masks


def together(parts: list[Decisions]) -> Decisions:
    """The decisions of several parts, whose plans are numbered alike."""
    return Decisions(*(np.concatenate(column) for column in zip(*parts, strict=True)))
