"""Games without a league, whose rollouts stay on the device of the network.

`Games` plays with a league and passes every decision on as numpy arrays. Without a league only observations, masks,
rewards and actions have to cross between CPU and device. The games are split in two halves: while the CPU steps one
half, the device chooses actions for the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

import romans_agents
from romans_agents import Agent
from romans_agents.batches.single_agent_batch import SingleAgentBatch
from romans_agents.loops.codes import LEARNER
from romans_env.core.batch import Batch, BatchArrays
from romans_env.core.games import rules_of
from romans_env.core.protocol import Rules
from romans_env.engine.saved_games import restore_arrays
from romans_training.learn.config import TrainConfig
from romans_training.learn.device_policy import on_device
from romans_training.learn.reward_of import reward_of
from romans_training.learn.self_play.learner import Learner
from romans_training.learn.self_play.rollout import Rollout
from romans_training.learn.self_play.rollout_games import SOMEBODY, DrawLineUps, Ended, Games
from romans_training.learn.transfers import Transfer, device_of

HALVES = 2


class DeviceGames(Games):
    """Games without a league: in self-play the learner has every seat, otherwise one seat, against the opponent pool.

    Args:
        config: the settings; decides setups, number of games, number of threads and device.
        seed: seed of all random numbers.
    """

    def __init__(self, config: TrainConfig, seed: int):
        halves = np.diff(np.linspace(0, config.num_envs, HALVES + 1).astype(int))
        seeds = np.random.SeedSequence(seed).spawn(HALVES)
        self._groups: list[Any] = [
            _Half(config, int(count), one) for count, one in zip(halves, seeds, strict=True) if count
        ]

    @staticmethod
    def can_play(config: TrainConfig) -> bool:
        """Return whether a run can use these games.

        It can on a GPU, without a league and without restarts; in self-play only with the reward "win".
        """
        return (
            device_of(config.device).type != "cpu"
            and (config.self_play == 0 or (config.self_play == 1 and config.reward == "win"))
            and config.snapshot_every is None
            and config.exploiter_every is None
            and not config.restarts
        )

    def add_member(self, make: Callable[[], Agent]) -> None:
        """Ignore the member: there is no league here."""

    def collect(self, learner: Learner, draw: DrawLineUps, seed: int) -> tuple[list[Any], list[Ended]]:
        """Collect a rollout in all games.

        Returns:
            The rollouts of the two halves, overwritten by the next call, and the games against opponents that ended.
        """
        met = [batch for half in self._groups for batch in half.batches if isinstance(batch, _OneSeat)]
        for k, batch in enumerate(met):
            batch.seed_agents(seed + k)
        length = self._groups[0].rollout.length
        for turn in range(length):
            for half in self._groups:
                if turn:
                    half.step(turn - 1)
                half.decide(turn, learner)
        for half in self._groups:
            half.step(length - 1)
        return [half.rollout for half in self._groups], [batch.ended() for batch in met]


class _OneSeat:
    """Games in which the learner has one seat and agents of the pool the others, with the interface of `Batch`.

    The rollout calls the learner's seat 0, whichever it is. Opponents that play in Python are reseeded for every
    rollout.
    """

    def __init__(self, rules: Rules, num_games: int, out: BatchArrays, config: TrainConfig):
        device = device_of(config.device)
        agents = [on_device(romans_agents.make(spec, game=config.game), device) for spec in config.pool]
        self.rules, self._out, self._returns, self._ended = rules, out, np.zeros(num_games), [np.zeros(0)]
        self._batch = SingleAgentBatch(
            num_games, rules, agents, True, reward=reward_of(config.reward), threads=config.threads
        )
        self._batch.observations, self._batch.masks = out.observations, out.masks

    def start(self, seed: int) -> None:
        self._batch.seed(range(seed, seed + self._batch.num_games))
        self._batch.start()

    def seed_agents(self, seed: int) -> None:
        words = np.random.SeedSequence(seed).generate_state(max(1, len(self._batch.agents)))
        for agent, word in zip(self._batch.agents, words.tolist(), strict=False):
            agent.seed(word)

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        step = self._batch.step(actions)
        self._out.rewards[:, 0], self._out.ends[:] = step.rewards, step.ends
        self._returns += step.rewards
        self._ended.append(self._returns[step.ends != 0])
        self._returns[step.ends != 0] = 0

    def ended(self) -> Ended:
        """Return the games that ended since the last call."""
        returns, self._ended = np.concatenate(self._ended)[:, None], [np.zeros(0)]
        line_ups = np.repeat([[LEARNER, SOMEBODY]], len(returns), axis=0)
        return Ended(self.rules.setup, line_ups, (returns * [1, 0]).astype(np.float32))

    def saved(self) -> dict[str, Any]:
        return {"batch": self._batch.saved(), "returns": {"returns": self._returns.copy()}}

    def restore(self, saved: dict[str, Any]) -> None:
        self._batch.restore(saved["batch"])
        restore_arrays({"returns": self._returns}, saved["returns"])


class _Half:
    """Games of all setups that are stepped together, with the arrays that carry their data to the device."""

    def __init__(self, config: TrainConfig, num_games: int, seed: np.random.SeedSequence):
        device = device_of(config.device)
        setups, shares = zip(*config.weighted_setups, strict=True)
        bounds = np.round(np.cumsum(shares) / sum(shares) * num_games).astype(int).tolist()
        self._seed = int(seed.generate_state(1)[0])
        self._generator = torch.Generator(device).manual_seed(self._seed)
        rules = [rules_of(setup) for setup in setups]
        self._parts: list[tuple[slice, Batch | _OneSeat, Transfer]] = []
        for one, first, last in zip(rules, [0, *bounds], bounds, strict=False):
            if first < last:
                transfer = Transfer(device, BatchArrays.new(one, last - first)._asdict())
                made = (one, last - first, BatchArrays(**transfer.arrays))
                batch = Batch(*made, config.threads) if config.self_play else _OneSeat(*made, config)
                self._parts.append((slice(first, last), batch, transfer))
        self.batches = [batch for _, batch, _ in self._parts]
        self._seen: list[dict[str, torch.Tensor]] = []
        most, like = max(one.num_players for one in rules), rules[0].observation_low
        self.rollout = Rollout(config.rollout_length, num_games, most, like, rules[0].num_actions, device=device)
        self.rollout.fill()

    def start(self, draw: DrawLineUps) -> None:
        """Start all games; there are no line-ups to draw."""
        for games, batch, _ in self._parts:
            batch.start((self._seed + games.start) % 2**31)
        self._send()

    def decide(self, turn: int, learner: Learner) -> None:
        """Have the device choose the actions of a turn; returns at once, possibly before it is done."""
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
        """Wait for the actions of a turn, play them, and send the results to the device."""
        for _, batch, transfer in self._parts:
            batch.step(transfer.actions())
        self._send()
        for (games, batch, _), seen in zip(self._parts, self._seen, strict=True):
            self.rollout.rewards[turn, games, : batch.rules.num_players] = seen["rewards"]
            self.rollout.ended[turn, games] = seen["ends"]

    def saved(self) -> dict[str, Any]:
        return {"batches": [batch.saved() for batch in self.batches], "generator": self._generator.get_state().numpy()}

    def restore(self, saved: dict[str, Any]) -> None:
        for batch, one in zip(self.batches, saved["batches"], strict=True):
            batch.restore(one)
        self._generator.set_state(torch.from_numpy(saved["generator"]))
        self._send()

    def _send(self) -> None:
        self._seen = [transfer.send() for _, _, transfer in self._parts]
