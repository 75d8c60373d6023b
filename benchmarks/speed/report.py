"""Measurements as tables and as JSON."""

from __future__ import annotations

import contextlib
import os
import platform
from collections import Counter
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.speed.timing import Measurement
from romans_env.core.games import GameSpec
from romans_training.reporting import markdown_grid, print_whole

_PACKAGES = (
    "romans-env",
    "numpy",
    "numba",
    "gymnasium",
    "pettingzoo",
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    "rlcard",
    "open_spiel",
    "pgx",
    "jax",
    "catanatron-gym",
)
TITLES = {
    "engine": "Engine: agent steps per second, random legal actions, mask, observation and auto-reset unless said",
    "aec": "PettingZoo AEC: agent steps per second of a loop of last(), a choice, step()",
    "vector": "Vector environments: learner's steps per second, actions chosen beforehand",
    "learning": "Learning: decisions per second, one thread",
}


def print_measurements(title: str, measured: Sequence[Measurement], unit: str = "steps/s") -> None:
    """Print a title and a Markdown table; then the reasons why cases were left out."""
    console = Console()
    console.print(title, soft_wrap=True, highlight=False)
    grid = markdown_grid(("#", ""), (unit, "range", "ratio to #"))
    for row in rows_of(measured):
        grid.add_row(*row)
    if grid.row_count:
        print_whole(grid)
    for reason, count in Counter(one.missing for one in measured if one.missing).items():
        console.print(f"left out, as {reason}: {count}", highlight=False)
    console.print()


def rows_of(measured: Sequence[Measurement]) -> list[tuple[str, str, str, str, str]]:
    """Return number, name, median, range and ratio, as texts, of the cases that were measured."""
    number = {one.name: k for k, one in enumerate(measured, 1)}
    rows = []
    for one in measured:
        if one.median is None:
            continue
        spread = f"{in_short(min(one.rates))} - {in_short(max(one.rates))}"
        ratio = "" if one.ratio is None else f"{one.ratio:.3g} x #{number[one.compared_with or '']}"
        rows.append((str(number[one.name]), one.name, in_short(one.median), spread, ratio))
    return rows


def in_short(rate: float) -> str:
    """Return a rate such as ``12.3 M``, ``45.6 k`` or ``789``."""
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if rate >= 0.9995 * unit:
            return f"{rate / unit:.3g}{name}"
    return f"{rate:.3g}"


def as_json(spec: GameSpec, measured: Sequence[Measurement], runs: int, seconds: float) -> dict[str, Any]:
    """Return all measurements, with the machine and the versions."""
    versions = {}
    for name in _PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return {
        "game": spec.name,
        "machine": {"cpu": _cpu(), "cores": os.cpu_count(), "python": platform.python_version()},
        "versions": versions,
        "runs": runs,
        "seconds": seconds,
        "bytes_per_game": spec.make_rules().new_states(1).itemsize,
        "measurements": [one.as_json() for one in measured],
    }


def _cpu() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
