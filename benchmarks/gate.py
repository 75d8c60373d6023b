"""A gate that fails if the engine has become 1.5 times slower than recorded.

    python -m benchmarks.gate             # compares with benchmarks/recorded.json; exit status 1 if slower
    python -m benchmarks.gate --record    # measures and records the speeds

Speeds are ratios to a yardstick that is measured in the same rounds, not seconds. The fastest round counts, because
noise can only slow it down. A gate that would fail measures again, up to twice.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import click

from benchmarks.speed.engine import random_steps
from benchmarks.speed.env_apis import cheap_loop
from benchmarks.speed.timing import Case, measure
from benchmarks.yardstick import python_yardstick, yardstick_steps
from romans_env import RomansGoHome, Table, romans_go_home_v0
from romans_env.core.files import write_text

RECORDED = Path(__file__).with_name("recorded.json")
ALLOWED = 1.5
RUNS, SECONDS = 8, 0.1
TRIES = 3
_GAMES = 256


def cases() -> list[Case]:
    """Return the yardsticks, and the guarded cases with the yardstick of each."""

    def steps(name: str, *table: Any, watches: bool) -> Case:
        return Case(name, partial(random_steps, RomansGoHome(Table(*table)), _GAMES, watches=watches), "yardstick")

    return [
        Case("yardstick", yardstick_steps),
        Case("python yardstick", lambda: lambda: int(python_yardstick(500) > 0) * 500),
        steps("2+0 with observations", 2, 0, watches=True),
        steps("4+0 with observations", 4, 0, watches=True),
        steps("2+0 without", 2, 0, watches=False),
        steps("2+1 vogel without", 2, 1, "vogel", watches=False),
        Case("env()", lambda: cheap_loop(romans_go_home_v0.env()), "python yardstick"),
    ]


def measured() -> dict[str, float]:
    """Return the speed of all guarded cases in yardsticks."""
    found = measure("gate", cases(), RUNS, SECONDS)
    best = {one.name: max(one.rates) for one in found}
    return {one.name: best[one.name] / best[one.compared_with] for one in found if one.compared_with}


def slower(speeds: dict[str, float], recorded: dict[str, float]) -> dict[str, float]:
    """Return the cases that are too slow, with the factor by which they are slower than recorded.

    Raises:
        ValueError: if a case is not recorded.
    """
    missing = set(speeds) - set(recorded)
    if missing:
        raise ValueError(f"not recorded: {', '.join(sorted(missing))}; record with python -m benchmarks.gate --record")
    factors = {name: recorded[name] / speed for name, speed in speeds.items()}
    return {name: factor for name, factor in factors.items() if factor > ALLOWED}


@click.command()
@click.option("--record", "records", is_flag=True, help="Write the speeds to benchmarks/recorded.json.")
def main(records: bool) -> None:
    """Compare the engine's speed with the recorded one."""
    speeds = measured()
    if records:
        write_text(RECORDED, json.dumps({name: round(speed, 4) for name, speed in speeds.items()}, indent=2) + "\n")
        click.echo(f"recorded: {RECORDED.name}")
        return
    recorded: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    for _ in range(TRIES - 1):
        if not slower(speeds, recorded):
            break
        again = measured()
        speeds = {name: max(speed, again[name]) for name, speed in speeds.items()}
    for name, speed in speeds.items():
        click.echo(f"{name}: {speed:.3f} yardsticks, {speed / recorded[name]:.2f} x the recorded speed")
    too_slow = slower(speeds, recorded)
    if too_slow:
        names = ", ".join(f"{name} ({factor:.2f} x)" for name, factor in too_slow.items())
        raise click.ClickException(f"slower than {ALLOWED} x: {names}")


if __name__ == "__main__":
    main()
