"""A critic that sees what all players know together; only training needs it.

The learner's policy sees what its seat may know. The critic does not play, so it may see the hidden cards of the
rivals, which explain part of the return (asymmetric actor-critic, Pinto et al. 2018). It does not see what no player
knows: the cards of seats that play by rule, and chance to come.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from romans_env.core.protocol import Rules, States
from romans_training.learn.config import TrainConfig


def num_seats_of(config: TrainConfig) -> int:
    """Return the most players of a setup of the run."""
    return max(setup.num_players for setup, _ in config.weighted_setups)


def others_observations(
    rules: Rules, states: States, games: npt.NDArray[np.int64], seats: npt.NDArray[np.int8], num_seats: int
) -> npt.NDArray[Any]:
    """Return what the players after a seat observe, in order, from the full state.

    Args:
        rules: the rules of the game with its setup.
        states: the records of the games.
        games: the numbers of games, shape (n,).
        seats: a seat of each game, shape (n,).
        num_seats: the players for which there is room; those that a setup does not have observe zeros.

    Returns:
        An array of shape (n, (num_seats - 1) * observation size), with the dtype of observations.
    """
    players = rules.num_players
    found = np.zeros((games.size, num_seats - 1, rules.observation_size), dtype=rules.observation_low.dtype)
    no_mask = np.empty(0, dtype=np.int8)
    for row, (game, seat) in enumerate(zip(games.tolist(), seats.tolist(), strict=True)):
        for k in range(1, players):
            rules.observe(states, game, (seat + k) % players, found[row, k - 1], no_mask)
    return found.reshape(games.size, (num_seats - 1) * rules.observation_size)


class FullStateCritic(nn.Module):
    """Expects the return of a decision from the observations of all players.

    Args:
        rules: the game.
        num_seats: players whose observations it is given.
        hidden_layers: sizes of its layers.
    """

    def __init__(self, rules: Rules, num_seats: int, hidden_layers: tuple[int, ...]):
        super().__init__()
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(np.tile(rules.observation_scale, num_seats)))
        widths = (num_seats * rules.observation_size, *hidden_layers)
        inner = [part for before, width in pairwise(widths) for part in (nn.Linear(before, width), nn.ReLU())]
        self.layers = nn.Sequential(*inner, nn.Linear(widths[-1], 1))

    def forward(self, observations: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        """Return the values, shape (n,).

        Args:
            observations: what the deciding seats observe, shape (n, observation size).
            others: what the players after them observe, as `others_observations` returns it.
        """
        values: torch.Tensor = self.layers(torch.cat([observations, others], dim=1) * self.scale)
        return values[:, 0]
