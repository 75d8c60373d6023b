"""The decisions by which improved plans are laid, as rows from which a network learns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from recipes.proximal_point.plan_targets import ImprovedPlans
from romans_agents import Policy
from romans_agents.romans_go_home.rounds.beliefs import begin_planning, possible_hands, thinned
from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.opponent_model import observed
from romans_env import Table
from romans_env.romans_go_home.actions import DISCARD, NUM_ACTIONS, PLACE
from romans_env.romans_go_home.state import States


class Decisions(NamedTuple):
    """Decisions with targets.

    Attributes:
        observations: int8, shape ``(n, observation_size)``.
        masks: int8, shape ``(n, NUM_ACTIONS)``.
        targets: the target probabilities, times the weight of the decision: float16, shape ``(n, NUM_ACTIONS)``.
    """

    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    targets: npt.NDArray[np.float16]


def decisions_of(
    policy: Policy,
    start: States,
    seat: int,
    improved: ImprovedPlans,
    table: Table,
    count: int,
    rng: np.random.Generator,
) -> Decisions:
    """Return a sample of the decisions by which a seat lays its improved plans.

    A decision that few of the compared plans reach says little about the others. So its target is the policy's own
    distribution, plus the change that the improvement brings to the compared plans.

    Args:
        policy: the policy that is improved.
        start: a full record at the start of the round, shape ``(1,)``.
        seat: the planning seat.
        improved: its plans.
        table: the setup of the game.
        count: the most decisions; likely ones are taken more often, and have smaller weights.
        rng: the generator of the sample.
    """
    hands, chances = possible_hands(table)
    states, size = np.repeat(start, len(improved.plans)), table.hand_size
    begin_planning(states, seat, hands[improved.hands], table)
    # A decision is known by the hand and the actions so far: first the warrior set aside, then the line.
    plans = improved.plans.astype(np.int64)
    actions = np.concatenate([DISCARD + plans[:, size - 1 : size], PLACE + plans[:, : size - 1]], axis=1)
    weights = np.stack([improved.before, improved.after], axis=1) * chances[improved.hands, None]
    prefixes, found = improved.hands, []
    for depth in range(size):
        # If at most one action is legal, the rest of the plan is determined.
        asked = (states["legal"] & (states["legal"] - 1)) != 0
        states, actions, weights, prefixes = states[asked], actions[asked], weights[asked], prefixes[asked]
        if not len(states):
            break
        _, first, inverse = np.unique(prefixes, return_index=True, return_inverse=True)
        mass = np.zeros((len(first), NUM_ACTIONS, 2))
        np.add.at(mass, (inverse, actions[:, depth]), weights)
        found.append((states[first], mass))
        prefixes = inverse * NUM_ACTIONS + actions[:, depth]
        record_loops.plan_each(states, actions[:, depth])
    records, masses = (np.concatenate(column) for column in zip(*found, strict=True))
    likely = masses.sum(axis=1).max(axis=1)
    rows, weights = thinned(likely, count, rng)
    observations, masks = observed(records[rows])
    before, after = masses[rows, :, 0], masses[rows, :, 1]
    known = policy.probabilities(observations, masks)
    targets = np.maximum(after - before + before.sum(axis=1, keepdims=True) * known, 0.0)
    return Decisions(observations, masks, (targets * (weights / likely[rows])[:, None]).astype(np.float16))


def together(parts: list[Decisions]) -> Decisions:
    """Concatenate decisions."""
    return Decisions(*(np.concatenate(column) for column in zip(*parts, strict=True)))
