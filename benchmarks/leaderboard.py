"""Makes the page of the leaderboard, docs/leaderboard.md and .png, from the results in benchmarks/results.

romans benchmark greedy --json benchmarks/results/romans-go-home-2+0-greedy.json
python -m benchmarks.leaderboard
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from benchmarks.pages import write_generated
from romans_env.games import spec_of
from romans_training.benchmark.protocols import Protocol, protocols
from romans_training.benchmark.rating import Rating
from romans_training.benchmark.report import in_points
from romans_training.figures import save_figure, styled
from romans_training.intervals import Estimate
from romans_training.reporting import in_percent

RESULTS = Path(__file__).with_name("results")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "leaderboard.md"


def results() -> dict[str, list[dict[str, Any]]]:
    """The results of every protocol that has some, the best rating first."""
    read = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    found = {name: [one for one in read if one["protocol"] == name] for name in protocols()}
    return {name: sorted(of_one, key=_order) for name, of_one in found.items() if of_one}


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
        f"{result['machine']['milliseconds']:.2g}",
    ]
    return f"| {' | '.join(cells)} |"


@styled
def picture(found: dict[str, list[dict[str, Any]]]) -> Figure:
    """A panel for each protocol: ratings with their intervals over the time of a decision."""
    figure = Figure(figsize=(10, 4.2 * -(-len(found) // 2)), layout="constrained")
    for number, (name, of_one) in enumerate(found.items(), 1):
        axes = figure.add_subplot(-(-len(found) // 2), 2, number)
        bounded = [one for one in of_one if None not in one["rating"].values()]
        ratings = [one["rating"]["mean"] for one in bounded]
        gap, label_at = 0.05 * (max(ratings) - min(ratings)), max(ratings) + 1e9
        for one in bounded:
            mean, low, high = (one["rating"][key] for key in ("mean", "low", "high"))
            time = one["machine"]["milliseconds"]
            axes.errorbar(time, mean, yerr=([mean - low], [high - mean]), fmt="o", color="C0", markersize=4)
            # Names of equals stand below each other.
            label_at = min(mean, label_at - gap)
            axes.text(time * 1.06, label_at, one["agent"], fontsize=8, verticalalignment="center")
        axes.set(title=name, xscale="log", ylabel="rating", xlabel="milliseconds a decision")
        axes.xaxis.set_minor_formatter(NullFormatter())
        # Room for names.
        left, right = axes.get_xlim()
        axes.set_xlim(left, right * (right / left) ** 0.35)
    return figure


if __name__ == "__main__":
    everything = results()
    write_generated(PAGE, "benchmarks.leaderboard", tables(everything))
    save_figure(picture(everything), PAGE.with_suffix(".png"), dpi=110)
