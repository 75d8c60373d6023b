"""Decisions that an iteration does not improve, and in which the fitted network keeps the policy's probabilities."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch

from recipes.rounds.explored_games import ExploredGames, parts_of
from romans_agents import PolicyAgent
from romans_env import Table
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE

KEPT = 0.5
"""The share of the decisions that is returned."""


class Kept:
    """Decisions of a policy.

    Args:
        observations: int8, shape ``(n, observation_size)``.
        masks: int8, shape ``(n, num_actions)``.
        probabilities: the policy's: float16, shape ``(n, num_actions)``.
    """

    def __init__(
        self, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8], probabilities: npt.NDArray[np.float16]
    ):
        self._columns = [torch.from_numpy(one) for one in (observations, masks, probabilities)]

    def draw(self, count: int, rng: np.random.Generator) -> list[torch.Tensor]:
        """Draw a number of decisions: observations, masks, and probabilities as float32."""
        rows = torch.from_numpy(rng.integers(len(self._columns[0]), size=count))
        observations, masks, probabilities = (column[rows] for column in self._columns)
        return [observations, masks, probabilities.float()]


def kept_decisions(agent: PolicyAgent, num_games: int, seed: int) -> Kept:
    """Play games of a policy, and return decisions in the attack between two players, and any on other tables.

    Args:
        agent: the policy, which plays all seats.
        num_games: the number of games, over several tables (`explored_games`).
        seed: the random seed, except for the agent's.
    """
    rng = np.random.default_rng(seed)
    found = []
    for (players, neutrals), _, part in parts_of(num_games):
        games = ExploredGames(agent, Table(players, neutrals), part, int(rng.integers(2**31)))
        for pending in games.play():
            phases = games.states["phase"][pending.games]
            rows = np.ones(len(phases), dtype=bool)
            if (players, neutrals) == (2, 0):
                rows = ~np.isin(phases, (PHASE_DISCARD, PHASE_PLACE))
            rows &= rng.random(len(rows)) < KEPT
            found.append((pending.observations[rows], pending.masks[rows]))
    observations, masks = (np.concatenate(column) for column in zip(*found, strict=True))
    targets = np.concatenate(
        [
            agent.policy.probabilities(observations[first : first + 1024], masks[first : first + 1024])
            for first in range(0, len(masks), 1024)
        ]
    )
    return Kept(observations, masks, targets.astype(np.float16))
