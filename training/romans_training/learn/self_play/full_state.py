"""A critic for training that sees the observations of all players (asymmetric actor-critic, Pinto et al. 2018).

The learner's policy sees only what its seat may know. The critic does not play, so it may see the rivals' hidden cards,
which explain part of the return. It does not see what no player knows: the cards of neutral seats, and future chance
outcomes.
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
    """Return the largest number of players among the setups of a run."""
    return max(setup.num_players for setup, _ in config.weighted_setups)


def others_observations(
    rules: Rules, states: States, games: npt.NDArray[np.int64], seats: npt.NDArray[np.int8], num_seats: int
) -> npt.NDArray[Any]:
    """Return the observations of the other players, in seat order after a given seat, from the full state.

    Args:
        rules: the rules of the game with its setup.
        states: the records of all games.
        games: indices of games, int64, shape ``(n,)``.
        seats: a seat in each of these games, int8, shape ``(n,)``.
        num_seats: the number of players for which there is room; observations of players that the setup lacks are
            zeros.

    Returns:
        Observations, int8 or int16 as the game has them, shape ``(n, (num_seats - 1) * observation_size)``.
    """
    players = rules.num_players
    found = np.zeros((games.size, num_seats - 1, rules.observation_size), dtype=rules.observation_low.dtype)
    no_mask = np.empty(0, dtype=np.int8)
    for row, (game, seat) in enumerate(zip(games.tolist(), seats.tolist(), strict=True)):
        for k in range(1, players):
            rules.observe(states, game, (seat + k) % players, found[row, k - 1], no_mask)
    return found.reshape(games.size, (num_seats - 1) * rules.observation_size)


class FullStateCritic(nn.Module):
    """Predicts the return of a decision from the observations of all players.

    Args:
        rules: the rules of the game.
        num_seats: the number of players whose observations it is given.
        hidden_layers: the sizes of its hidden layers.
    """

    def __init__(self, rules: Rules, num_seats: int, hidden_layers: tuple[int, ...]):
        super().__init__()
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(np.tile(rules.observation_scale, num_seats)))
        widths = (num_seats * rules.observation_size, *hidden_layers)
        inner = [part for before, width in pairwise(widths) for part in (nn.Linear(before, width), nn.ReLU())]
        self.layers = nn.Sequential(*inner, nn.Linear(widths[-1], 1))

    def forward(self, observations: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        """Predict the returns of decisions.

        Args:
            observations: of the seats to act, shape ``(n, observation_size)``.
            others: of the players after them, as `others_observations` returns it: shape
                ``(n, (num_seats - 1) * observation_size)``.

        Returns:
            Values, float32 (bfloat16 under autocast), shape ``(n,)``.
        """
        values: torch.Tensor = self.layers(torch.cat([observations, others], dim=1) * self.scale)
        return values[:, 0]
