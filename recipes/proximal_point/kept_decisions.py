"""Decisions that no iteration improves, in which the fitted network keeps the first policy's probabilities."""

from __future__ import annotations

import numpy as np

from recipes.proximal_point.decisions import Decisions, together
from recipes.rounds.explored_games import ExploredGames, parts_of
from romans_agents import PolicyAgent
from romans_env import Table
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE

KEPT = 0.5
"""The share of the decisions that is returned."""


def kept_decisions(agent: PolicyAgent, num_games: int, seed: int) -> Decisions:
    """Play games of a policy, and return decisions in the attack between two players, and any on other tables.

    Args:
        agent: the policy, which plays all seats.
        num_games: the number of games, over several tables (`explored_games`).
        seed: the random seed, except for the agent's.
    """
    rng, found = np.random.default_rng(seed), list[Decisions]()
    for (players, neutrals), _, part in parts_of(num_games):
        games = ExploredGames(agent, Table(players, neutrals), part, int(rng.integers(2**31)))
        for pending in games.play():
            rows = rng.random(len(pending.games)) < KEPT
            if (players, neutrals) == (2, 0):
                rows &= ~np.isin(games.states["phase"][pending.games], (PHASE_DISCARD, PHASE_PLACE))
            observations, masks = pending.observations[rows], pending.masks[rows]
            found.append(
                Decisions(observations, masks, agent.policy.probabilities(observations, masks).astype(np.float16))
            )
    return together(found)
