"""Writes measured values into the pages that show them, so that two pages cannot differ.

python docs/make_figures.py

``docs/figures.json`` has every value that stands on more than one page, with the command that measured it. A page marks
where a value is shown, by comments that no reader sees::

    it wins <!-- figure legate/greedy -->84.3 [83.2, 85.4]<!-- /figure --> against `greedy`

Behind the name may stand a form: ``mean`` leaves the interval out, ``rounded`` the decimals, too; ``million`` and
``thousand`` are for speeds. ``<!-- table ladder/2+0 -->`` and ``<!-- /table -->``, on lines of their own, enclose a
part of a larger table in `docs/research/`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.speed.report import in_short
from romans_env.files import write_text

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs" / "figures.json"
READ_FIRST = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "api").glob("*.md"))]
"""The pages of the reading path. What they show of `FIGURES`, they mark."""
PAGES = [*READ_FIRST, *sorted((ROOT / "docs" / "research").glob("*.md")), *sorted((ROOT / "agents").rglob("*.md"))]
"""The pages that may have marks."""
_FIGURE = re.compile(r"(<!-- figure (?P<name>\S+)(?: (?P<form>\w+))? -->)(?P<shown>[^\n]*?)(<!-- /figure -->)")
_TABLE = re.compile(r"(<!-- table (?P<name>\S+) -->\n)(?P<shown>.*?)(<!-- /table -->)", re.DOTALL)
_SPEEDS: Mapping[str, Callable[[float], str]] = {
    "": in_short,
    "million": lambda speed: f"{speed / 1e6:.1f} million",
    "thousand": lambda speed: f"{round(speed, -3):,.0f}",
}


def shown_figure(found: Mapping[str, Any], name: str, form: str | None) -> str:
    """What a page shows of a figure of a result file, in a form."""
    figure = found["figures"][name]
    if "text" in figure:
        return str(figure["text"])
    if "case" in figure:
        return _speed(figure, form or "")
    if "mirrored" in figure:
        other = found["figures"][figure["mirrored"]]
        mean, low, high = (round(100 - value, 1) for value in (other["mean"], *reversed(other["interval"])))
    else:
        mean, (low, high) = figure["mean"], figure["interval"]
    forms = {None: f"{mean} [{low}, {high}]", "mean": f"{mean}", "rounded": f"{mean:.0f}"}
    return forms[form]


def _speed(figure: Mapping[str, Any], form: str) -> str:
    measured = json.loads((ROOT / figure["file"]).read_text(encoding="utf-8"))["measurements"]
    (case,) = [one for one in measured if (one["part"], one["name"]) == (figure["part"], figure["case"])]
    if figure["key"] == "ratio":
        return f"{case['ratio']:.0f}" if form == "rounded" else f"{case['ratio']:.1f}"
    return _SPEEDS[form](case[figure["key"]])


def shown_table(found: Mapping[str, Any], name: str) -> str:
    """A table of a page in `docs/research/` with some of its columns and without some of its rows."""
    table = found["tables"][name]
    section = (ROOT / table["page"]).read_text(encoding="utf-8").partition(f"\n## {table['section']}\n")[2]
    lines = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE)
    assert lines is not None, name
    header, _, *rows = ([cell.strip() for cell in line.strip("|\n").split("|")] for line in lines[0].splitlines())
    columns = [header.index(column) for column in table["columns"]]
    made = [f"| {' | '.join(table['columns'])} |", f"|---|{'---:|' * (len(columns) - 1)}"]
    for row in rows:
        first, *cells = (row[k] for k in columns)
        if first not in table["omit"]:
            made.append(f"| {' | '.join([first, *cells])} |")
    return "\n".join(made) + "\n"


def with_figures(text: str, found: Mapping[str, Any]) -> str:
    """A page with all that is marked in it as it is in the result file; KeyError where the file has no such name."""

    def figure(mark: re.Match[str]) -> str:
        return mark[1] + shown_figure(found, mark["name"], mark["form"]) + mark[5]

    def table(mark: re.Match[str]) -> str:
        return mark[1] + shown_table(found, mark["name"]) + mark[4]

    return _TABLE.sub(table, _FIGURE.sub(figure, text))


def without_figures(text: str) -> str:
    """A page without what is marked in it, and without the marks."""
    return _TABLE.sub("", _FIGURE.sub("", text))


if __name__ == "__main__":
    measured = json.loads(FIGURES.read_text(encoding="utf-8"))
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = with_figures(before, measured)
        if after != before:
            write_text(page, after)
            print(page.relative_to(ROOT))
