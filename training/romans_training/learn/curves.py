"""The curves of a run as matplotlib figures: win rates against fixed opponents, and metrics."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import matplotlib
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from romans_training.figures import MARKERS, ShownFigure, colour, label_of, styled
from romans_training.learn.metrics_file import passed

_MOST_POINTS = 400
"""Largest number of points in a metric's curve; longer curves are averaged to keep the page small."""
_PLACES = ("steps", "seconds")


@dataclass(frozen=True)
class Curves:
    """The metrics and evaluations of a run.

    Attributes:
        evaluations: rows of ``evaluations.csv``.
        steps: number of decisions so far.
        minutes: training time so far, evaluations included; 0 if unknown.
        metrics: columns of ``metrics.csv`` by name, including ``steps`` and ``seconds``: float64, shape ``(rows,)``,
            NaN if unknown.
    """

    evaluations: Sequence[dict[str, str]]
    steps: int
    minutes: float
    metrics: dict[str, npt.NDArray[np.float64]]

    @classmethod
    def of(cls, evaluations: Sequence[dict[str, str]], metrics: Sequence[dict[str, str]]) -> Curves:
        """Make the curves from the rows of the two files."""
        columns = {name: _column(metrics, name) for name in (metrics[0] if metrics else ())}
        steps = max((int(row["steps"]) for row in (*evaluations[-1:], *metrics[-1:])), default=0)
        minutes = float(columns["seconds"][-1]) / 60 if metrics else 0.0
        return cls(evaluations, steps, minutes, columns)

    @property
    def newest(self) -> list[dict[str, str]]:
        """The rows of the last evaluation."""
        return [row for row in self.evaluations if row["steps"] == self.evaluations[-1]["steps"]]

    def minutes_at(self, steps: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the training time at given numbers of decisions, interpolated in the metrics.

        Args:
            steps: numbers of decisions, float64, shape ``(n,)``.

        Returns:
            Minutes, float64, shape ``(n,)``.
        """
        decisions, seconds = (np.concatenate(([0.0], self.metrics[name])) for name in _PLACES)
        return np.interp(steps, decisions, seconds / 60)


@styled
def learning_curve(curves: Curves, fair_share: float | None) -> Figure:
    """Plot win rates with 95 % intervals, over decisions and over training time.

    Args:
        curves: the curves of the run.
        fair_share: the win rate of an equal player, from 0 to 1; drawn as a line, with a ring where an opponent was
            passed. None: neither is drawn.
    """
    columns = 2 if curves.metrics else 1
    figure = ShownFigure(figsize=(9, 3.4), layout="constrained")
    axes = figure.subplots(1, columns, sharey=True, squeeze=False)[0]
    unit, scale = _scaled(curves.steps)
    clock, of_minute = ("min", 1) if curves.minutes >= 2 else ("s", 60)
    first = passed(curves.evaluations, fair_share or 1.0)
    for k, against in enumerate(dict.fromkeys(row["against"] for row in curves.evaluations)):
        rows = [row for row in curves.evaluations if row["against"] == against]
        names = ("steps", "win_rate", "win_rate_low", "win_rate_high")
        steps, mean, low, high = (_column(rows, name) for name in names)
        ink, marker = colour(k), MARKERS[k % len(MARKERS)]
        places = [steps / scale, of_minute * curves.minutes_at(steps)] if curves.metrics else [steps / scale]
        for ax, place in zip(axes, places, strict=True):
            ax.fill_between(place, 100 * low, 100 * high, color=ink, alpha=0.2, linewidth=0)
            ax.plot(place, 100 * mean, color=ink, marker=marker, label=label_of(against))
            if against in first:
                ring = steps == first[against]
                ax.plot(place[ring], 100 * mean[ring], "o", color=ink, markersize=13, fillstyle="none")
    for ax, label in zip(axes, (f"decisions{unit}", f"training time ({clock})"), strict=False):
        ax.set_xlabel(label)
        ax.set_xlim(left=0)
        ax.set_ylim(0, 100)
        if fair_share is not None:
            ax.axhline(100 * fair_share, color="grey", linestyle=":", linewidth=1)
    axes[0].set_ylabel("win rate (%)")
    if curves.evaluations:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=4, frameon=False)
    return figure


@styled
def metric_curves(curves: Curves) -> Figure | None:
    """Plot every metric over decisions, each in a small plot; return None if there are no metrics."""
    names = [name for name in curves.metrics if name not in _PLACES and np.isfinite(curves.metrics[name]).any()]
    if not names:
        return None
    across = 4
    down = math.ceil(len(names) / across)
    height = 0.6 + 1.7 * down
    figure = ShownFigure(figsize=(9, height))
    plots = figure.subplots(down, across, squeeze=False).ravel()
    # Laid out by hand: an automatic layout measures every text, and takes several times as long as all the rest.
    edges = {"left": 0.06, "right": 0.97, "bottom": 0.5 / height, "top": 1 - 0.25 / height}
    figure.subplots_adjust(**edges, wspace=0.35, hspace=0.4)
    unit, scale = _scaled(curves.steps)
    for ax, name in zip(plots, names, strict=False):
        known = np.isfinite(curves.metrics[name])
        steps, values = (_averaged(curves.metrics[column][known]) for column in ("steps", name))
        ax.plot(steps / scale, values, linewidth=1.2, marker="." if len(steps) == 1 else None)
        ax.set_title(name.replace("_", " "), fontsize=9)
        ax.set_xlim(0, curves.steps / scale)
        ax.tick_params(labelsize=8)
        ax.locator_params(nbins=4)
    for ax in plots[len(names) :]:
        ax.remove()
    figure.supxlabel(f"decisions{unit}", fontsize=9, y=0.1 / height)
    return figure


def as_svg(figure: Figure, description: str) -> str:
    """Return a figure as an SVG element of a page: no background, and black lines in the colour of the page's text.

    Texts stay text; the page sets their colour (``svg text { fill: currentColor }``).

    Args:
        figure: the figure, black on white.
        description: the alternative text.
    """
    text = io.StringIO()
    # With a fixed salt the same run gives the same page.
    with matplotlib.rc_context({"svg.hashsalt": "romans", "svg.fonttype": "none"}):
        metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(text, format="svg", transparent=True, metadata=metadata)
    svg = text.getvalue()
    svg = svg[svg.index("<svg ") :]
    svg = re.sub(r' id="\w+_\d+"', "", svg).replace("#000000", "currentColor")
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(description)}" ', 1)


def _scaled(steps: int) -> tuple[str, float]:
    for unit, scale in ((" (millions)", 1e6), (" (thousands)", 1e3)):
        if steps >= 2 * scale:
            return unit, scale
    return "", 1.0


def _column(rows: Sequence[dict[str, str]], name: str) -> npt.NDArray[np.float64]:
    return np.array([float(row[name] or "nan") for row in rows])


def _averaged(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    if len(values) <= _MOST_POINTS:
        return values
    return np.array([part.mean() for part in np.array_split(values, _MOST_POINTS)])
