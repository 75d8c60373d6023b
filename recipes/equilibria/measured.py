"""Measurements of round equilibria on the table 2+0, and their table for the documentation.

The rounds come from games between `greedy` players (`recipes.equilibria.plan_regret.round_starts`).
"""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from recipes.equilibria.plan_regret import round_starts
from recipes.equilibria.round_game import RoundGame
from romans_agents.romans_go_home.rounds.matrix_game import Floats
from romans_env import RomansGoHome, Table

LINES = Path(__file__).with_name("lines.json")
"""The file of results."""
RULES = RomansGoHome(Table(2, 0))
ITERATIONS = 100
"""Of mirror descent."""


def rounds_of(games: int) -> list[tuple[int, int]]:
    """The seed of every game and the number of every round, from 1 on."""
    return [(seed, number) for seed in range(games) for number in range(1, len(round_starts(RULES, seed)) + 1)]


def over_lines(seed: int, number: int) -> dict[str, Any]:
    """Solve a round over all lines: a result of `LINES`."""
    begun = time.perf_counter()
    game = RoundGame.of(round_starts(RULES, seed)[number - 1], RULES.setup)
    made = time.perf_counter()
    mixes = next(islice(game.solutions(), ITERATIONS - 1, None))
    solved = time.perf_counter()
    space = game.space
    weights = [space.weights(mix) for mix in mixes]
    return {
        "seed": seed,
        "round": number,
        "matrix_seconds": round(made - begun, 1),
        "solved_seconds": round(solved - made, 1),
        "regret": sum(game.regrets(mixes)) / 2,
        "value": float(game.values(0, weights[1]) @ weights[0]),
        "lines": [int((one > 1e-4).sum()) for one in weights],
        "plans_a_hand": [_effective(mix, space.side.types, space.side.chances) for mix in mixes],
    }


def _effective(mix: Floats, types: npt.NDArray[np.int64], chances: Floats) -> float:
    """The exponential of the entropy of a hand's plans, as a mean over hands."""
    entropies = np.bincount(types, -mix * np.log(np.where(mix > 0.0, mix, 1.0)))
    return float(chances @ np.exp(entropies))


def table_of_lines(found: list[dict[str, Any]]) -> str:
    """A row for each round of `LINES`."""
    table = ["| game, round | matrix, s | solved, s | regret | value | lines | plans a hand |", f"|---|{'---:|' * 6}"]
    for one in found:
        value = f"{one['value'] + 0.0:+.2f}"
        cells = (
            f"{one['seed']}, {one['round']}",
            f"{one['matrix_seconds']:.0f}",
            f"{one['solved_seconds']:.0f}",
            f"{one['regret']:.4f}",
            value if float(value) else value[1:],
            ", ".join(map(str, one["lines"])),
            ", ".join(f"{plans:.1f}" for plans in one["plans_a_hand"]),
        )
        table.append(f"| {' | '.join(cells)} |")
    return "\n".join(table) + "\n"
