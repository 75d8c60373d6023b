"""Values of every action of planning decisions: what plans that go on with it win against plans of the others.

A decision is reached with a hand that is drawn by its chance, and with earlier warriors that need not be the policy's,
so that it is valued where the policy hardly comes, too. Every action, likely or not, is completed several times by the
policy, and the plans meet plans of the others in rollouts to the end of the round. At the start of a round nothing but
the hands is hidden, and a player's own earlier choices say nothing about the others'. So these are the counterfactual
values of CFR (Zinkevich et al. 2007), without the probability of the hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.beliefs import begin_planning, possible_hands
from romans_agents.romans_go_home.rounds.drawn_plans import (
    Numbers,
    Probabilities,
    by_policy,
    drawn_actions,
    go_on,
    is_decided,
    observed,
)
from romans_agents.romans_go_home.rounds.kernels import games as kernels
from romans_env import Table
from romans_env.romans_go_home.state import States
from romans_training.romans_go_home.plan_payoffs import Floats

COMPLETIONS = (4, 4, 3, 3, 2, 1)
"""Plans for an action, by the number of warriors set aside or laid before; fewer are left to choose each time."""
EXPLORED, UNIFORM = 0.5, 0.5
"""The part of the decisions before which warriors are drawn evenly with a probability, and that probability."""


class Tried(NamedTuple):
    """Plans that try every action of some decisions: n decisions, m plans.

    Attributes:
        observations: int8, shape (n, observation size).
        masks: int8, shape (n, number of actions).
        probabilities: of the policy: float32, shape (n, number of actions).
        games: the number of the game of each decision: int64, shape (n,).
        plans: int8, shape (m, 7).
        decisions: the number of the decision that each plan is of: int64, shape (m,).
        actions: the action that it goes on with: int64, shape (m,).
    """

    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    probabilities: npt.NDArray[np.float32]
    games: Numbers
    plans: npt.NDArray[np.int8]
    decisions: Numbers
    actions: Numbers


def tried_plans(
    probabilities: Probabilities, roots: States, seat: int, count: int, table: Table, rng: np.random.Generator
) -> Tried:
    """Reach decisions of a seat, and complete each of their actions.

    Args:
        probabilities: of the policy.
        roots: games at the start of a round, shape (n,).
        seat: who plans.
        count: decisions of each game; those without a choice are left out.
        table: of the games.
        rng: of all chance.
    """
    hands, chances = possible_hands(table)
    states, games = np.repeat(roots, count), np.repeat(np.arange(len(roots)), count)
    begin_planning(states, seat, hands[rng.choice(len(hands), len(states), p=chances)], table)
    depths = rng.integers(table.hand_size - 1, size=len(states))
    loose = np.where(rng.random(len(states)) < EXPLORED, UNIFORM, 0.0)[:, None]
    for depth in range(table.hand_size - 2):
        onward = np.flatnonzero((depths > depth) & ~is_decided(states))
        moved = states[onward]
        observations, masks = observed(moved)
        even = masks / masks.sum(axis=1, keepdims=True)
        likely = probabilities(observations, masks) if len(moved) else even
        kernels.plan_each(moved, drawn_actions((1 - loose[onward]) * likely + loose[onward] * even, rng))
        states[onward] = moved
    undecided = ~is_decided(states)
    states, games, depths = states[undecided], games[undecided], depths[undecided]
    observations, masks = observed(states)
    decisions, actions = np.nonzero(masks)
    times = np.array(COMPLETIONS)[depths[decisions]]
    decisions, actions = np.repeat(decisions, times), np.repeat(actions, times)
    tried = states[decisions]
    kernels.plan_each(tried, actions)
    plans, _ = go_on(tried, seat, table, by_policy(probabilities, rng))
    return Tried(observations, masks, probabilities(observations, masks), games, plans, decisions, actions)


def values_of(tried: Tried, payoffs: Floats) -> Floats:
    """The value of every action, 0 for illegal ones: float64, shape (decisions, number of actions).

    Args:
        tried: the plans.
        payoffs: what each wins: float64, shape (m,).
    """
    sums, counts = np.zeros(tried.masks.shape), np.zeros(tried.masks.shape)
    np.add.at(sums, (tried.decisions, tried.actions), payoffs)
    np.add.at(counts, (tried.decisions, tried.actions), 1)
    return np.asarray(sums / np.maximum(counts, 1))
