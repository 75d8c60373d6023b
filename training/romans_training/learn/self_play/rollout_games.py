"""The games of self-play, of all setups, and the collection of rollouts in them.

The games are divided into groups, each played by a thread of its own: neither the network's arithmetic nor compiled
games hold Python's global lock. Each group has its own random generators and agents, so that results do not depend on
which thread is faster.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from romans_agents import Agent
from romans_agents.batches.self_play_batch import PendingDecisions, SelfPlayBatch
from romans_agents.loops.codes import LEARNER
from romans_env.core.protocol import Setup
from romans_training.learn.config import TrainConfig
from romans_training.learn.reward_of import reward_of
from romans_training.learn.self_play.full_state import num_seats_of, others_observations
from romans_training.learn.self_play.learner import Learner
from romans_training.learn.self_play.rollout import Rollout

DrawLineUps = Callable[[np.random.Generator, int, int], npt.NDArray[np.int64]]
"""Draws the line-ups of new games from a random generator, the number of games and the number of players.

Returns int64, shape ``(games, players)``: the index of a league member, or LEARNER.
"""


SOMEBODY = LEARNER - 1
"""Stands in a line-up for an agent that is not a member of the league."""


class Ended(NamedTuple):
    """Games of one setup that ended, without those that began at a position of another game.

    Attributes:
        setup: the setup.
        line_ups: the agent of every seat: the index of a league member, LEARNER or SOMEBODY; int64, shape
            ``(n, num_players)``.
        returns: the return of every seat, float32, shape ``(n, num_players)``.
    """

    setup: Setup
    line_ups: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float32]


class Games:
    """Games of one or more setups, played by the learner and the members of a league.

    Args:
        config: the settings; decides setups, number of games and number of threads.
        make_members: makes the members of the league, in order; called for each group of games.
        seed: seed of all random numbers except the members'.
    """

    def __init__(self, config: TrainConfig, make_members: Callable[[], Sequence[Agent]], seed: int):
        seeds = np.random.SeedSequence(seed).spawn(config.threads)
        counts = np.diff(np.linspace(0, config.num_envs, config.threads + 1).astype(int))
        self._groups: list[Any] = [
            _Group(config, int(count), make_members(), one) for count, one in zip(counts, seeds, strict=True) if count
        ]
        # torch.set_num_threads applies to the calling thread, so it is called in each one.
        self._pool = ThreadPoolExecutor(len(self._groups), initializer=torch.set_num_threads, initargs=(1,))

    def add_member(self, make: Callable[[], Agent]) -> None:
        """Add a member of the league to the games; ``make`` is called for each group."""
        for group in self._groups:
            group.add_member(make())

    def start(self, draw: DrawLineUps) -> None:
        """Start all games."""
        for group in self._groups:
            group.start(draw)

    def collect(self, learner: Learner, draw: DrawLineUps, seed: int) -> tuple[list[Any], list[Ended]]:
        """Collect a rollout in all games.

        Args:
            learner: chooses the actions of all its seats.
            draw: draws the line-ups of new games.
            seed: seed of the members' random numbers in this rollout.

        Returns:
            A rollout for each group, overwritten by the next call, and the games that ended.

        Raises:
            romans_env.IllegalActionError: if a member chose an illegal action.
        """
        seeds = np.random.SeedSequence(seed).spawn(len(self._groups))
        with _one_thread_each():
            going = [
                self._pool.submit(group.collect, learner, draw, one)
                for group, one in zip(self._groups, seeds, strict=True)
            ]
            ended = [one for future in going for one in future.result()]
        return [group.rollout for group in self._groups], ended

    def saved(self) -> list[dict[str, Any]]:
        """Return the state of all games, for `restore`."""
        return [group.saved() for group in self._groups]

    def restore(self, saved: list[dict[str, Any]]) -> None:
        """Restore the state that `saved` returned; members and number of threads must be the same."""
        for group, one in zip(self._groups, saved, strict=True):
            group.restore(one)


class _Group:
    """Games of all setups that one thread plays."""

    def __init__(self, config: TrainConfig, num_games: int, members: Sequence[Agent], seed: np.random.SeedSequence):
        tables, shares = zip(*config.weighted_setups, strict=True)
        bounds = np.round(np.cumsum(shares) / sum(shares) * num_games).astype(int)
        seeds = [int(word) for word in seed.generate_state(len(tables) + 2)]
        self._rng = np.random.default_rng(seeds[-1])
        self._generator = torch.Generator(config.device).manual_seed(seeds[-2])
        self._members = list(members)
        self._batches = [
            SelfPlayBatch(int(count), table, members, one, reward_of(config.reward))
            for table, count, one in zip(tables, np.diff(bounds, prepend=0), seeds, strict=False)
            if count
        ]
        for batch, one in zip(self._batches, seeds, strict=False):
            batch.begin_at_positions(config.restarts, one)
        self._offsets = np.cumsum([0, *(batch.num_games for batch in self._batches)])[:-1]
        rules = self._batches[0].rules
        # From the settings, not from the group's own games: a small group may lack the setup with most players.
        seats = num_seats_of(config)
        others_size = (seats - 1) * rules.observation_size if config.full_state_critic else 0
        self.rollout = Rollout(
            config.rollout_length, num_games, seats, rules.observation_low, rules.num_actions, others_size
        )

    def add_member(self, member: Agent) -> None:
        self._members.append(member)
        for batch in self._batches:
            batch.add_agent(member)

    def start(self, draw: DrawLineUps) -> None:
        for batch in self._batches:
            batch.start(np.arange(batch.num_games), draw(self._rng, batch.num_games, batch.rules.num_players))

    def collect(self, learner: Learner, draw: DrawLineUps, seed: np.random.SeedSequence) -> list[Ended]:
        for member, word in zip(self._members, seed.generate_state(max(1, len(self._members))), strict=False):
            member.seed(int(word))
        self.rollout.clear()
        return [one for _ in range(self.rollout.length) for one in self._play_a_turn(learner, draw)]

    def saved(self) -> dict[str, Any]:
        return {
            "batches": [batch.saved() for batch in self._batches],
            "rng": self._rng.bit_generator.state,
            "generator": self._generator.get_state().numpy(),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        for batch, one in zip(self._batches, saved["batches"], strict=True):
            batch.restore(one)
        self._rng.bit_generator.state = saved["rng"]
        self._generator.set_state(torch.from_numpy(saved["generator"]))

    def _play_a_turn(self, learner: Learner, draw: DrawLineUps) -> list[Ended]:
        waiting = [batch.pending() for batch in self._batches]
        splits = np.cumsum([one.games.size for one in waiting])[:-1]
        games = np.concatenate([one.games + first for one, first in zip(waiting, self._offsets, strict=True)])
        _, who, seats, observations, masks = (np.concatenate(column) for column in zip(*waiting, strict=True))
        actions = np.empty(who.size, dtype=np.int64)
        own = who == LEARNER
        mine, my_masks = observations[own], masks[own].view(np.bool_)
        others = None if self.rollout.others is None else self._others_observations(waiting)
        decided = learner.decide(mine, my_masks, self._generator, others)
        actions[own] = decided[0]
        for number in np.unique(who[~own]).tolist():
            rows = who == number
            actions[rows] = self._members[number].act_batch(observations[rows], masks[rows])
        outcomes, ended = [], []
        for batch, one, its_actions in zip(self._batches, waiting, np.split(actions, splits), strict=True):
            batch.play_agents()
            outcome = batch.step(one.games, its_actions)
            outcomes.append(outcome)
            ended += self._started_anew(batch, outcome.ended, draw)
        is_over = np.concatenate([outcome.ended for outcome in outcomes])
        rewards = np.zeros((is_over.size, self.rollout.num_seats), dtype=np.float32)
        for outcome, first in zip(outcomes, self._offsets, strict=True):
            count, players = outcome.rewards.shape
            rewards[first : first + count, :players] = outcome.rewards
        self.rollout.add_turn(games[own], seats[own], decided, mine, my_masks, rewards, is_over, others)
        return ended

    def _others_observations(self, waiting: Sequence[PendingDecisions]) -> npt.NDArray[Any]:
        """Return the other players' observations at the learner's decisions, one row per decision."""
        found = []
        for batch, one in zip(self._batches, waiting, strict=True):
            own, seats = one.who == LEARNER, self.rollout.num_seats
            found.append(others_observations(batch.rules, batch.states, one.games[own], one.seats[own], seats))
        return np.concatenate(found)

    def _started_anew(self, batch: SelfPlayBatch, is_over: npt.NDArray[np.bool_], draw: DrawLineUps) -> list[Ended]:
        games = np.flatnonzero(is_over)
        if not games.size:
            return []
        players, whole = batch.rules.num_players, games[~batch.restarted[games]]
        ended = Ended(batch.rules.setup, batch.line_ups()[whole, :players], batch.returns(whole))
        batch.start(games, draw(self._rng, games.size, players))
        return [ended]


@contextlib.contextmanager
def _one_thread_each() -> Iterator[None]:
    """Give each group one thread for the network's arithmetic: with more, the groups would wait for each other."""
    threads = torch.get_num_threads()
    try:
        yield
    finally:
        torch.set_num_threads(threads)
