"""A batch of games in which the caller acts for every seat: a step is one call of the game's batch loops.

It is for programs that play all seats themselves, such as self-play. The vector environments, whose learner plays one
seat against agents, and the drivers of evaluations run on the loops of `romans_agents.batches.game_arrays`, which play
compiled agents inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.compiling.templates import bound
from romans_env.core.protocol import Rules, States
from romans_env.core.python_step import step_of
from romans_env.engine import batch_loops
from romans_env.engine.action_arrays import as_actions
from romans_env.engine.random_stream import WORDS
from romans_env.engine.saved_games import restore_arrays
from romans_env.engine.seeds import deal_and_play_streams, seeds_of_games
from romans_env.engine.threads import Threads


class BatchArrays(NamedTuple):
    """The arrays a batch writes into: the caller's own, or `new` ones.

    Attributes:
        observations: the observation of the seat to act: the dtype of ``rules.observation_low``, shape (num_games,
            observation size).
        masks: its action mask: int8, shape (num_games, number of actions).
        seats: the seat to act: int8, shape (num_games,).
        rewards: the reward of each player for the last step: float32, shape (num_games, num_players).
        ends: 0 for a game that goes on, 1 for one that ended with the last step (and has been started again), 2 for one
            ended by an illegal action: int8, shape (num_games,).
    """

    observations: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]
    seats: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    ends: npt.NDArray[np.int8]

    @classmethod
    def new(cls, rules: Rules, num_games: int) -> BatchArrays:
        """Return fresh arrays of the right shapes."""
        return cls(
            observations=np.zeros((num_games, rules.observation_size), dtype=rules.observation_low.dtype),
            masks=np.zeros((num_games, rules.num_actions), dtype=np.int8),
            seats=np.zeros(num_games, dtype=np.int8),
            rewards=np.zeros((num_games, rules.num_players), dtype=np.float32),
            ends=np.zeros(num_games, dtype=np.int8),
        )


class Batch:
    """Games with one setup, stepped together.

    A step plays one action in every game, for whichever seat is to act there. A game that ends starts again in the same
    step; an illegal action ends it with reward -1 for the offender and 0 for the others. Game i is decided by its seed
    and its actions alone, whatever the number of games or threads. One thread steps it (beside the ``threads`` that it
    starts itself); others that share it need a lock.

    Args:
        rules: the game with its setup.
        num_games: how many.
        out: arrays to write into, without a copy; None for new ones.
        threads: how many share the games.

    Attributes:
        out: the arrays.
        states: the games' records, shape (num_games,).
        words: chance words of the games in progress, int64, shape (num_games, 4); zeros where all of it came
            at the start.

    Raises:
        ValueError: no games, or arrays of other shapes or dtypes than `BatchArrays` says.
    """

    def __init__(self, rules: Rules, num_games: int, out: BatchArrays | None = None, threads: int = 1):
        if num_games < 1:
            raise ValueError(f"num_games is at least 1, not {num_games}")
        fresh = BatchArrays.new(rules, num_games)
        if out is not None:
            _check_arrays(out, fresh)
        self.rules, self.num_games = rules, num_games
        self.out = fresh if out is None else out
        self.states = rules.new_states(num_games)
        self.words, self._deal_streams, self._choice_streams = np.zeros((3, num_games, WORDS), dtype=np.int64)
        self._chosen = np.zeros(num_games, dtype=np.int64)
        self._threads = Threads(num_games, threads)
        self._loops = bound(batch_loops, game=step_of(rules))
        self._is_started = False

    def start(self, seed: int | Sequence[int | None] | None = None) -> BatchArrays:
        """Start every game.

        Args:
            seed: an integer (game i gets ``seed + i``), one for each game, or None for fresh chance.

        Returns:
            ``out``.

        Raises:
            ValueError: an invalid seed, or a wrong number of seeds.
        """
        sequences = [np.random.SeedSequence(one) for one in seeds_of_games(seed, self.num_games)]
        self._deal_streams[:], self._choice_streams[:] = deal_and_play_streams(sequences)
        self._threads.run(self._loops.start_games, self.states, self._deal_streams, self.words, self.out)
        self._is_started = True
        return self.out

    def step(self, actions: npt.NDArray[Any]) -> BatchArrays:
        """Play an action in every game.

        Args:
            actions: integers, shape (num_games,).

        Returns:
            ``out``.

        Raises:
            RuntimeError: before `start`.
            TypeError: the actions are not integers.
            ValueError: a wrong number of actions.
        """
        self._step(as_actions(actions, self.num_games), chooses=False, watches=True)
        return self.out

    def step_randomly(self, watches: bool = True) -> npt.NDArray[np.int64]:
        """Play a legal action in every game, each with equal chance.

        Args:
            watches: whether observations and masks are written; what only plays games on to their ends needs neither.

        Returns:
            The actions: int64, shape (num_games,), overwritten by the next call.
        """
        self._step(self._chosen, chooses=True, watches=watches)
        return self._chosen

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Return the state of all games, and what ``out`` says of them: arrays for `restore`."""
        return {name: array.copy() for name, array in self._saved_arrays().items()}

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Go back to where `saved` was called; ``out`` as well.

        Raises:
            SavedGamesError: arrays that do not fit these games.
        """
        restore_arrays(self._saved_arrays(), saved)
        self._is_started = True

    def _saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {
            "states": self.states,
            "words": self.words,
            "deal_streams": self._deal_streams,
            "choice_streams": self._choice_streams,
            **self.out._asdict(),
        }

    def _step(self, actions: npt.NDArray[np.int64], chooses: bool, watches: bool) -> None:
        if not self._is_started:
            raise RuntimeError("call start() first")
        streams = self._deal_streams, self._choice_streams
        step = self._loops.step_games
        self._threads.run(step, self.states, actions, chooses, watches, *streams, self.words, self.out)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_loops": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._loops = bound(batch_loops, game=step_of(self.rules))


def play_out(
    rules: Rules, states: States, rng: np.random.Generator, threads: int = 1
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Play games on to their ends with random legal actions, each with equal chance: a search's rollouts.

    Args:
        rules: the game with its setup.
        states: started games, shape (n,); played in place.
        rng: decides the actions, and the chance to come.
        threads: how many share the games; game i is the same for any number.

    Returns:
        The returns of every player, float32, shape (n, num_players), and the number of actions of every game, int64,
        shape (n,).
    """
    shape = (len(states), WORDS)
    streams = rng.integers(0, 2**32, size=shape, dtype=np.int64)
    words = rng.integers(0, 2**32, size=shape, dtype=np.int64)
    returns = np.empty((len(states), rules.num_players), dtype=np.float32)
    lengths = np.empty(len(states), dtype=np.int64)
    if len(states):
        loops = bound(batch_loops, game=step_of(rules))
        Threads(len(states), threads).run(loops.play_out_games, states, streams, words, returns, lengths)
    return returns, lengths


def _check_arrays(out: BatchArrays, expected: BatchArrays) -> None:
    for name in BatchArrays._fields:
        given, right = getattr(out, name), getattr(expected, name)
        if given.shape != right.shape or given.dtype != right.dtype:
            raise ValueError(f"{name} is {right.dtype} of shape {right.shape}, not {given.dtype} of {given.shape}")
        if not given.flags.c_contiguous or not given.flags.writeable:
            raise ValueError(f"{name} must be writeable and in C order")
