"""What a learner decided in a stretch of many games, and how much better than expected it turned out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from romans_training.learn.self_play.advantages import LearnerDecisions, advantages_of


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
        device: where the tensors are.

    Attributes:
        counts: decisions of every turn so far.
        observations: shape (length * num_games, observation size); as in the columns that follow, a row is a decision.
        masks: bool, shape (..., number of actions).
        games: int64.
        seats: who decided: int64.
        actions: int64.
        log_probabilities: of the actions: float32.
        values: the returns that were expected: float32.
        others: what the other players observed, shape (..., others_size); None where it is not kept.
        rewards: of every seat after each turn: float32, shape (length, num_games, num_seats).
        ended: the games that each turn ended: bool, shape (length, num_games).
    """

    def __init__(
        self,
        length: int,
        num_games: int,
        num_seats: int,
        like: npt.NDArray[Any],
        num_actions: int,
        others_size: int = 0,
        device: torch.device | str = "cpu",
    ):
        self.length, self.num_games, self.num_seats = length, num_games, num_seats

        def column(dtype: torch.dtype, *width: int) -> torch.Tensor:
            return torch.empty((length * num_games, *width), dtype=dtype, device=device)

        kind = torch.from_numpy(like).dtype
        self.counts: list[int] = []
        self.observations, self.masks = column(kind, like.size), column(torch.bool, num_actions)
        self.games, self.seats, self.actions = (column(torch.int64) for _ in range(3))
        self.log_probabilities, self.values = (column(torch.float32) for _ in range(2))
        self.others = column(kind, others_size) if others_size else None
        self.rewards = torch.zeros((length, num_games, num_seats), device=device)
        self.ended = torch.empty((length, num_games), dtype=torch.bool, device=device)

    @property
    def size(self) -> int:
        """Decisions written so far."""
        return sum(self.counts)

    def clear(self) -> None:
        """Forget all decisions."""
        self.counts = []

    def fill(self) -> None:
        """Count a decision of every game in every turn; the row of game i in turn k is ``k * num_games + i``."""
        self.counts = [self.num_games] * self.length
        self.games.copy_(torch.arange(self.num_games).repeat(self.length))

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
        turn, rows = len(self.counts), slice(self.size, self.size + games.size)
        columns = (self.games, self.seats, self.actions, self.log_probabilities, self.values)
        for column, values in zip(columns, (games, seats, *decided), strict=True):
            column[rows] = torch.from_numpy(values)
        self.observations[rows], self.masks[rows] = torch.from_numpy(observations), torch.from_numpy(masks)
        if self.others is not None and others is not None:
            self.others[rows] = torch.from_numpy(others)
        self.rewards[turn], self.ended[turn] = torch.from_numpy(rewards), torch.from_numpy(ended)
        self.counts.append(games.size)

    def decisions(self) -> LearnerDecisions:
        """Return what advantages are estimated from; it shares memory with the rollout."""
        rows = slice(self.size)
        return LearnerDecisions(
            self.counts, self.games[rows], self.seats[rows], self.values[rows], self.rewards, self.ended
        )

    def columns(self, gamma: float, gae_lambda: float) -> dict[str, torch.Tensor]:
        """Return what can be learned from: the attributes, ``advantages`` and ``returns``; the rows are decisions."""
        advantages, is_known = advantages_of(self.decisions(), gamma, gae_lambda)
        rows = is_known.nonzero()[:, 0]
        names = ["observations", "masks", "actions", "log_probabilities", "values"]
        names += [] if self.others is None else ["others"]
        found = {name: getattr(self, name).index_select(0, rows) for name in names}
        advantages = advantages[rows]
        return {**found, "advantages": advantages, "returns": advantages + found["values"]}
