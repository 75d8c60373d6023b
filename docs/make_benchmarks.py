"""Writes docs/benchmarks.md and the README's table of speed from the figures in benchmarks/figures.json.

romans benchmark --json benchmarks/figures.json && python docs/make_benchmarks.py
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from romans_env.files import write_text
from romans_training.benchmark.contest import Figure
from romans_training.benchmark.report import HEADINGS, TITLES, in_short, rows_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
README = ROOT / "README.md"
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
        'pip install ".[train,peers]"',
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


SUMMARY = (
    ("batch 2+0, N = 4096", "a batch, mask and observation included"),
    ("rollouts 2+0 to the end, as in search, 1024 games", "rollouts for a search"),
    ("env(), cheap choice", "PettingZoo `env()`, a cheap choice of actions"),
    ("env(), documented loop", "PettingZoo `env()`, the documented loop"),
    ("SB3 VecEnv 2+0, N = 4096, greedy inside", "stable-baselines3 `VecEnv` with `greedy` inside"),
    ("learning, 1024 games, minibatch 1024, 4 epochs", "`MaskablePPO` against `greedy`, all of learning, 1024 games"),
)
"""Contestants that the README shows, and what it calls them."""


def summary(measured: dict[str, Any]) -> str:
    """The README's table: our figures, each beside what it is compared with."""
    by_name = {one["name"]: one for one in measured["figures"]}
    lines = ["| | steps/s | beside | steps/s | ratio |", "|---|---:|---|---:|---:|"]
    for name, title in SUMMARY:
        ours = by_name[name]
        cells = [title, in_short(ours["median"]), "", "", ""]
        if ours["ratio"] is not None:
            peer = by_name[ours["compared_with"]]
            cells[2:] = [peer["name"], in_short(peer["median"]), f"{ours['ratio']:.1f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def with_summary(readme: str, measured: dict[str, Any]) -> str:
    """The README with its table of speed made anew."""
    start, end = "<!-- speed: made by docs/make_benchmarks.py -->\n", "<!-- end of speed -->"
    before, _, rest = readme.partition(start)
    return before + start + summary(measured) + end + rest.partition(end)[2]


if __name__ == "__main__":
    if not FIGURES.exists():
        sys.exit(f"measure first: romans benchmark --json {FIGURES.relative_to(ROOT)}")
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    write_text(PAGE, page(figures))
    write_text(README, with_summary(README.read_text(encoding="utf-8"), figures))
    print(PAGE.relative_to(ROOT), "and the table in", README.relative_to(ROOT))
