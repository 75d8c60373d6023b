"""What the agents of Roma choose in some views, and what guides their searches: run as a program, as JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from romans_agents.roma import guide
from romans_env.roma import step
from romans_env.roma.actions import NUM_ACTIONS
from tests.agents.choices import choices_of
from tests.roma.stages import new_game, played, positions

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


def choices() -> dict[str, list[Any]]:
    """What the agents choose in the views."""
    return choices_of(SPECS, [played(new_game(seed), seed, number) for number, seed in VIEWS])


def guided() -> list[dict[str, Any]]:
    """What guides the searches at decisions of a game: cheap to ask where nothing has to be compiled for it."""
    words, found = np.zeros((1, 4), dtype=np.int64), []
    actions, priors, returns = np.zeros(NUM_ACTIONS, dtype=np.int64), np.zeros(NUM_ACTIONS), np.zeros(2)
    for game in positions([6]):
        if game.is_over:
            continue
        states = game.states.copy()
        count = step.legal_actions(states, 0, actions)
        guide.priors(states, 0, actions, count, priors)
        guide.evaluate(states, 0, np.zeros((1, 4), dtype=np.int64), words, returns)
        found.append(
            {
                "legal": [game.legal_actions(), actions[:count].tolist()],
                "priors": priors[:count].tolist(),
                "returns": returns.tolist(),
                "goes_on": bool(states["turn"][0] > game.states["turn"][0] or step.is_over(states, 0)),
            }
        )
    return found


if __name__ == "__main__":
    print(json.dumps({"choices": choices(), "guided": guided()}))
