"""The rewards, the same in every environment (RULES 7.4): what a player accrues up to its next decision."""

from __future__ import annotations

import math
import warnings
from numbers import Real

from romans_env.engine.ends import ILLEGAL_REWARD
from romans_env.errors import shortened
from romans_env.game import Game

REWARDS = ("win", "points")
ILLEGAL_ACTIONS = ("end", "random")


def check_reward(reward: str) -> None:
    """ValueError for an unknown kind of reward."""
    if reward not in REWARDS:
        raise ValueError(f"reward is one of {', '.join(map(repr, REWARDS))}, not {reward!r}")


def check_illegal_actions(illegal_actions: str, reward: float) -> None:
    """ValueError for an unknown way with illegal actions, or a reward that is no finite number."""
    if illegal_actions not in ILLEGAL_ACTIONS:
        raise ValueError(f"illegal_actions is one of {', '.join(map(repr, ILLEGAL_ACTIONS))}, not {illegal_actions!r}")
    if isinstance(reward, bool) or not isinstance(reward, Real) or not math.isfinite(reward):
        raise ValueError(f"illegal_reward is a finite number, not {shortened(reward)}")


def warn_of_illegal_action() -> None:
    """Warn that the default reward of an illegal action teaches nothing; Python shows it once for a line of code."""
    warnings.warn(
        f"an illegal action ended an episode with reward {ILLEGAL_REWARD:g}, which equals a lost game: a learner that "
        "does not use the action masks hardly sees another reward. Use action_masks(), as MaskablePPO of sb3-contrib "
        "does, or illegal_actions='random', which plays a random legal action instead",
        stacklevel=3,
    )


def rewards_between(game: Game, reward: str, points_before: dict[str, int] | None) -> dict[str, float]:
    """The reward of every player since ``points_before``: points, or the return once the game is over."""
    if reward == "points" and points_before is not None:
        points = game.points()
        return {player: float(points[player] - points_before[player]) for player in game.players}
    return game.returns()
