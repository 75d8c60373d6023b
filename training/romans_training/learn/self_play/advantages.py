"""Generalised advantage estimation (GAE, Schulman et al. 2016) in games with several deciding seats."""

from __future__ import annotations

from typing import NamedTuple

import torch


class LearnerDecisions(NamedTuple):
    """Decisions in many games, turn by turn: one row per decision, at most one per game and turn.

    Attributes:
        counts: number of rows of each turn.
        games: index of the game, int64, shape ``(n,)``.
        seats: seat that decided, int64, shape ``(n,)``.
        values: predicted returns, float32, shape ``(n,)``.
        rewards: of every seat after each turn, float32, shape ``(turns, games, seats)``.
        ended: whether the turn ended the game, bool, shape ``(turns, games)``.
    """

    counts: list[int]
    games: torch.Tensor
    seats: torch.Tensor
    values: torch.Tensor
    rewards: torch.Tensor
    ended: torch.Tensor


def advantages_of(decisions: LearnerDecisions, gamma: float, gae_lambda: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Estimate the advantages of decisions; each seat of each game is a trajectory of its own.

    The last decision of a seat in an unfinished game has no successor yet: its value bootstraps the decision before,
    and it is not trained on itself.

    Args:
        decisions: the decisions; the result is on their device.
        gamma: discount factor per decision.
        gae_lambda: lambda of GAE.

    Returns:
        Advantages (float32, shape ``(n,)``), and which decisions can be trained on (bool, shape ``(n,)``).
    """
    advantages = torch.zeros_like(decisions.values)
    is_known = torch.zeros_like(advantages, dtype=torch.bool)
    next_value, next_advantage, reward = advantages.new_zeros((3, *decisions.rewards.shape[1:]))
    has_next = torch.zeros_like(reward, dtype=torch.bool)
    end = len(advantages)
    for turn, count in reversed(list(enumerate(decisions.counts))):
        ended = decisions.ended[turn][:, None]
        for of_the_next in (next_value, next_advantage, reward):
            of_the_next.masked_fill_(ended, 0.0)
        has_next |= ended
        reward += decisions.rewards[turn]
        rows = slice(end - count, end)
        at, values = (decisions.games[rows], decisions.seats[rows]), decisions.values[rows]
        known = has_next[at]
        found = reward[at] + gamma * next_value[at] - values + gamma * gae_lambda * next_advantage[at]
        advantages[rows], is_known[rows] = found, known
        next_value[at], next_advantage[at] = values, found.masked_fill(~known, 0.0)
        reward[at], has_next[at] = torch.zeros_like(found), torch.ones_like(known)
        end -= count
    return advantages, is_known
