"""Fails when the engine has become 1.5 times slower than what is recorded.

    python -m benchmarks.gate             # compare with benchmarks/recorded.json; exit status 1 when slower
    python -m benchmarks.gate --record    # measure, and record the figures

What is compared is not seconds but the speed as a ratio to a yardstick, measured in turns in one run; of the turns the
fastest counts, for noise only ever slows down. A gate that would fail measures again, twice.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchmarks.yardstick import RECORD, ROW, python_yardstick, yardstick
from romans_env import romans_go_home_v0
from romans_env.files import write_text
from romans_training.benchmark.contest import Chunk, Contest, Contestant
from romans_training.benchmark.engine import random_steps
from romans_training.benchmark.faces import cheap_loop

RECORDED = Path(__file__).with_name("recorded.json")
ALLOWED = 1.5
TURNS, SECONDS = 8, 0.1
TRIES = 3
_GAMES = 256


def contestants() -> list[Contestant]:
    """The yardsticks, and what is guarded in terms of them."""
    return [
        Contestant("yardstick", _yardstick),
        Contestant("python yardstick", lambda: lambda: int(python_yardstick(500) > 0) * 500),
        Contestant("2+0 with observations", lambda: random_steps((2, 0), _GAMES, watches=True), "yardstick"),
        Contestant("4+0 with observations", lambda: random_steps((4, 0), _GAMES, watches=True), "yardstick"),
        Contestant("2+0 without", lambda: random_steps((2, 0), _GAMES, watches=False), "yardstick"),
        Contestant("2+1 vogel without", lambda: random_steps((2, 1, "vogel"), _GAMES, watches=False), "yardstick"),
        Contestant("env()", lambda: cheap_loop(romans_go_home_v0.env()), "python yardstick"),
    ]


def measured() -> dict[str, float]:
    """Speed of everything that is guarded, in yardsticks."""
    contest = Contest("gate", contestants(), TURNS, SECONDS)
    for _ in contest.turns():
        pass
    best = {figure.name: max(figure.rates) for figure in contest.figures}
    return {one.name: best[one.name] / best[one.compared_with] for one in contestants() if one.compared_with}


def slower(now: dict[str, float], recorded: dict[str, float]) -> dict[str, float]:
    """How many times slower than recorded, for what is too slow.

    Raises:
        ValueError: something is not recorded.
    """
    missing = set(now) - set(recorded)
    if missing:
        raise ValueError(f"not recorded: {', '.join(sorted(missing))}; record with python -m benchmarks.gate --record")
    factors = {name: recorded[name] / speed for name, speed in now.items()}
    return {name: factor for name, factor in factors.items() if factor > ALLOWED}


@click.command()
@click.option("--record", "records", is_flag=True, help="Write the figures to benchmarks/recorded.json.")
def main(records: bool) -> None:
    """Compare the engine's speed with what is recorded."""
    now = measured()
    if records:
        write_text(RECORDED, json.dumps({name: round(speed, 4) for name, speed in now.items()}, indent=2) + "\n")
        click.echo(f"recorded: {RECORDED.name}")
        return
    recorded: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    for _ in range(TRIES - 1):
        if not slower(now, recorded):
            break
        again = measured()
        now = {name: max(speed, again[name]) for name, speed in now.items()}
    for name, speed in now.items():
        click.echo(f"{name}: {speed:.3f} yardsticks, {speed / recorded[name]:.2f} x what is recorded")
    too_slow = slower(now, recorded)
    if too_slow:
        names = ", ".join(f"{name} ({factor:.2f} x)" for name, factor in too_slow.items())
        raise click.ClickException(f"slower than {ALLOWED} x: {names}")


def _yardstick() -> Chunk:
    records, out = np.zeros(256, dtype=RECORD), np.zeros((256, ROW), dtype=np.int8)
    records["word"] = np.arange(256)

    def chunk() -> int:
        yardstick(records, out, 20)
        return 20 * 256

    return chunk


if __name__ == "__main__":
    main()
