"""Rewards, which are the same in every environment: all that a player receives up to its next decision (RULES 7.4)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.game import View
from romans_env.core.protocol import Rules, States
from romans_env.errors import UserError, error_line_with_place, in_one_line, shortened

Integers = npt.NDArray[np.integer[Any]]

REWARDS = ("win", "points")


class RewardError(UserError, ValueError):
    """A reward function raised an error, or returned a value that is not a finite number."""


class SeatState:
    """A snapshot of one seat, as reward functions receive it: what the seat may know, and its results so far.

    In environments of many games the next step overwrites the snapshot, but not arrays and views that were taken from
    it.

    Attributes:
        rules: the game with its setup.
        seat: the seat, counted from 0.
        points: the seat's points.
        is_over: whether the game is over.
        won: whether the game is over and the seat is among the winners.
        game_return: the seat's return, in [-1, 1]; 0 while the game runs.
    """

    __slots__ = ("_row", "_states", "game_return", "is_over", "points", "rules", "seat", "won")

    def __init__(self, rules: Rules, states: States, row: int, seat: int, points: int, is_over: bool):
        self.rules, self.seat, self.points, self.is_over = rules, seat, points, is_over
        self._states, self._row = states, row
        self.game_return = float(rules.game_return(states, row, seat)) if is_over else 0.0
        self.won = is_over and rules.players[seat] in rules.winners(states, row)

    @property
    def view(self) -> View:
        """The private view of the seat, a new object."""
        return View(self.rules, self.rules.redacted_for(self._states, self._row, self.seat), self.seat)

    @property
    def observation(self) -> npt.NDArray[Any]:
        """The observation of the seat: a new array, shape ``(observation_size,)``, int8, int16 or float32."""
        observation = np.empty(self.rules.observation_size, dtype=self.rules.observation_low.dtype)
        self.rules.observe(self._states, self._row, self.seat, observation, np.empty(0, dtype=np.int8))
        return observation


RewardFunction = Callable[[SeatState, SeatState], float]
"""Called with a seat at a decision and at its next decision (or at the end of the game); returns the reward."""
Reward = str | RewardFunction
"""``"win"``, ``"points"`` or a reward function."""


@dataclass(frozen=True)
class PotentialBasedShaping:
    """A reward function with potential-based shaping, which does not change the optimal policies.

    It adds ``gamma * potential(after) - potential(before)`` to another reward; the potential of a finished game counts
    as 0 (Ng, Harada and Russell 1999; for games of several players Devlin and Kudenko 2011).

    Args:
        potential: the potential function, called with a `SeatState`; it returns a finite number.
        reward: the reward to shape: ``"win"``, ``"points"`` or a reward function.
        gamma: the learner's discount factor per decision.

    Raises:
        ValueError: if the reward does not exist.
    """

    potential: Callable[[SeatState], float]
    reward: Reward = "win"
    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_reward(self.reward)

    def __call__(self, before: SeatState, after: SeatState) -> float:
        """Return the shaped reward.

        Raises:
            RewardError: if the reward or a potential is not a finite number.
        """
        shaping = self._potential_of(after) * self.gamma - self._potential_of(before)
        return reward_between(self.reward, before, after) + shaping

    def _potential_of(self, state: SeatState) -> float:
        return 0.0 if state.is_over else _called(self.potential, "the potential", state)


def check_reward(reward: Any) -> None:
    """Check that a reward is ``"win"``, ``"points"`` or a function; raise ValueError otherwise."""
    if reward not in REWARDS and (isinstance(reward, (str, type)) or not callable(reward)):
        raise ValueError(
            f"reward is one of {', '.join(map(repr, REWARDS))} or a function of (before, after), "
            f"not {shortened(reward)}"
        )


def reward_between(reward: Reward, before: SeatState, after: SeatState) -> float:
    """Return the reward of a seat between a decision and its next decision, or the end of the game.

    Args:
        reward: ``"win"``, ``"points"`` or a reward function.
        before: the seat at the decision.
        after: the seat at its next decision, or at the end.

    Raises:
        RewardError: if the reward function raises an error, or returns a value that is not a finite number.
    """
    if reward == "win":
        return after.game_return
    if reward == "points":
        return float(after.points - before.points)
    assert not isinstance(reward, str)
    return _called(reward, "the reward function", before, after)


def seat_state(rules: Rules, states: States, row: int, seat: int) -> SeatState:
    """Return a snapshot of a seat in game ``row`` of ``states``, records of shape ``(n,)``, which are not copied."""
    return SeatState(rules, states, row, seat, int(rules.points(states, row, seat)), rules.seat_to_act(states, row) < 0)


def rewards_in_games(
    rules: Rules, function: RewardFunction, before: States, after: States, games: Integers, seats: Integers
) -> npt.NDArray[np.float64]:
    """Return the rewards of one seat in each of some games by a reward function.

    Args:
        rules: the game with its setup.
        function: the reward function.
        before: records of all games at the seats' decisions, shape ``(n,)``.
        after: records of the same games at the seats' next decisions, or at the end, shape ``(n,)``.
        games: indices of the games, integers, shape ``(k,)``.
        seats: the seat in each of these games, integers, shape ``(k,)``.

    Returns:
        The rewards, float64, shape ``(k,)``.

    Raises:
        RewardError: if the reward function raises an error, or returns a value that is not a finite number.
    """
    points = [rules.points_of(states)[games, seats].tolist() for states in (before, after)]
    is_over = (rules.seats_to_act(after)[games] < 0).tolist()
    rewards = []
    for i, seat, first, last, ends in zip(games.tolist(), seats.tolist(), *points, is_over, strict=True):
        states = SeatState(rules, before, i, seat, first, False), SeatState(rules, after, i, seat, last, ends)
        rewards.append(reward_between(function, *states))
    return np.array(rewards)


def _called(function: Callable[..., Any], what: str, *states: SeatState) -> float:
    """Call a reward or potential function and return its value; raise RewardError if it fails or is not finite."""
    try:
        value = function(*states)
    except RewardError:  # raised by a function that it calls
        raise
    except Exception as error:
        raise RewardError(f"{what} {_name_of(function)} raised {error_line_with_place(error)}") from error
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise RewardError(f"{what} {_name_of(function)} returned {shortened(value)}; it must return a finite number")
    return number


def _name_of(function: Any) -> str:
    return in_one_line(getattr(function, "__name__", type(function).__name__), 60)
