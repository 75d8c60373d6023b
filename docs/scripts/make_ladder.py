"""Draws the win rates of the ladder of Romans Go Home!, from docs/research/romans_go_home_ladder.md."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from romans_training.figures import save_figure, styled

DOCS = Path(__file__).resolve().parents[1]
REPORT = DOCS / "research" / "romans_go_home_ladder.md"
PICTURE = DOCS / "pictures" / "ladder.png"
TABLES = {"2+0": "two players", "2+1": "two players and a neutral clan", "3+0": "three players", "4+0": "four players"}
GONE = "improved-plans"
"""A policy in the tables that is no longer in the package."""
_WINS = r"^\| (\S+) +\|[^|]+\| +([\d.]+) \[([\d.]+), ([\d.]+)\]"


def wins_of(table: str) -> list[tuple[str, np.ndarray]]:
    """Return the agents, strongest first, each with its win rate in % and the ends of the interval."""
    section = REPORT.read_text(encoding="utf-8").partition(f"\n## {table}\n")[2].partition("\n## ")[0]
    rows = re.findall(_WINS, section, re.MULTILINE)
    return [(name, np.array(values, float)) for name, *values in rows if name != GONE]


def draw(axes: Axes, table: str, title: str) -> None:
    """Draw the win rates of a table, one row per agent."""
    names, wins = zip(*wins_of(table), strict=True)
    means, lows, highs = np.array(wins).T
    axes.errorbar(means, range(len(names)), xerr=(means - lows, highs - means), fmt="o")
    axes.set_yticks(range(len(names)), [name.partition(":")[0] for name in names])
    axes.invert_yaxis()
    axes.set_title(f"{table}: {title}", loc="left", fontsize=11)
    axes.set_xlim(0, 90)
    axes.grid(False, axis="y")


@styled
def picture() -> Figure:
    """Return the picture of all tables."""
    figure = Figure(figsize=(10, 6.4), layout="constrained")
    for axes, (table, title) in zip(figure.subplots(2, 2, sharex=True).flat, TABLES.items(), strict=True):
        draw(axes, table, title)
    figure.supxlabel("wins on the table, %, with 95 % intervals", fontsize=10)
    return figure


if __name__ == "__main__":
    save_figure(picture(), PICTURE, dpi=110)
    print(PICTURE.relative_to(DOCS.parent))
