"""The states at the learner's last decisions in self-play, which reward functions compare with the current states."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.batches.game_arrays import Integers
from romans_env.core.protocol import Rules, States
from romans_env.envs.rewards import RewardFunction, rewards_in_games


class LastDecisions:
    """Keeps the state of every game at the last decision of each of the learner's seats, to compute rewards.

    Args:
        rules: the game with its setup.
        num_games: the number of games.
        reward: the reward function.
    """

    def __init__(self, rules: Rules, num_games: int, reward: RewardFunction):
        self._rules, self._reward = rules, reward
        self._states = rules.new_states(num_games * rules.num_players).reshape(num_games, rules.num_players)
        self._has_decided = np.zeros((num_games, rules.num_players), dtype=np.bool_)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays that hold the whole state of this object, by name, without copying them.

        Writing to the arrays restores a state. They are state records, and bools that tell whether the seat has decided
        yet; both have shape ``(num_games, players)``.
        """
        return {"last_decisions": self._states, "has_decided": self._has_decided}

    def start(self, states: States, games: Integers, is_learner: npt.NDArray[np.bool_]) -> None:
        """Replace the last decisions of games that have just started by their first decisions.

        Args:
            states: records of all games, shape ``(num_games,)``.
            games: the indices of the games that have started: int64, shape ``(k,)``.
            is_learner: True where the learner plays the seat: bool, shape ``(k, players)``.
        """
        self._has_decided[games] = False
        now = states[games]
        self._note(games, now, self._decides(now, is_learner))

    def rewards(self, states: States, games: Integers, is_learner: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """Compute the rewards since the last decision, for the learner's seats that are to act or whose game is over.

        For these seats, the current states are then kept as the states at their last decisions.

        Args:
            states: records of all games, shape ``(num_games,)``.
            games: the indices of the games in which an action was played: int64, shape ``(k,)``.
            is_learner: True where the learner plays the seat: bool, shape ``(k, players)``.

        Returns:
            Rewards, float64, shape ``(k, players)``; 0 for other seats, and for a seat without an earlier decision.

        Raises:
            RewardError: if a reward is not a finite number.
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
        """Mark the learner's seats that are to act, or all of its seats if the game is over: bool, (k, players)."""
        to_act = self._rules.seats_to_act(now)[:, None]
        return is_learner & ((to_act == np.arange(self._rules.num_players)) | (to_act < 0))

    def _note(self, games: Integers, now: States, decides: npt.NDArray[np.bool_]) -> None:
        rows, seats = np.nonzero(decides)
        self._states[games[rows], seats] = now[rows]
        self._has_decided[games[rows], seats] = True
