"""Writes the measurements on OpenSpiel games into docs/research/openspiel.md.

python -m benchmarks.openspiel.report
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.openspiel import coverage, duplicates, ratings, responses, self_play
from benchmarks.pages import kept, write_generated
from romans_training.figures import MARKERS, ShownFigure, colour, label_of, save_figure, styled

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "research"
PAGE, PICTURE = FOLDER / "openspiel.md", FOLDER.parent / "pictures" / "openspiel.png"


def table_of_responses(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table: how far responses fall short of the exact best response."""
    yield "| game | response | policies | worth, of the exact value | short by, at most | measured above it |"
    yield "|---|---|---:|---:|---:|---:|"
    for game, by in dict.fromkeys((row["game"], row["by"]) for row in rows):
        own = [row for row in rows if (row["game"], row["by"]) == (game, by)]
        exact = np.array([row["exact"] for row in own])
        worth = np.array([row.get("value", row["mean"]) for row in own])
        above = sum(row["low"] > row["exact"] + 1e-9 for row in own)
        share = f"{100 * worth.sum() / exact.sum():.1f} %"
        short = max((exact - worth).max(), 0.0)
        yield f"| `{game}` | by {by} | {len(own)} | {share} | {short:.3f} | {above} of {len(own)} |"


def table_of_coverage(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table: how many intervals contain the exact value, and the mean of their centres."""
    yield "| game | evaluations | exact value | intervals | hold it | half width | mean of the means |"
    yield "|---|---:|---:|---|---:|---:|---:|"
    for row in rows:
        for method in ("plain", "aivat"):
            own = row[method]
            yield (
                f"| `{row['game']}` | {row['repetitions']:,} | {row['exact']:.4f} | {method} | "
                f"{100 * own['held']:.1f} % | {own['half_width']:.4f} | {own['mean']:.4f} ± {own['error']:.4f} |"
            )


def table_of_duplicates(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table: the effect on the variance of playing each deal from both seats."""
    yield "| game | pair | of independent deals | of duplicate deals | measured | times fewer games |"
    yield "|---|---|---:|---:|---:|---:|"
    for row in rows:
        pair = f"{row['own']}, {row['other']}"
        values = " | ".join(f"{row[name]:.4f}" for name in ("independent", "duplicate", "measured"))
        yield f"| `{row['game']}` | {pair} | {values} | {row['independent'] / row['duplicate']:.1f} |"


def table_of_ratings(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of two tables: tournament ratings compared with ratings from the exact win shares."""
    yield "| game | policy | exact rating | mean of the tournaments' |"
    yield "|---|---|---:|---:|"
    for row in rows:
        for entry, rating in sorted(row["exact"].items(), key=lambda one: -one[1]):
            mean = f"{row['mean'][entry]:.1f} ± {row['error'][entry]:.1f}"
            yield f"| `{row['game']}` | {entry} | {rating:.1f} | {mean} |"
    yield ""
    yield "| game | tournaments | ratings held | differences held | a wrong sign called significant | half width |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row in rows:
        shares = " | ".join(f"{100 * row[name]:.1f} %" for name in ("held", "differences", "wrong"))
        yield f"| `{row['game']}` | {row['repetitions']} | {shares} | {row['half_width']:.1f} |"


def table_of_runs(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a table: the exploitability at the end of every kind of run."""
    yield "| game | learner | minutes | seeds | decisions | exploitability at the end |"
    yield "|---|---|---:|---:|---:|---:|"
    for game, learner, minutes in dict.fromkeys((row["game"], row["learner"], row["minutes"]) for row in rows):
        own = [
            row["points"][-1]
            for row in rows
            if (row["game"], row["learner"], row["minutes"]) == (game, learner, minutes)
        ]
        ends = ", ".join(f"{end[2]:.3f}" for end in own)
        decisions = np.mean([end[1] for end in own])
        yield f"| `{game}` | {learner} | {minutes:g} | {len(own)} | {decisions:,.0f} | {ends} |"


def curves_of(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the curve of a run, and the curve of the average of its policies as a separate learner."""
    yield row
    if "averages" in row:
        yield {**row, "learner": f"{row['learner']}, average", "points": row["averages"]}


@styled
def figure_of(rows: list[dict[str, Any]]) -> ShownFigure:
    """Draw exploitability over decisions, a panel for each game."""
    games = list(dict.fromkeys(row["game"] for row in rows))
    learners = list(dict.fromkeys(row["learner"] for row in rows))
    figure = ShownFigure(figsize=(4.6 * len(games), 3.4), layout="constrained")
    for axes, game in zip(figure.subplots(1, len(games), squeeze=False)[0], games, strict=True):
        for number, learner in enumerate(learners):
            shown = label_of(learner)
            for row in rows:
                if (row["game"], row["learner"]) == (game, learner):
                    _, decisions, found = zip(*row["points"], strict=True)
                    axes.plot(decisions, found, marker=MARKERS[number], markersize=3, color=colour(number), label=shown)
                    shown = "_"
        axes.set(title=game, xlabel="decisions", ylabel="exploitability", xscale="log", yscale="log")
        axes.legend()
    return figure


def main() -> None:
    """Write the tables and the figure."""
    runs = [one for row in kept(self_play.FILE) for one in curves_of(row)]
    tables = {
        "Responses": table_of_responses(kept(responses.FILE)),
        "Intervals": table_of_coverage(kept(coverage.FILE)),
        "Duplicate deals": table_of_duplicates(kept(duplicates.FILE)),
        "Ratings": table_of_ratings(kept(ratings.FILE)),
        "Self-play": table_of_runs(runs),
    }
    lines = [line for title, table in tables.items() for line in (f"**{title}**", "", *table, "")]
    write_generated(PAGE, "benchmarks.openspiel.report", "\n".join(lines[:-1]) + "\n")
    save_figure(figure_of(runs), PICTURE)


if __name__ == "__main__":
    main()
