"""Generalised advantage estimates (Schulman et al. 2016) of games in which several seats decide."""

from __future__ import annotations

from typing import NamedTuple

import torch


class LearnerDecisions(NamedTuple):
    """Decisions of many games, turn by turn; a row is a decision, at most one of each game in a turn.

    Attributes:
        counts: rows of every turn.
        games: int64, shape (n,), as the two that follow.
        seats: who decided: int64.
        values: the returns that were expected: float32.
        rewards: of every seat after each turn: float32, shape (turns, games, seats).
        ended: the games that a turn ended: bool, shape (turns, games).
    """

    counts: list[int]
    games: torch.Tensor
    seats: torch.Tensor
    values: torch.Tensor
    rewards: torch.Tensor
    ended: torch.Tensor


def advantages_of(decisions: LearnerDecisions, gamma: float, gae_lambda: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Estimate the advantages of decisions, each seat of each game a trajectory of its own, on their device.

    The last decision of a seat in an unfinished game has no next one yet: its value bootstraps the one before, and it
    is not trained on.

    Args:
        decisions: the decisions to estimate.
        gamma: the discount for each decision.
        gae_lambda: the weight of later decisions.

    Returns:
        Advantages, and which decisions can be trained on: float32 and bool, shape (n,).
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
