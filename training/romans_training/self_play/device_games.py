"""Games in which the learner has every seat, and rollouts that stay on the device of the network.

`Games` plays with a league, and hands every decision over as numpy arrays. Without a league nothing but observations,
masks, rewards and actions needs to cross between processor and device. The games are in two halves: while one half is
stepped on the processor, the device decides for the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from romans_agents import Agent
from romans_env.batch import Batch, BatchArrays
from romans_env.games import rules_of
from romans_training.config import TrainConfig
from romans_training.self_play.learner import Learner
from romans_training.self_play.rollout import Rollout
from romans_training.self_play.rollout_games import DrawLineUps, Ended, Games
from romans_training.transfers import Transfer, device_of

HALVES = 2


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

    @staticmethod
    def can_play(config: TrainConfig) -> bool:
        """Return whether the network is on a GPU, and the learner has every seat of every game, from its start."""
        return (
            device_of(config.device).type != "cpu"
            and config.self_play == 1
            and config.snapshot_every is None
            and config.exploiter_every is None
            and config.reward == "win"
            and not config.restarts
        )

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
        device = device_of(config.device)
        setups, shares = zip(*config.weighted_setups, strict=True)
        bounds = np.round(np.cumsum(shares) / sum(shares) * num_games).astype(int).tolist()
        self._seed = int(seed.generate_state(1)[0])
        self._generator = torch.Generator(device).manual_seed(self._seed)
        rules = [rules_of(setup) for setup in setups]
        self._parts: list[tuple[slice, Batch, Transfer]] = []
        for one, first, last in zip(rules, [0, *bounds], bounds, strict=False):
            if first < last:
                transfer = Transfer(device, BatchArrays.new(one, last - first)._asdict())
                batch = Batch(one, last - first, BatchArrays(**transfer.arrays), config.threads)
                self._parts.append((slice(first, last), batch, transfer))
        self._seen: list[dict[str, torch.Tensor]] = []
        most, like = max(one.num_players for one in rules), rules[0].observation_low
        self.rollout = Rollout(config.rollout_length, num_games, most, like, rules[0].num_actions, device=device)
        self.rollout.fill()

    def start(self, draw: DrawLineUps) -> None:
        """Start all games; the learner has every seat of them, whatever is drawn."""
        for games, batch, _ in self._parts:
            batch.start((self._seed + games.start) % 2**31)
        self._send()

    def decide(self, turn: int, learner: Learner) -> None:
        """Have the device choose the actions of a turn; it may still be at it when this returns."""
        rollout = self.rollout
        rows = slice(turn * rollout.num_games, (turn + 1) * rollout.num_games)
        for (games, _, _), seen in zip(self._parts, self._seen, strict=True):
            for name in ("observations", "masks", "seats"):
                getattr(rollout, name)[rows][games] = seen[name]
        chosen = learner.decide_on_device(rollout.observations[rows], rollout.masks[rows], self._generator)
        for column, values in zip((rollout.actions, rollout.log_probabilities, rollout.values), chosen, strict=True):
            column[rows] = values
        for games, _, transfer in self._parts:
            transfer.bring(chosen[0][games])

    def step(self, turn: int) -> None:
        """Play the actions once they are there, and have the device take over what came of them."""
        for _, batch, transfer in self._parts:
            batch.step(transfer.actions())
        self._send()
        for (games, batch, _), seen in zip(self._parts, self._seen, strict=True):
            self.rollout.rewards[turn, games, : batch.rules.num_players] = seen["rewards"]
            self.rollout.ended[turn, games] = seen["ends"]

    def saved(self) -> dict[str, Any]:
        return {
            "batches": [batch.saved() for _, batch, _ in self._parts],
            "generator": self._generator.get_state().numpy(),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        for (_, batch, _), one in zip(self._parts, saved["batches"], strict=True):
            batch.restore(one)
        self._generator.set_state(torch.from_numpy(saved["generator"]))
        self._send()

    def _send(self) -> None:
        self._seen = [transfer.send() for _, _, transfer in self._parts]
