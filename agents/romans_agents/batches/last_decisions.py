"""What a reward function compares in self-play: every seat at its last decision, and now."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.batches.game_arrays import Integers
from romans_env.core.protocol import Rules, States
from romans_env.envs.rewards import RewardFunction, rewards_in_games


class LastDecisions:
    """The games as they stood when each of the learner's seats last decided.

    Args:
        rules: the game with its setup.
        num_games: how many games.
        reward: the reward function.
    """

    def __init__(self, rules: Rules, num_games: int, reward: RewardFunction):
        self._rules, self._reward = rules, reward
        self._states = rules.new_states(num_games * rules.num_players).reshape(num_games, rules.num_players)
        self._has_decided = np.zeros((num_games, rules.num_players), dtype=np.bool_)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays that hold everything, by name; writing to them sets it."""
        return {"last_decisions": self._states, "has_decided": self._has_decided}

    def start(self, states: States, games: Integers, is_learner: npt.NDArray[np.bool_]) -> None:
        """Note that games have started; arguments as of `rewards`."""
        self._has_decided[games] = False
        now = states[games]
        self._note(games, now, self._decides(now, is_learner))

    def rewards(self, states: States, games: Integers, is_learner: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """Return the rewards of the seats that decide next, and of all seats in a game that is over.

        These decisions, or ends, are noted: the next rewards are counted from there.

        Args:
            states: all games, as they stand.
            games: the numbers of those that went on: shape (k,).
            is_learner: whether the learner plays a seat: shape (k, players).

        Returns:
            The rewards, 0 for other seats and before a seat's first decision: shape (k, players).

        Raises:
            RewardError: a reward that is no finite number.
        """
        now = states[games]
        decides = self._decides(now, is_learner)
        rewards = np.zeros(decides.shape)
        rows, seats = np.nonzero(decides & self._has_decided[games])
        before, found = self._states[games[rows], seats], np.arange(rows.size)
        rewards[rows, seats] = rewards_in_games(self._rules, self._reward, before, now[rows], found, seats)
        self._note(games, now, decides)
        return rewards

    def _decides(self, now: States, is_learner: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return which of the learner's seats decide next; in a game that is over all do."""
        to_act = self._rules.seats_to_act(now)[:, None]
        return is_learner & ((to_act == np.arange(self._rules.num_players)) | (to_act < 0))

    def _note(self, games: Integers, now: States, decides: npt.NDArray[np.bool_]) -> None:
        rows, seats = np.nonzero(decides)
        self._states[games[rows], seats] = now[rows]
        self._has_decided[games[rows], seats] = True
