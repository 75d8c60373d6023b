"""The games of self-play, at all tables, and the rollouts a learner collects in them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from agents import Agent
from agents.seats_batch import LEARNER, SeatsBatch
from romans_env import Table
from training.config import TrainConfig
from training.self_play.learner import Learner
from training.self_play.rollout import Rollout

DrawLineUps = Callable[[int, int], npt.NDArray[np.int64]]
Ended = Callable[[Table, npt.NDArray[np.int64], npt.NDArray[np.float32]], object]


@contextlib.contextmanager
def _a_core_to_spare() -> Iterator[None]:
    """One thread less for the network's arithmetic: two would wait for each other while a third one weighs plans."""
    threads = torch.get_num_threads()
    torch.set_num_threads(max(1, threads - 1))
    try:
        yield
    finally:
        torch.set_num_threads(threads)


class Games:
    """Games at one or more tables, in which a learner collects rollouts.

    Args:
        config: the tables, and how many games in all.
        members: who may sit beside the learner, by number.
        seed: decides all chance of deals and compiled agents.
    """

    def __init__(self, config: TrainConfig, members: Sequence[Agent], seed: int):
        shares = np.array([weight for _, weight in config.weighted_tables])
        bounds = np.round(np.cumsum(shares / shares.sum()) * config.num_envs).astype(int)
        counts = np.diff(bounds, prepend=0)
        seeds = np.random.SeedSequence(seed).generate_state(len(counts))
        self.tables = [table for table, _ in config.weighted_tables]
        self.batches = [
            SeatsBatch(int(count), table, members, int(one), config.reward)
            for table, count, one in zip(self.tables, counts, seeds, strict=True)
        ]
        self._beside = ThreadPoolExecutor(1)
        self._members: list[Any] = list(members)
        self._offsets = np.concatenate([[0], bounds[:-1]])

    def add_member(self, member: Agent) -> None:
        """Let one more agent take part."""
        self._members.append(member)
        for batch in self.batches:
            batch.add_agent(member)

    def saved(self) -> list[dict[str, npt.NDArray[Any]]]:
        """Where all games stand, for `restore`."""
        return [batch.saved() for batch in self.batches]

    def restore(self, saved: list[dict[str, npt.NDArray[Any]]]) -> None:
        """Go back to where `saved` was called, with the same members."""
        for batch, one in zip(self.batches, saved, strict=True):
            batch.restore(one)

    def start(self, draw: DrawLineUps) -> None:
        """Start all games."""
        for batch in self.batches:
            batch.start(np.arange(batch.num_games), draw(batch.num_games, batch.rules.num_players))

    def collect(self, rollout: Rollout, learner: Learner, draw: DrawLineUps, ended: Ended) -> None:
        """Fill a rollout.

        Args:
            rollout: cleared first.
            learner: decides on all its seats.
            draw: the line-ups of new games: called with their number and the number of players.
            ended: told of games that end: the table, the line-ups and the returns, shape (n, number of players).
        """
        rollout.clear()
        with _a_core_to_spare():
            for _ in range(rollout.length):
                self._play_a_turn(rollout, learner, draw, ended)

    def _play_a_turn(self, rollout: Rollout, learner: Learner, draw: DrawLineUps, ended: Ended) -> None:
        waiting = [batch.waiting() for batch in self.batches]
        splits = np.cumsum([one.games.size for one in waiting])[:-1]
        games = np.concatenate([one.games + first for one, first in zip(waiting, self._offsets, strict=True)])
        _, who, seats, observations, masks = (np.concatenate(column) for column in zip(*waiting, strict=True))
        actions = np.empty(who.size, dtype=np.int64)
        own = who == LEARNER
        mine, my_masks = observations[own], masks[own].view(np.bool_)
        # Agents that weigh plans take as long as the networks, and hold no lock meanwhile.
        inside = self._beside.submit(self._play_agents)
        decided = learner.decide(mine, my_masks)
        actions[own] = decided[0]
        for number in np.unique(who[~own]).tolist():
            rows = who == number
            actions[rows] = self._members[number].act_batch(observations[rows], masks[rows])
        inside.result()
        outcomes = []
        for batch, one, its_actions in zip(self.batches, waiting, np.split(actions, splits), strict=True):
            outcome = batch.play(one.games, its_actions)
            outcomes.append(outcome)
            self._restart(batch, outcome.ended, draw, ended)
        rewards, is_over = (np.concatenate(column) for column in zip(*outcomes, strict=True))
        rollout.add_turn(games[own], seats[own], decided, mine, my_masks, rewards, is_over)

    def _play_agents(self) -> None:
        for batch in self.batches:
            batch.play_agents()

    def _restart(self, batch: SeatsBatch, is_over: npt.NDArray[np.bool_], draw: DrawLineUps, ended: Ended) -> None:
        games = np.flatnonzero(is_over)
        if not games.size:
            return
        players = batch.rules.num_players
        ended(batch.rules.table, batch.line_ups()[games, :players], batch.returns(games))
        batch.start(games, draw(games.size, players))
