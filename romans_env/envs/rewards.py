"""The rewards, the same in every environment (RULES 7.4): what a player accrues up to its next decision."""

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
    """A reward function that raised an error, or returned something else than a finite number."""


class SeatState:
    """One seat of a game at a moment, as a reward function is given it: what the seat may know, and its results.

    In an environment of many games it is overwritten by the next step; ``view`` and ``observation`` are not.

    Attributes:
        rules: the game with its setup.
        seat: the seat, from 0.
        points: its points.
        is_over: whether the game is over.
        won: whether it is over and the seat is among the winners.
        game_return: the return of a game that is over, in [-1, 1]; 0 before.
    """

    __slots__ = ("_row", "_states", "game_return", "is_over", "points", "rules", "seat", "won")

    def __init__(self, rules: Rules, states: States, row: int, seat: int, points: int, is_over: bool):
        self.rules, self.seat, self.points, self.is_over = rules, seat, points, is_over
        self._states, self._row = states, row
        self.game_return = float(rules.game_return(states, row, seat)) if is_over else 0.0
        self.won = is_over and rules.players[seat] in rules.winners(states, row)

    @property
    def view(self) -> View:
        """The private view of the seat."""
        return View(self.rules, self.rules.redacted_for(self._states, self._row, self.seat), self.seat)

    @property
    def observation(self) -> npt.NDArray[Any]:
        """The observation of the seat: int8, shape (observation size,)."""
        observation = np.empty(self.rules.observation_size, dtype=self.rules.observation_low.dtype)
        self.rules.observe(self._states, self._row, self.seat, observation, np.empty(0, dtype=np.int8))
        return observation


RewardFunction = Callable[[SeatState, SeatState], float]
"""Called with a seat at its decision and at its next one, or at the end of the game; returns the reward."""
Reward = str | RewardFunction
"""``"win"``, ``"points"`` or a function."""


@dataclass(frozen=True)
class PotentialBasedShaping:
    """The reward function that adds potential-based shaping, which leaves the optimal policies as they are.

    The reward is that of ``reward`` plus ``gamma * potential(after) - potential(before)``, where the potential of a
    game that is over is 0 (Ng, Harada and Russell 1999; Devlin and Kudenko 2011 for games of several players).

    Args:
        potential: called with a `SeatState`; returns a finite number.
        reward: the reward that is shaped: ``"win"``, ``"points"`` or a reward function.
        gamma: the learner's discount factor of a decision.

    Raises:
        ValueError: an unknown reward.
    """

    potential: Callable[[SeatState], float]
    reward: Reward = "win"
    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_reward(self.reward)

    def __call__(self, before: SeatState, after: SeatState) -> float:
        """Return the shaped reward; RewardError for a potential that is no finite number."""
        shaping = self._potential_of(after) * self.gamma - self._potential_of(before)
        return reward_between(self.reward, before, after) + shaping

    def _potential_of(self, state: SeatState) -> float:
        return 0.0 if state.is_over else _called(self.potential, "the potential", state)


def check_reward(reward: Any) -> None:
    """Check that a reward is one that exists, or a function; raise ValueError otherwise."""
    if reward not in REWARDS and (isinstance(reward, (str, type)) or not callable(reward)):
        raise ValueError(
            f"reward is one of {', '.join(map(repr, REWARDS))} or a function of (before, after), "
            f"not {shortened(reward)}"
        )


def reward_between(reward: Reward, before: SeatState, after: SeatState) -> float:
    """Return the reward of a seat from one of its decisions to the next one, or to the end of the game.

    Raises:
        RewardError: a reward function that raised an error, or returned no finite number.
    """
    if reward == "win":
        return after.game_return
    if reward == "points":
        return float(after.points - before.points)
    assert not isinstance(reward, str)
    return _called(reward, "the reward function", before, after)


def seat_state(rules: Rules, states: States, row: int, seat: int) -> SeatState:
    """Return a seat of the game ``states[row]`` as it is now."""
    return SeatState(rules, states, row, seat, int(rules.points(states, row, seat)), rules.seat_to_act(states, row) < 0)


def rewards_in_games(
    rules: Rules, function: RewardFunction, before: States, after: States, games: Integers, seats: Integers
) -> npt.NDArray[np.float64]:
    """Return the rewards of seats of some games by a reward function: float64, shape (k,).

    Args:
        rules: the game with its setup.
        function: the reward function.
        before: games at the seats' decisions: shape (n,).
        after: the same games at the seats' next decisions, or over.
        games: the numbers of the games: integers, shape (k,).
        seats: the seats: integers, shape (k,).

    Raises:
        RewardError: a reward that is no finite number.
    """
    points = [rules.points_of(states)[games, seats].tolist() for states in (before, after)]
    is_over = (rules.seats_to_act(after)[games] < 0).tolist()
    rewards = []
    for i, seat, first, last, ends in zip(games.tolist(), seats.tolist(), *points, is_over, strict=True):
        states = SeatState(rules, before, i, seat, first, False), SeatState(rules, after, i, seat, last, ends)
        rewards.append(reward_between(function, *states))
    return np.array(rewards)


def _called(function: Callable[..., Any], what: str, *states: SeatState) -> float:
    """Return what a function of seats returns; RewardError where that is no finite number, or an error."""
    try:
        value = function(*states)
    except RewardError:  # of a function within it
        raise
    except Exception as error:
        raise RewardError(f"{what} {_name_of(function)} raised {error_line_with_place(error)}") from error
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise RewardError(f"{what} {_name_of(function)} returned {shortened(value)}; it returns a finite number")
    return number


def _name_of(function: Any) -> str:
    return in_one_line(getattr(function, "__name__", type(function).__name__), 60)
