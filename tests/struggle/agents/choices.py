"""What the searches of Struggle for Rome choose in some views, and what guides them: run as a program, as JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from romans_agents.struggle import guide
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.value import write_values
from romans_env.struggle import step
from tests.agents.choices import choices_of
from tests.struggle.stages import FOUR, opened, positions

SPECS = ("chieftain", "trader", "flat-mc:iterations=4", "mo-ismcts:iterations=4")
VIEWS = ((0, 1), (150, 3))
"""Decisions that were played at random before, and the seed of the game."""


def choices() -> dict[str, list[Any]]:
    """What the agents choose in the views."""
    return choices_of(SPECS, [opened(number, seed) for number, seed in VIEWS])


def guided() -> list[dict[str, Any]]:
    """What guides the searches at decisions of a game: cheap to ask where nothing has to be compiled for it."""
    words, found = np.zeros((1, 4), dtype=np.int64), []
    actions, priors, returns = np.zeros(FOUR.num_actions, dtype=np.int64), np.zeros(FOUR.num_actions), np.zeros(4)
    for game in positions([6], every=150):
        states = game.states.copy()
        if game.is_over:
            write_values(states[0], STYLES[TRADER], returns)
            found.append({"true": list(game.returns().values()), "returns": returns.tolist()})
            continue
        count = step.legal_actions(states, 0, actions)
        guide.priors(states, 0, actions, count, priors)
        guide.evaluate(states, 0, np.zeros((1, 4), dtype=np.int64), words, returns)
        turns = [[int(one[name][0]) for name in ("round_number", "phase", "active")] for one in (game.states, states)]
        found.append(
            {
                "legal": [game.legal_actions(), actions[:count].tolist()],
                "priors": priors[:count].tolist(),
                "returns": returns.tolist(),
                "goes_on": turns[0] != turns[1] or bool(step.is_over(states, 0)),
            }
        )
    return found


if __name__ == "__main__":
    print(json.dumps({"choices": choices(), "guided": guided()}))
