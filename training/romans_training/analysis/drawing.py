"""What every analysis gives, and what figures are made of: shapes differ, not colours alone, as prints are grey."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from romans_env import Game, View
from romans_env.games import spec_of
from romans_env.render.terminal import phrases_of
from romans_training.figures import MARKERS, colour, label_of, plain_text
from romans_training.intervals import Estimate, mean_in_clusters, rate_in_clusters
from romans_training.progress_bars import ProgressBars, games_counter

Bars = Mapping[str, Mapping[str, float]]
"""By what is drawn, such as an agent, a number from 0 to 1 for each action, by name."""
_SHOWN, _LETTERS, _HATCHES = 8, 42, ("", "///", "...", "xx")


class AnalysisResult(NamedTuple):
    """The result of an analysis.

    Attributes:
        frame: a table in long form; the function that made it says what the columns are. Of an estimate ``x`` with a
            95 % interval, clustered by deal, the columns are ``x``, ``x_low`` and ``x_high``.
        figure: a picture of it, which no pyplot knows.
    """

    frame: pd.DataFrame
    figure: Figure


def with_interval(name: str) -> list[str]:
    """Return the columns of an estimate."""
    return [name, f"{name}_low", f"{name}_high"]


def means(
    frame: pd.DataFrame,
    column: str,
    by: Sequence[str],
    estimate: Callable[[npt.NDArray[Any], npt.NDArray[Any]], Estimate] | None = None,
) -> pd.DataFrame:
    """Return the mean of a column in every group of rows, with an interval clustered by the column ``deal``.

    Args:
        frame: a row for each thing that is counted, such as a decision.
        column: its numbers; rows without one (nan) are passed over.
        by: the columns that make the groups, which keep the order in which they first appear.
        estimate: of `romans_training.intervals`; None: `rate_in_clusters` of booleans, `mean_in_clusters` of numbers.

    Returns:
        A row for each group: the columns of ``by``, ``count`` of its rows, and the mean with its interval.
    """
    estimate = estimate or (rate_in_clusters if frame[column].dtype == bool else mean_in_clusters)
    groups = frame[frame[column].notna()].groupby(list(by), sort=False)
    rows = [(*group, len(own), *estimate(own[column].to_numpy(), own["deal"].to_numpy())) for group, own in groups]
    return pd.DataFrame(rows, columns=[*by, "count", *with_interval(column)])


@contextmanager
def counting(description: str, total: int, things: str) -> Iterator[Callable[[int], None]]:
    """Show a progress bar while the block runs; what it is given is called with how much is done."""
    with ProgressBars(things) as bars:
        yield games_counter(bars, bars.add_task(description, total=total))


def new_figure(title: str, width: float, height: float, panels: int = 1, **settings: Any) -> tuple[Figure, list[Axes]]:
    """Return a figure with a row of panels; sizes are in inches, ``settings`` those of ``Figure.subplots``."""
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(plain_text(title), x=0.01, ha="left")
    return figure, list(figure.subplots(1, panels, squeeze=False, **settings).ravel()) if panels else []


def plain_axes(axes: Axes, grid: str = "x") -> None:
    """Draw a grid along the axis of the numbers alone."""
    axes.grid(False)
    axes.grid(axis=grid)  # type: ignore[arg-type]


def draw_means(
    axes: Axes, table: pd.DataFrame, column: str, rows: str, series: str | None = None, scale: float = 1
) -> None:
    """Draw points with intervals: a row for each value of one column, in it a point for each value of another.

    Args:
        axes: where.
        table: as of `means`.
        column: the name of the estimate.
        rows: the column that names the rows, from the top.
        series: the column that names the points; None: there is one in a row.
        scale: by which numbers are multiplied, such as 100 for percentages.
    """
    names = list(dict.fromkeys(table[rows]))
    parts = [("", table)] if series is None else list(table.groupby(series, sort=False))
    for number, (name, part) in enumerate(parts):
        mean, low, high = scale * part[with_interval(column)].to_numpy(dtype=float).T
        places = np.array([names.index(row) for row in part[rows]], dtype=float)
        places += (number - (len(parts) - 1) / 2) * min(0.2, 0.7 / len(parts))
        # An interval without an end, as of a single deal, is not drawn.
        errors = np.nan_to_num([mean - low, high - mean], posinf=0.0).clip(0.0)
        marker = MARKERS[number % len(MARKERS)]
        axes.errorbar(mean, places, xerr=errors, fmt=marker, color=colour(number), label=label_of(str(name)))
    axes.set_yticks(range(len(names)), [plain_text(str(name)) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    plain_axes(axes)
    axes.tick_params(axis="y", length=0)


def drawn_views(title: str, views: Sequence[View], bars: Sequence[Bars], titles: Sequence[str], above: float) -> Figure:
    """Draw positions as their seats see them, one below the other, and beside each bars of its legal actions.

    Args:
        title: of the whole figure.
        views: what the seats know; there may be none.
        bars: of each view.
        titles: of each view.
        above: inches left free above, the first of the figure's ``subfigs``.
    """
    pictures = []
    for view in views:
        renderer = spec_of(view.rules.name).part("renderer")
        pictures.append(renderer.picture(Game.of_states(view.rules, view.states), view.agent).pixels(1.5))
    heights = [5.2 * picture.shape[0] / picture.shape[1] + 0.6 for picture in pictures]
    figure, _ = new_figure(title, 10.5, 0.4 + above + sum(heights), 0)
    part: Any = figure.subfigures(2, 1, squeeze=False, height_ratios=(max(0.01, above), max(0.1, sum(heights))))[1, 0]
    if views:
        panels = part.subplots(len(views), 2, squeeze=False, width_ratios=(1, 0.5), height_ratios=heights)
        for (left, right), view, picture, of_view, name in zip(panels, views, pictures, bars, titles, strict=True):
            left.imshow(picture)
            left.set_axis_off()
            left.set_title(plain_text(name), loc="left")
            _draw_bars(right, words_of(view), of_view)
        panels[-1, 1].set_xlabel("%")
        panels[0, 1].legend(loc="lower right", bbox_to_anchor=(1, 1), fontsize=8)
    return figure


def words_of(view: View) -> dict[str, str]:
    """Return the legal actions in words, by name."""
    return phrases_of(Game.of_states(view.rules, view.states), view.agent, view.legal_actions())


def best_of(choices: Iterable[tuple[Sequence[str], float]]) -> dict[str, float]:
    """Return for each action the best share of the choices that begin with it."""
    found = dict[str, float]()
    for choice, share in choices:
        found[choice[0]] = max(share, found.get(choice[0], -np.inf))
    return found


def _draw_bars(axes: Axes, words: Mapping[str, str], bars: Bars) -> None:
    """Draw a bar for each number of an action, of those actions that have the largest."""
    most = {name: max(of.get(name, 0.0) for of in bars.values()) for name in words}
    shown = [name for name in sorted(words, key=lambda name: -most[name])[:_SHOWN] if most[name] >= 0.005]
    shown.sort(key=list(words).index)
    height = 0.8 / len(bars)
    for number, (label, of) in enumerate(bars.items()):
        places = np.arange(len(shown)) + (number - (len(bars) - 1) / 2) * height
        style: Any = {"color": colour(number), "hatch": _HATCHES[number % len(_HATCHES)], "edgecolor": "white"}
        axes.barh(places, [100 * of.get(name, 0.0) for name in shown], height, label=label_of(label), **style)
    said = [words[name] for name in shown]
    said = [text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…" for text in said]
    axes.set_yticks(range(len(shown)), list(map(plain_text, said)), fontsize=8)
    axes.set_ylim(max(2.5, len(shown) - 0.5), -0.5)
    axes.set_xlim(0, 100)
    plain_axes(axes)
    axes.tick_params(axis="y", length=0)
