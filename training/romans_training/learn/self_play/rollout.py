"""A rollout in many games: the learner's decisions, and their advantages."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from romans_training.learn.self_play.advantages import LearnerDecisions, advantages_of


class Rollout:
    """The learner's decisions in ``length`` turns of ``num_games`` games, written turn by turn.

    In a turn each game has at most one decision, of one seat. The decisions of one seat in one game form a trajectory;
    the reward of a decision is the sum of the seat's rewards until its next decision or the end of the game.

    Args:
        length: number of turns.
        num_games: number of games, of all setups together.
        num_seats: the largest number of seats that the learner may have in a game.
        like: an observation, for its size and dtype; shape ``(observation_size,)``.
        num_actions: number of actions.
        others_size: size of the other players' observations together; 0 if they are not stored.
        device: where the tensors are.

    Attributes:
        counts: number of decisions in each turn so far.
        observations: dtype of ``like``, shape ``(length * num_games, observation_size)``. Here and in the following
            columns a row is a decision.
        masks: action masks, bool, shape ``(length * num_games, num_actions)``.
        games: index of the game, int64, shape ``(length * num_games,)``.
        seats: seat to act, int64, shape ``(length * num_games,)``.
        actions: int64, shape ``(length * num_games,)``.
        log_probabilities: of the actions, float32, shape ``(length * num_games,)``.
        values: predicted returns, float32, shape ``(length * num_games,)``.
        others: observations of the other players, shape ``(length * num_games, others_size)``; None if not stored.
        rewards: reward of every seat after each turn, float32, shape ``(length, num_games, num_seats)``.
        ended: whether the turn ended the game, bool, shape ``(length, num_games)``.
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
        """The number of decisions written so far."""
        return sum(self.counts)

    def clear(self) -> None:
        """Discard all decisions."""
        self.counts = []

    def fill(self) -> None:
        """Reserve a decision for every game in every turn; row ``k * num_games + i`` is game i in turn k."""
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
        """Append a turn.

        Args:
            games: indices of the games in which the learner decided, int64, shape ``(n,)``.
            seats: the seats that decided, int8, shape ``(n,)``.
            decided: actions (int64), their log-probabilities (float32) and the predicted returns (float32), each of
                shape ``(n,)``.
            observations: int8 or int16 as the game has them, shape ``(n, observation_size)``.
            masks: bool, shape ``(n, num_actions)``.
            rewards: of every seat of every game after the turn, float32, shape ``(num_games, num_seats)``.
            ended: whether the turn ended the game, bool, shape ``(num_games,)``.
            others: observations of the other players, shape ``(n, others_size)``; only if these are stored.
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
        """Return the data that advantages are estimated from; it shares memory with the rollout."""
        rows = slice(self.size)
        return LearnerDecisions(
            self.counts, self.games[rows], self.seats[rows], self.values[rows], self.rewards, self.ended
        )

    def columns(self, gamma: float, gae_lambda: float) -> dict[str, torch.Tensor]:
        """Return the training data: columns by name, one row per decision that can be trained on.

        Args:
            gamma: discount factor per decision, from 0 to 1.
            gae_lambda: lambda of GAE, from 0 to 1.

        Returns:
            ``observations``, ``masks``, ``actions``, ``log_probabilities``, ``values`` and, if stored, ``others`` with
            the dtypes of the attributes; ``advantages`` and ``returns``, float32, shape ``(n,)``.
        """
        advantages, is_known = advantages_of(self.decisions(), gamma, gae_lambda)
        rows = is_known.nonzero()[:, 0]
        names = ["observations", "masks", "actions", "log_probabilities", "values"]
        names += [] if self.others is None else ["others"]
        found = {name: getattr(self, name).index_select(0, rows) for name in names}
        advantages = advantages[rows]
        return {**found, "advantages": advantages, "returns": advantages + found["values"]}
