"""Writes docs/benchmarks.md from the figures in benchmarks/figures.json.

romans benchmark --json benchmarks/figures.json && python docs/make_benchmarks.py
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from romans_env.files import write_text
from training.benchmark.contest import Figure
from training.benchmark.report import HEADINGS, TITLES, rows_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
FIGURES = ROOT / "benchmarks" / "figures.json"


def page(measured: dict[str, Any]) -> str:
    """The page as text."""
    machine = measured["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    lines = [
        "# Speed",
        "",
        "Made by `docs/make_benchmarks.py` from `benchmarks/figures.json`. To repeat it:",
        "",
        "```",
        'pip install ".[train]" pygame rlcard open_spiel pgx',
        f"romans benchmark --runs {measured['runs']} --seconds {measured['seconds']} --json benchmarks/figures.json",
        "python docs/make_benchmarks.py",
        "```",
        "",
        f"Measured on {machine['cpu']} ({machine['cores']} cores), Python {machine['python']}; {versions}.",
        "",
        "All contestants of a part take turns within one run, on one core unless said. Figures are medians of the",
        "turns, ratios the median of the ratio within a turn. A step is one decision of one player.",
        "",
        f"A game takes {measured['bytes_per_game']} bytes.",
        "",
    ]
    figures = [Figure(**{k: v for k, v in one.items() if k != "median"}) for one in measured["figures"]]
    for part, title in TITLES.items():
        rows = rows_of([figure for figure in figures if figure.part == part])
        headings, dashes = (
            [heading for heading, _ in HEADINGS],
            ["---:" if side == "right" else "---" for _, side in HEADINGS],
        )
        lines += [f"## {title.partition(':')[0]}", "", title.partition(": ")[2].capitalize() + ".", ""]
        lines += [f"| {' | '.join(row)} |" for row in (headings, dashes, *rows)] + [""]
    return "\n".join(lines)


if __name__ == "__main__":
    if not FIGURES.exists():
        sys.exit(f"measure first: romans benchmark --json {FIGURES.relative_to(ROOT)}")
    write_text(PAGE, page(json.loads(FIGURES.read_text(encoding="utf-8"))))
    print(PAGE.relative_to(ROOT))
