"""The rewards, the same in every environment (RULES 7.4): what a player accrues up to its next decision."""

from __future__ import annotations

from romans_env.core.game import Game

REWARDS = ("win", "points")


def check_reward(reward: str) -> None:
    """Check that a kind of reward exists; raise ValueError otherwise."""
    if reward not in REWARDS:
        raise ValueError(f"reward is one of {', '.join(map(repr, REWARDS))}, not {reward!r}")


def rewards_between(game: Game, reward: str, points_before: dict[str, int] | None) -> dict[str, float]:
    """Return the reward of every player since ``points_before``: points, or the return once the game is over."""
    if reward == "points" and points_before is not None:
        points = game.points()
        return {player: float(points[player] - points_before[player]) for player in game.players}
    return game.returns()
