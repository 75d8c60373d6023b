"""What is measured of rounds at the table 2+0, and how it is shown: equilibria over lines, and with the whole attack.

Rounds are those of games between `greedy` players (`plan_regret.round_starts`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from recipes.equilibria.attack_oracle import SEARCHED, AttackOracle
from recipes.equilibria.plan_regret import round_starts
from recipes.equilibria.round_game import RoundGame
from romans_agents.romans_go_home.rounds.matrix_game import Floats, regret_matching
from romans_env import RomansGoHome, Table

LINES, ATTACKS = (Path(__file__).with_name(f"{name}.json") for name in ("lines", "attacks"))
"""The files of results."""
RULES = RomansGoHome(Table(2, 0))
ITERATIONS = 100
"""Of mirror descent, over lines."""
FIRST_ITERATIONS = 300
"""Of regret matching, for the plans that the oracle of the attack begins with."""
MARKS = 0, 10, 20, 40
"""Steps of the oracle whose gains are in the table; the last is the last of all."""
SEARCHED_AT_LAST = 4 * SEARCHED
"""Lines of each hand that are searched in the end."""


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


def with_the_attack(seed: int, number: int) -> dict[str, Any]:
    """Solve a round with all decisions of its attack: a result of `ATTACKS`."""
    root = round_starts(RULES, seed)[number - 1]
    game = RoundGame.of(root, RULES.setup)
    side = game.space.side
    starts = next(islice(regret_matching(game.values_of_plans, (side, side)), FIRST_ITERATIONS - 1, None))
    begun = time.perf_counter()
    oracle = AttackOracle(root, game, starts, RULES.setup)
    steps = []
    for count in range(MARKS[-1] + 1):
        step = oracle.step()
        steps.append(
            {
                "value": round(step.value, 5),
                "gains": [round(gain, 5) for gain in step.gains],
                "strategies": [len(one.lines) for one in step.mixtures],
                "seconds": round(time.perf_counter() - begun),
            }
        )
        click.echo(f"{count}: {steps[-1]}")
    gains = oracle.step(SEARCHED_AT_LAST).gains
    return {"seed": seed, "round": number, "steps": steps, "gains of more lines": gains}


def table_of_lines(found: list[dict[str, Any]]) -> str:
    """A row for each round of `LINES`."""
    rows = [
        (
            f"{one['matrix_seconds']:.0f}",
            f"{one['solved_seconds']:.0f}",
            f"{one['regret']:.4f}",
            _signed(one["value"], 2),
            ", ".join(map(str, one["lines"])),
            ", ".join(f"{plans:.1f}" for plans in one["plans_a_hand"]),
        )
        for one in found
    ]
    return _table(("matrix, s", "solved, s", "regret", "value", "lines", "plans a hand"), found, rows)


def table_of_attacks(found: list[dict[str, Any]]) -> str:
    """A row for each round of `ATTACKS`."""
    headers = (
        *("value", f"after {MARKS[-1]} steps", "best answers gain"),
        *(f"after {mark}" for mark in MARKS[1:]),
        *(f"{SEARCHED_AT_LAST} lines a hand", "strategies", "minutes"),
    )
    rows = []
    for one in found:
        steps, last = one["steps"], one["steps"][MARKS[-1]]
        gains = [*(steps[mark]["gains"] for mark in MARKS), one["gains of more lines"]]
        rows.append(
            (
                *(_signed(step["value"], 3) for step in (steps[0], last)),
                *(", ".join(f"{gain:.3f}" for gain in pair) for pair in gains),
                ", ".join(map(str, last["strategies"])),
                f"{last['seconds'] / 60:.0f}",
            )
        )
    return _table(headers, found, rows)


def _table(headers: tuple[str, ...], found: list[dict[str, Any]], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [("game, round", *headers), ("---", *("---:" for _ in headers))]
    lines += [(f"{one['seed']}, {one['round']}", *row) for one, row in zip(found, rows, strict=True)]
    head, rule, *body = (f"| {' | '.join(cells)} |" for cells in lines)
    return "\n".join([head, rule.replace(" ", ""), *body]) + "\n"


def _signed(value: float, digits: int) -> str:
    """A value with its sign; 0 has none."""
    text = f"{value + 0.0:+.{digits}f}"
    return text if float(text) else text[1:]
