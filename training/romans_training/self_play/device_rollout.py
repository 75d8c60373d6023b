"""A rollout whose columns are tensors on the device of the network."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
import torch

from romans_training.self_play.advantages import Decisions, advantages_of


class DeviceRollout:
    """The decisions of ``length`` turns of ``num_games`` games, one of each game in every turn, on a device.

    Args:
        length: turns.
        num_games: games.
        num_seats: the most seats that a game has.
        like: an observation, whose size and dtype all have.
        num_actions: of the action space.
        device: where the tensors are.

    Attributes:
        observations: shape (length, num_games, observation size).
        masks: bool, shape (length, num_games, number of actions).
        seats: who decided; as in the columns that follow, shape (length, num_games): int64.
        actions: int64.
        log_probabilities: of the actions: float32.
        values: the returns that were expected: float32.
        ended: whether the decision ended the game: bool.
        rewards: of every seat after the decision: float32, shape (length, num_games, num_seats).
    """

    def __init__(
        self,
        length: int,
        num_games: int,
        num_seats: int,
        like: npt.NDArray[Any],
        num_actions: int,
        device: torch.device,
    ):
        self.length, self.num_games, self.num_seats = length, num_games, num_seats
        shape = (length, num_games)
        dtype = torch.from_numpy(like).dtype
        self.observations = torch.empty((*shape, like.size), dtype=dtype, device=device)
        self.masks = torch.empty((*shape, num_actions), dtype=torch.bool, device=device)
        self.seats, self.actions = (torch.empty(shape, dtype=torch.int64, device=device) for _ in range(2))
        self.log_probabilities, self.values = (torch.empty(shape, device=device) for _ in range(2))
        self.ended = torch.empty(shape, dtype=torch.bool, device=device)
        self.rewards = torch.zeros((*shape, num_seats), device=device)

    @property
    def size(self) -> int:
        """Decisions written."""
        return self.length * self.num_games

    def decisions(self) -> Decisions:
        """Return what advantages are estimated from; it shares memory with the rollout."""
        games = torch.arange(self.num_games, device=self.actions.device).repeat(self.length)
        seats, values = self.seats.flatten(), self.values.flatten()
        return Decisions([self.num_games] * self.length, games, seats, values, self.rewards, self.ended)

    def columns(self, gamma: float, gae_lambda: float) -> dict[str, torch.Tensor]:
        """Return what can be learned from, as `Rollout.columns` has it; a row a decision, in turn."""
        advantages, is_known = advantages_of(self.decisions(), gamma, gae_lambda)
        names = ("observations", "masks", "actions", "log_probabilities", "values")
        found = {name: getattr(self, name).flatten(0, 1)[is_known] for name in names}
        advantages = advantages[is_known]
        return {**found, "advantages": advantages, "returns": advantages + found["values"]}
