"""What a learner decided in a stretch of many games, and how much better than expected it turned out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from romans_training.self_play.advantages import Decisions, advantages_of


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
        self._seats = np.empty(most, dtype=np.int64)
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

    def decisions(self) -> Decisions:
        """Return what advantages are estimated from; it shares memory with the rollout."""
        written, turns = slice(self.size), slice(self._turn)
        columns = (self._games, self._seats, self.values)
        return Decisions(
            np.diff(self._turn_starts[: self._turn + 1]).tolist(),
            *(torch.from_numpy(column[written]) for column in columns),
            *(torch.from_numpy(column[turns]) for column in (self._rewards, self._ended)),
        )

    def columns(self, gamma: float, gae_lambda: float) -> dict[str, torch.Tensor]:
        """Return what can be learned from: the attributes, ``advantages`` and ``returns``; the rows are decisions."""
        advantages, is_known = advantages_of(self.decisions(), gamma, gae_lambda)
        rows = is_known.numpy().nonzero()[0]
        names = ["observations", "masks", "actions", "log_probabilities", "values"]
        names += [] if self.others is None else ["others"]
        found = {name: torch.from_numpy(getattr(self, name)[rows]) for name in names}
        advantages = advantages[is_known]
        return {**found, "advantages": advantages, "returns": advantages + found["values"]}
