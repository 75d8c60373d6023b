"""A batch of games in which the caller acts for every seat; a step of all games is one compiled call.

Programs that play all seats themselves, such as self-play, use it. The vector environments, whose learner plays one
seat against agents, and evaluations use the loops of `romans_agents.batches.game_arrays`, in which compiled agents
play.
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
    """The arrays that a batch writes into: the caller's own, or `new` ones.

    Attributes:
        observations: the observation of the seat to act: shape ``(num_games, observation_size)``, in the dtype of
            ``rules.observation_low``.
        masks: its action mask: int8, shape ``(num_games, num_actions)``.
        seats: the seat to act: int8, shape ``(num_games,)``.
        rewards: the reward of each player for the last step: float32, shape ``(num_games, num_players)``.
        ends: 0 if the game goes on, 1 if it ended in the last step (and has been started again), 2 if an illegal action
            ended it (likewise): int8, shape ``(num_games,)``.
    """

    observations: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]
    seats: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    ends: npt.NDArray[np.int8]

    @classmethod
    def new(cls, rules: Rules, num_games: int) -> BatchArrays:
        """Return arrays of zeros with the dtypes and shapes that the class describes."""
        return cls(
            observations=np.zeros((num_games, rules.observation_size), dtype=rules.observation_low.dtype),
            masks=np.zeros((num_games, rules.num_actions), dtype=np.int8),
            seats=np.zeros(num_games, dtype=np.int8),
            rewards=np.zeros((num_games, rules.num_players), dtype=np.float32),
            ends=np.zeros(num_games, dtype=np.int8),
        )


class Batch:
    """Many games with one setup, stepped together.

    A step plays one action in every game, for the seat that is to act there. A game that ends starts again in the same
    step; an illegal action ends it with reward -1 for the offender and 0 for the others. The course of game i depends
    on its seed and its actions alone, not on the number of games or threads. A batch starts its own worker threads; if
    several threads of the caller share it, they need a lock.

    Args:
        rules: the game with its setup.
        num_games: number of games.
        out: the arrays to write into; None for new ones.
        threads: number of threads that share the games.

    Attributes:
        out: the arrays that are written at each step.
        states: the games' records, shape ``(num_games,)``.
        words: chance words of the games in progress, int64, shape ``(num_games, 4)``; zeros if all chance comes at the
            start.

    Raises:
        ValueError: if there are no games, or an array has another dtype or shape than `BatchArrays` describes.
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
        """Start every game anew.

        Args:
            seed: an integer (game i gets ``seed + i``), a sequence with a seed for each game, or None for fresh chance.

        Returns:
            ``out``.

        Raises:
            TypeError: if a seed is not an integer.
            ValueError: if a seed is negative, or the number of seeds is wrong.
        """
        sequences = [np.random.SeedSequence(one) for one in seeds_of_games(seed, self.num_games)]
        self._deal_streams[:], self._choice_streams[:] = deal_and_play_streams(sequences)
        self._threads.run(self._loops.start_games, self.states, self._deal_streams, self.words, self.out)
        self._is_started = True
        return self.out

    def step(self, actions: npt.NDArray[Any]) -> BatchArrays:
        """Play one action in every game.

        Args:
            actions: the action of the seat to act, integers, shape ``(num_games,)``.

        Returns:
            ``out``, whose float32 rewards, int8 masks and other arrays are overwritten.

        Raises:
            RuntimeError: if `start` has not been called.
            TypeError: if the actions are not integers.
            ValueError: if the number of actions is wrong.
        """
        self._step(as_actions(actions, self.num_games), chooses=False, watches=True)
        return self.out

    def step_randomly(self, watches: bool = True) -> npt.NDArray[np.int64]:
        """Play a uniformly random legal action in every game.

        Args:
            watches: whether to write observations and masks; without them, games that are only played out are faster.

        Returns:
            The actions: int64, shape ``(num_games,)``; overwritten by the next call.

        Raises:
            RuntimeError: if `start` has not been called.
        """
        self._step(self._chosen, chooses=True, watches=watches)
        return self._chosen

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Return a copy of the state of all games and of ``out``, for `restore`: arrays by name, as in this batch."""
        return {name: array.copy() for name, array in self._saved_arrays().items()}

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Restore the state of all games and of ``out`` from the arrays that `saved` returned.

        Raises:
            SavedGamesError: if names, dtypes or shapes do not match this batch; nothing is changed.
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
    """Play games to their ends with uniformly random legal actions, as in the rollouts of a search.

    Args:
        rules: the game with its setup.
        states: games in progress, shape ``(n,)``; played in place.
        rng: determines the actions and the chance to come.
        threads: number of threads that share the games; it does not change the results.

    Returns:
        The return of each player, float32, shape ``(n, num_players)``, in [-1, 1], and the number of actions that were
        played in each game, int64, shape ``(n,)``.
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
