"""What the agents of Roma choose in some views: run as a program, as JSON."""

from __future__ import annotations

import json

import romans_agents
from tests.roma.stages import new_game, played

SPECS = (
    "forum-runner",
    "raider",
    "denier",
    "expectimax:depth=2,width=3,samples=1",
    "flat-mc:iterations=20",
    "mo-ismcts:iterations=12",
)
VIEWS = ((0, 1), (9, 2), (26, 3), (41, 4))
"""Decisions that were played at random before, and the seed of the game."""


def choices() -> dict[str, list[int]]:
    """The actions of every agent."""
    games = [played(new_game(seed), seed, number) for number, seed in VIEWS]
    assert not any(game.is_over for game in games)
    return {spec: [act(spec, game) for game in games] for spec in SPECS}


def act(spec: str, game) -> int:
    return int(romans_agents.make(spec, game="roma").act(game.view(game.seat_to_act)))


if __name__ == "__main__":
    print(json.dumps(choices()))
