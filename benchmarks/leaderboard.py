"""Makes the page of the leaderboard, docs/leaderboard.md and .png, from the results in benchmarks/results.

romans benchmark greedy --json benchmarks/results/romans-go-home-2+0-greedy.json
python -m benchmarks.leaderboard
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from benchmarks.pages import write_generated
from romans_env.games import spec_of
from romans_training.benchmark.protocols import BenchmarkError, Protocol, protocols
from romans_training.benchmark.rating import Rating
from romans_training.benchmark.report import in_points
from romans_training.benchmark.verify import checked
from romans_training.figures import save_figure, styled
from romans_training.intervals import Estimate
from romans_training.reporting import in_milliseconds, in_percent

RESULTS = Path(__file__).with_name("results")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "leaderboard.md"


def results() -> dict[str, list[dict[str, Any]]]:
    """The results of every protocol that has some, the best rating first."""
    read = [_read(path) for path in sorted(RESULTS.glob("*.json"))]
    found = {name: [one for one in read if one["protocol"] == name] for name in protocols()}
    return {name: sorted(of_one, key=_order) for name, of_one in found.items() if of_one}


def _read(path: Path) -> dict[str, Any]:
    """Return a result, which is checked: what it states follows from the games in it."""
    result, protocol = checked(path)
    if result.rating is None or result.deals < protocol.search_deals:
        raise BenchmarkError(f"{path} has no rating, or fewer than {protocol.search_deals} deals")
    return result.as_json()


def _order(result: dict[str, Any]) -> float:
    # Only who wins everything has a rating without a bound; only who wins nothing has none at all.
    mean, low = result["rating"]["mean"], result["rating"]["low"]
    return -(mean if mean is not None else float("inf") if low is not None else float("-inf"))


def tables(found: dict[str, list[dict[str, Any]]]) -> str:
    """A table for each protocol."""
    parts = []
    for name, of_one in found.items():
        protocol = protocols()[name]
        parts.append(f"\n## {name}\n\n{_played(protocol)}\n")
        parts.append("| agent | rating | wins against the panel, % | worst opponent | wins there, % | ms a decision |")
        parts.append("|---|---:|---:|---|---:|---:|")
        parts += [_row(one) for one in of_one]
    return "\n".join(parts) + "\n"


def _played(protocol: Protocol) -> str:
    panel = ", ".join(f"`{spec}` {rating:,.0f}" for spec, rating in protocol.panel.items())
    others = "" if protocol.setup.num_players == 2 else f", {protocol.setup.num_players - 1} of a kind in a game"
    return (
        f"{spec_of(protocol.game).title}: {protocol.deals} deals (agents that search: {protocol.search_deals}) of seed "
        f"{protocol.seed}, from every seat, against each of {panel}{others}."
    )


def _row(result: dict[str, Any]) -> str:
    worst = min(result["opponents"], key=lambda one: one["share"]["mean"])
    cells = [
        f"`{result['agent']}`",
        in_points(Rating(**result["rating"])),
        in_percent(Estimate(**result["share"])),
        f"`{worst['spec']}`",
        in_percent(Estimate(**worst["share"])),
        in_milliseconds(_time(result)),
    ]
    return f"| {' | '.join(cells)} |"


@styled
def picture(found: dict[str, list[dict[str, Any]]]) -> Figure:
    """A panel for each protocol: ratings with their intervals over the time of a decision."""
    figure = Figure(figsize=(10, 4.2 * -(-len(found) // 2)), layout="constrained")
    for number, (name, of_one) in enumerate(found.items(), 1):
        axes = figure.add_subplot(-(-len(found) // 2), 2, number)
        bounded = [one for one in of_one if None not in one["rating"].values()]
        axes.set(title=name, xscale="log", ylabel="rating", xlabel="milliseconds a decision")
        for one in bounded:
            mean, low, high = (one["rating"][key] for key in ("mean", "low", "high"))
            axes.errorbar(_time(one), mean, yerr=([mean - low], [high - mean]), fmt="o", color="C0", markersize=4)
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.margins(x=0.08)
        _label(axes, bounded)
    return figure


def _label(axes: Axes, shown: list[dict[str, Any]]) -> None:
    """Names on the right of their points, or on the left near the edge; those of equals stand below each other."""
    left, right = np.log(axes.get_xlim())
    ratings = [one["rating"]["mean"] for one in shown]
    gap, label_at = 0.05 * (max(ratings) - min(ratings)), np.inf
    for one, rating in zip(shown, ratings, strict=True):
        side = 1 if np.log(_time(one)) < (left + 2 * right) / 3 else -1
        label_at = min(rating, label_at - gap)
        axes.annotate(
            one["agent"],
            (_time(one), rating),
            (10 * side, label_at),
            textcoords=("offset points", "data"),
            arrowprops={"arrowstyle": "-", "color": "C0", "linewidth": 0.5, "relpos": (0.5 - side / 2, 0.5)},
            fontsize=8,
            horizontalalignment="left" if side > 0 else "right",
            verticalalignment="center",
        )


def _time(result: dict[str, Any]) -> float:
    return float(result["machine"]["milliseconds"])


if __name__ == "__main__":
    everything = results()
    write_generated(PAGE, "benchmarks.leaderboard", tables(everything))
    save_figure(picture(everything), PAGE.with_suffix(".png"), dpi=110)
