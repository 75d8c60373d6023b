"""Figures as a table and as JSON."""

from __future__ import annotations

import contextlib
import os
import platform
from collections import Counter
from importlib import metadata
from pathlib import Path
from typing import Any

from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table as Grid

from romans_env.romans_go_home.state import STATE
from romans_training.benchmark.contest import Figure

_PACKAGES = (
    "romans-env", "numpy", "numba", "gymnasium", "pettingzoo", "torch", "stable-baselines3", "sb3-contrib",
    "rlcard", "open_spiel", "pgx", "jax",
)  # fmt: skip
TITLES = {
    "engine": "Engine: agent steps per second, random legal actions, mask, observation and auto-reset unless said",
    "aec": "PettingZoo AEC: agent steps per second of a loop of last(), a choice, step()",
    "vector": "Vector environments: learner's steps per second, actions lying ready",
    "learning": "Learning: decisions per second, one thread",
}


def print_figures(figures: list[Figure]) -> None:
    """A table for each part, which is Markdown, too."""
    console = Console()
    for part in dict.fromkeys(figure.part for figure in figures):
        console.print(TITLES[part], soft_wrap=True, highlight=False)
        grid = Grid(box=MARKDOWN)
        for heading, justify in HEADINGS:
            grid.add_column(heading, justify=justify, overflow="fold")  # type: ignore[arg-type]
        of_part = [figure for figure in figures if figure.part == part]
        for row in rows_of(of_part):
            grid.add_row(*row)
        if grid.row_count:
            console.print(grid)
        for reason, count in Counter(figure.missing for figure in of_part if figure.missing).items():
            console.print(f"passed over, as {reason}: {count}", highlight=False)
        console.print()


HEADINGS = (("#", "right"), ("", "left"), ("steps/s", "right"), ("range", "right"), ("ratio to #", "right"))


def rows_of(figures: list[Figure]) -> list[tuple[str, str, str, str, str]]:
    """Number, name, median, range and ratio, as texts, of the figures of a part that were measured."""
    number = {figure.name: k for k, figure in enumerate(figures, 1)}
    rows = []
    for figure in figures:
        if figure.median is None:
            continue
        spread = f"{in_short(min(figure.rates))} - {in_short(max(figure.rates))}"
        ratio = "" if figure.ratio is None else f"{figure.ratio:.3g} x #{number[figure.compared_with or '']}"
        rows.append((str(number[figure.name]), figure.name, in_short(figure.median), spread, ratio))
    return rows


def in_short(rate: float) -> str:
    """``12.3 M``, ``45.6 k`` or ``789``."""
    for unit, name in ((1e6, " M"), (1e3, " k")):
        if rate >= 0.9995 * unit:
            return f"{rate / unit:.3g}{name}"
    return f"{rate:.0f}"


def as_json(figures: list[Figure], runs: int, seconds: float) -> dict[str, Any]:
    """Everything that was measured, and on what."""
    versions = {}
    for name in _PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return {
        "machine": {"cpu": _cpu(), "cores": os.cpu_count(), "python": platform.python_version()},
        "versions": versions,
        "runs": runs,
        "seconds": seconds,
        "bytes_per_game": STATE.itemsize,
        "figures": [figure.as_json() for figure in figures],
    }


def _cpu() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
