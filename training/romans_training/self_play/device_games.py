"""Games in which the learner has every seat, and rollouts that stay on the device of the network.

`Games` plays with a league, and hands every decision over as numpy arrays. Without a league nothing but observations,
masks, rewards and actions needs to cross between processor and device. The games are in two halves: while one half is
stepped on the processor, the device decides for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from romans_agents import Agent
from romans_env.batch import Batch, BatchArrays
from romans_env.games import rules_of
from romans_training.config import TrainConfig
from romans_training.self_play.learner import Learner, device_of
from romans_training.self_play.rollout import Rollout
from romans_training.self_play.rollout_games import DrawLineUps, Ended, Games

HALVES = 2


def has_no_league(config: TrainConfig) -> bool:
    """Return whether the learner has every seat of every game, from its start: what `DeviceGames` can play."""
    return (
        config.self_play == 1
        and config.snapshot_every is None
        and config.exploiter_every is None
        and config.reward == "win"
        and not config.restarts
    )


class DeviceGames(Games):
    """Games of one or more setups, with the learner on every seat.

    Args:
        config: the setups, how many games in all, how many threads step them, and the device.
        seed: decides all chance.
    """

    def __init__(self, config: TrainConfig, seed: int):
        halves = np.diff(np.linspace(0, config.num_envs, HALVES + 1).astype(int))
        seeds = np.random.SeedSequence(seed).spawn(HALVES)
        self._groups: list[Any] = [
            _Half(config, int(count), one) for count, one in zip(halves, seeds, strict=True) if count
        ]

    def add_member(self, make: Callable[[], Agent]) -> None:
        """Do nothing: a member of the league has no seat here."""

    def collect(self, learner: Learner, draw: DrawLineUps, seed: int) -> tuple[list[Any], list[Ended]]:
        """Let the learner decide in a stretch of all games.

        Returns:
            A rollout for each half, overwritten by the next call; and no results, which say nothing of a learner
            that meets itself.
        """
        length = self._groups[0].rollout.length
        for turn in range(length):
            for half in self._groups:
                if turn:
                    half.step(turn - 1)
                half.decide(turn, learner)
        for half in self._groups:
            half.step(length - 1)
        return [half.rollout for half in self._groups], []


class _Half:
    """Games that are stepped together, of all setups, and where they wait."""

    def __init__(self, config: TrainConfig, num_games: int, seed: np.random.SeedSequence):
        self._device = device_of(config.device)
        # Copies that the processor does not wait for need an event that says when they are done.
        self._overlaps = self._device.type == "cuda"
        self._decided = torch.cuda.Event() if self._overlaps else None
        setups, shares = zip(*config.weighted_setups, strict=True)
        bounds = np.round(np.cumsum(shares) / sum(shares) * num_games).astype(int).tolist()
        self._seed = int(seed.generate_state(1)[0])
        self._generator = torch.Generator(self._device).manual_seed(self._seed)
        rules = [rules_of(setup) for setup in setups]
        like, num_actions = rules[0].observation_low, rules[0].num_actions
        self._observations = self._shared((num_games, like.size), torch.from_numpy(like).dtype)
        self._masks = self._shared((num_games, num_actions), torch.int8)
        self._seats, self._ends = (self._shared((num_games,), torch.int8) for _ in range(2))
        self._actions = self._shared((num_games,), torch.int64)
        self._parts: list[tuple[slice, Batch, torch.Tensor]] = []
        for one, first, last in zip(rules, [0, *bounds], bounds, strict=False):
            if first == last:
                continue
            rows = slice(first, last)
            rewards = self._shared((last - first, one.num_players), torch.float32)
            observations, masks, seats, ends = (
                of_all[rows].numpy() for of_all in (self._observations, self._masks, self._seats, self._ends)
            )
            arrays = BatchArrays(observations, masks, seats, rewards.numpy(), ends)
            self._parts.append((rows, Batch(one, last - first, arrays, config.threads), rewards))
        most = max(one.num_players for one in rules)
        self.rollout = Rollout(config.rollout_length, num_games, most, like, num_actions, device=self._device)
        self.rollout.fill()

    def start(self, draw: DrawLineUps) -> None:
        """Start all games; the learner has every seat of them, whatever is drawn."""
        for rows, batch, _ in self._parts:
            batch.start((self._seed + rows.start) % 2**31)

    def decide(self, turn: int, learner: Learner) -> None:
        """Have the device choose the actions of a turn; it may still be at it when this returns."""
        rollout, rows = self.rollout, slice(turn * self._seats.numel(), (turn + 1) * self._seats.numel())
        observations, masks = rollout.observations[rows], rollout.masks[rows]
        observations.copy_(self._observations, non_blocking=self._overlaps)
        masks.copy_(self._masks.to(self._device, non_blocking=self._overlaps))
        rollout.seats[rows].copy_(self._seats.to(self._device, non_blocking=self._overlaps))
        chosen = learner.decide_on_device(observations, masks, self._generator)
        for column, values in zip((rollout.actions, rollout.log_probabilities, rollout.values), chosen, strict=True):
            column[rows] = values
        self._actions.copy_(chosen[0], non_blocking=self._overlaps)
        if self._decided is not None:
            self._decided.record()

    def step(self, turn: int) -> None:
        """Play the actions once they are there, and have the device take over what came of them."""
        if self._decided is not None:
            self._decided.synchronize()
        actions = self._actions.numpy()
        for rows, batch, rewards in self._parts:
            batch.step(actions[rows])
            of_all = self.rollout.rewards[turn, rows, : rewards.shape[1]]
            of_all.copy_(rewards, non_blocking=self._overlaps)
        self.rollout.ended[turn].copy_(self._ends.to(self._device, non_blocking=self._overlaps))

    def saved(self) -> dict[str, Any]:
        return {
            "batches": [batch.saved() for _, batch, _ in self._parts],
            "generator": self._generator.get_state().numpy(),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        for (_, batch, _), one in zip(self._parts, saved["batches"], strict=True):
            batch.restore(one)
        self._generator.set_state(torch.from_numpy(saved["generator"]))

    def _shared(self, shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
        """Return memory that the processor writes and the device reads, or the other way round."""
        return torch.zeros(shape, dtype=dtype, pin_memory=self._overlaps)
