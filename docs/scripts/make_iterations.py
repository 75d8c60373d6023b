"""Writes the tables and draws the pictures of docs/research/iterations.md, from iterations.json next to this file.

    python docs/scripts/make_iterations.py

A game in the file is a list of iterations. Each has texts for columns of the table (`shown`) and measured values, as a
value or as a value with the ends of its 95 % interval (`measured`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from benchmarks.pages import write_generated
from romans_training.figures import save_figure, styled

SCRIPTS = Path(__file__).resolve().parent
PAGE = SCRIPTS.parent / "research" / "iterations.md"
PICTURES = SCRIPTS.parent / "pictures"
PARTS = ("shown", "measured")
LARGE_RATIO = 20
"""Values that differ by more than this factor are drawn on a logarithmic scale."""


def text_of(found: list[float]) -> str:
    """Return a measured value with its interval, if there is one, for a table."""
    digits = 4 if abs(found[0]) < 1 else 0 if abs(found[0]) >= 1000 else 1
    value, *ends = (f"{one:,.{digits}f}" for one in found)
    return f"{value} [{', '.join(ends)}]" if ends else value


def table_of(iterations: list[dict[str, Any]]) -> str:
    """Return the iterations of a game as a Markdown table."""
    shown, measured = (list(dict.fromkeys(name for one in iterations for name in one[part])) for part in PARTS)
    lines = [f"| iteration | {' | '.join(shown + measured)} |", "|---|" + "---:|" * len(shown + measured)]
    for number, one in enumerate(iterations):
        cells = [one["shown"].get(name, "") for name in shown]
        cells += [text_of(one["measured"][name]) if name in one["measured"] else "" for name in measured]
        lines.append(f"| {one.get('name', number)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


@styled
def picture_of(iterations: list[dict[str, Any]]) -> Figure:
    """Return a picture of the measured values, one panel for each, over the iterations."""
    names = list(dict.fromkeys(name for one in iterations for name in one["measured"]))
    figure = Figure(figsize=(3.4 * len(names), 2.9), layout="constrained")
    for axes, name in zip(np.atleast_1d(figure.subplots(1, len(names))), names, strict=True):
        known = [(number, one["measured"][name]) for number, one in enumerate(iterations) if name in one["measured"]]
        values = np.array([(number, *(found * 3)[:3]) for number, found in known], dtype=float)
        numbers, means, lows, highs = values.T
        axes.errorbar(numbers, means, yerr=(means - lows, highs - means), fmt="o")
        # An iteration with a name of its own does not continue the others.
        continues = ["name" not in iterations[int(number)] for number in numbers]
        axes.plot(numbers[continues], means[continues], color="C0")
        if means.max() > LARGE_RATIO * abs(means.min()):
            axes.set_yscale("log")
        axes.set_xticks(range(len(iterations)))
        axes.set_title(name, loc="left", fontsize=10)
    figure.supxlabel("iteration, with 95 % intervals" if len(names) > 1 else "iteration", fontsize=9)
    return figure


def main() -> None:
    """Write everything."""
    for game, iterations in json.loads((SCRIPTS / "iterations.json").read_text(encoding="utf-8")).items():
        write_generated(PAGE, f"docs/scripts/make_iterations.py {game}", table_of(iterations))
        save_figure(picture_of(iterations), PICTURES / f"iterations-{game}.png", dpi=110)


if __name__ == "__main__":
    main()
