"""What a learner decided in a stretch of many games, and how much better than expected it turned out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_training.self_play.planning import Planning


class Rollout:
    """The learner's decisions of ``length`` turns of ``num_games`` games, written turn by turn.

    In a turn each game has one decision at most, of one seat. The decisions of a seat of a game follow each other; the
    reward of a decision is the sum of that seat's rewards until its next one or the end.

    Args:
        length: turns.
        num_games: games, of all setups together.
        num_seats: the most seats that a learner may have in a game.
        like: an observation, whose size and dtype all have.
        num_actions: of the action space.
        others_size: entries of what the other players observe together; 0: it is not kept.

    Attributes:
        size: decisions written so far.
        observations: shape (length * num_games, observation size); as in the columns that follow, a
            row is a decision.
        masks: bool, shape (..., number of actions).
        actions: int64.
        log_probabilities: of the actions: float32.
        values: the returns that were expected: float32.
        others: what the other players observed, shape (..., others_size); None where it is not kept.
    """

    def __init__(
        self,
        length: int,
        num_games: int,
        num_seats: int,
        like: npt.NDArray[Any],
        num_actions: int,
        others_size: int = 0,
    ):
        self.length, self.num_games, self.num_seats = length, num_games, num_seats
        most = length * num_games
        self.observations = np.empty((most, like.size), dtype=like.dtype)
        self.masks = np.empty((most, num_actions), dtype=np.bool_)
        self.actions = np.empty(most, dtype=np.int64)
        self.log_probabilities = np.empty(most, dtype=np.float32)
        self.values = np.empty(most, dtype=np.float32)
        self.others = np.empty((most, others_size), dtype=like.dtype) if others_size else None
        self._seats = np.empty(most, dtype=np.int8)
        self._games = np.empty(most, dtype=np.int64)
        self._turn_starts = np.zeros(length + 1, dtype=np.int64)
        self._rewards = np.empty((length, num_games, self.num_seats), dtype=np.float32)
        self._ended = np.empty((length, num_games), dtype=np.bool_)
        self._turn = 0
        self.size = 0

    def clear(self) -> None:
        """Forget all decisions."""
        self._turn = self.size = 0

    def add_turn(
        self,
        games: npt.NDArray[np.int64],
        seats: npt.NDArray[np.int8],
        decided: tuple[npt.NDArray[np.int64], npt.NDArray[np.float32], npt.NDArray[np.float32]],
        observations: npt.NDArray[np.int8],
        masks: npt.NDArray[np.bool_],
        rewards: npt.NDArray[np.float32],
        ended: npt.NDArray[np.bool_],
        others: npt.NDArray[Any] | None = None,
    ) -> None:
        """Write a turn.

        Args:
            games: in which the learner decided, shape (n,).
            seats: for which it decided.
            decided: its actions, their log-probabilities, and the values it expected.
            observations: shape (n, observation size).
            masks: shape (n, number of actions).
            rewards: of every seat of every game after the turn: shape (num_games, num_seats).
            ended: the games that the turn ended: shape (num_games,).
            others: what the other players observed, where it is kept: shape (n, others_size).
        """
        rows = slice(self.size, self.size + games.size)
        self._games[rows], self._seats[rows] = games, seats
        self.actions[rows], self.log_probabilities[rows], self.values[rows] = decided
        self.observations[rows], self.masks[rows] = observations, masks
        if self.others is not None:
            self.others[rows] = others
        self._rewards[self._turn], self._ended[self._turn] = rewards, ended
        self.size += games.size
        self._turn += 1
        self._turn_starts[self._turn] = self.size

    def columns(self, gamma: float, gae_lambda: float, planning: Planning | None = None) -> dict[str, npt.NDArray[Any]]:
        """What can be learned from: the attributes, ``advantages`` and ``returns``; a row a decision, in turn."""
        advantages, returns, rows = self.advantages(gamma, gae_lambda, planning)
        names = ["observations", "masks", "actions", "log_probabilities", "values"]
        names += [] if self.others is None else ["others"]
        return {
            **{name: getattr(self, name)[rows] for name in names},
            "advantages": advantages[rows],
            "returns": returns[rows],
        }

    def advantages(
        self, gamma: float, gae_lambda: float, planning: Planning | None = None
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """Generalised advantage estimates (Schulman et al. 2016), each seat of each game a trajectory of its own.

        The last decision of a seat in an unfinished game has no next one yet: its value bootstraps the one before, and
        it is not trained on.

        A decision's own lambda weights all the temporal differences after it, those of decisions with another lambda
        too. So a planning decision with lambda 1 learns from the Monte Carlo return, up to the end of the game or of
        the rollout. The recursion with the lambda of each step, A_t = delta_t + gamma * lambda_t * A_(t+1), would hand
        it the lambda-return of the first decision after planning, which bootstraps.

        Args:
            gamma: the discount, a decision.
            gae_lambda: the weight of later decisions.
            planning: the same for planning decisions; None: as for all others.

        Returns:
            Advantages and returns, shape (size,), and the rows that can be trained on.
        """
        advantages, rows = self._estimated(gamma, gae_lambda)
        if planning is not None:
            own, _ = self._estimated(gamma, planning.gae_lambda)
            advantages = np.where(planning.actions[self.actions[: self.size]], own, advantages)
        return advantages, advantages + self.values[: self.size], rows

    def _estimated(self, gamma: float, gae_lambda: float) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """Advantages with one lambda for all decisions, and the rows that can be trained on."""
        advantages = np.zeros(self.size, dtype=np.float32)
        is_known = np.zeros(self.size, dtype=np.bool_)
        shape = (self.num_games, self.num_seats)
        next_value, next_advantage, reward = (np.zeros(shape, dtype=np.float32) for _ in range(3))
        has_next = np.zeros(shape, dtype=np.bool_)
        for turn in reversed(range(self._turn)):
            ended = self._ended[turn]
            next_value[ended] = next_advantage[ended] = reward[ended] = 0.0
            has_next[ended] = True
            reward += self._rewards[turn]
            rows = slice(self._turn_starts[turn], self._turn_starts[turn + 1])
            at = self._games[rows], self._seats[rows]
            values, known = self.values[rows], has_next[at]
            found = reward[at] + gamma * next_value[at] - values + gamma * gae_lambda * next_advantage[at]
            advantages[rows] = found
            is_known[rows] = known
            next_value[at] = values
            next_advantage[at] = np.where(known, found, 0.0)
            reward[at] = 0.0
            has_next[at] = True
        return advantages, np.flatnonzero(is_known)
