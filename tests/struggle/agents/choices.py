"""What the searches of Struggle for Rome choose in some views: run as a program, as JSON."""

from __future__ import annotations

import json

import romans_agents
from tests.struggle.stages import opened

SPECS = ("chieftain", "trader", "flat-mc:iterations=8", "mo-ismcts:iterations=8")
VIEWS = ((0, 1), (37, 2), (150, 3))
"""Decisions that were played at random before, and the seed of the game."""


def choices() -> dict[str, list[int]]:
    """The actions of every agent."""
    games = [opened(number, seed) for number, seed in VIEWS]
    assert not any(game.is_over for game in games)
    return {spec: [act(spec, game) for game in games] for spec in SPECS}


def act(spec: str, game) -> int:
    return int(romans_agents.make(spec, game="struggle").act(game.view(game.seat_to_act)))


if __name__ == "__main__":
    print(json.dumps(choices()))
