"""A rollout whose columns are tensors on the device of the network."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
import torch

from romans_training.self_play.planning import Planning


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

    def columns(self, gamma: float, gae_lambda: float, planning: Planning | None = None) -> dict[str, torch.Tensor]:
        """What can be learned from, as `Rollout.columns` has it; a row a decision, in turn."""
        advantages, is_known = self.advantages(gamma, gae_lambda, planning)
        names = ("observations", "masks", "actions", "log_probabilities", "values")
        found = {name: getattr(self, name)[is_known] for name in names}
        advantages = advantages[is_known]
        return {**found, "advantages": advantages, "returns": advantages + found["values"]}

    def advantages(
        self, gamma: float, gae_lambda: float, planning: Planning | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Generalised advantage estimates, as `Rollout.advantages` has them.

        Returns:
            Advantages, and which decisions can be trained on: float32 and bool, shape (length, num_games).
        """
        advantages, is_known = self._estimated(gamma, gae_lambda)
        if planning is not None:
            own, _ = self._estimated(gamma, planning.gae_lambda)
            is_planning = torch.from_numpy(planning.actions).to(self.actions.device)[self.actions]
            advantages = torch.where(is_planning, own, advantages)
        return advantages, is_known

    def _estimated(self, gamma: float, gae_lambda: float) -> tuple[torch.Tensor, torch.Tensor]:
        advantages = torch.zeros_like(self.values)
        is_known = torch.zeros_like(self.ended)
        next_value, next_advantage, reward = torch.zeros((3, *self.rewards.shape[1:]), device=self.values.device)
        has_next = torch.zeros_like(reward, dtype=torch.bool)
        for turn in reversed(range(self.length)):
            ended = self.ended[turn][:, None]
            for of_the_next in (next_value, next_advantage, reward):
                of_the_next.masked_fill_(ended, 0.0)
            has_next |= ended
            reward += self.rewards[turn]
            at, values = self.seats[turn][:, None], self.values[turn][:, None]
            known = has_next.gather(1, at)
            found = reward.gather(1, at) + gamma * next_value.gather(1, at) - values
            found += gamma * gae_lambda * next_advantage.gather(1, at)
            advantages[turn], is_known[turn] = found[:, 0], known[:, 0]
            next_value.scatter_(1, at, values)
            next_advantage.scatter_(1, at, found.masked_fill(~known, 0.0))
            reward.scatter_(1, at, 0.0)
            has_next.scatter_(1, at, True)
        return advantages, is_known
