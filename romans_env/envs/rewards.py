"""What a player is paid, the same in every face (RULES 7.4; DESIGN: paid until its next decision)."""

from __future__ import annotations

from romans_env.game import Game

REWARDS = ("win", "points")
ILLEGAL_REWARD = -1.0
"""What an illegal action earns the offender where it ends the game."""


def check_reward(reward: str) -> None:
    """ValueError for an unknown kind of reward."""
    if reward not in REWARDS:
        raise ValueError(f"reward is one of {', '.join(map(repr, REWARDS))}, not {reward!r}")


def rewards_between(game: Game, reward: str, points_before: dict[str, int] | None) -> dict[str, float]:
    """What every player earned since ``points_before``: points, or the return once the game is over."""
    if reward == "points" and points_before is not None:
        points = game.points()
        return {player: float(points[player] - points_before[player]) for player in game.players}
    return game.returns()
