"""The result of an analysis, and parts of its figures. They are readable in greyscale: series differ in shape, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from textwrap import shorten
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.artist import setp
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from romans_env import Game, View
from romans_env.render.renderer import renderer_of
from romans_env.render.text_interface import phrases_of
from romans_training.figures import MARKERS, ShownFigure, colour, image_of, label_of
from romans_training.measure.intervals import mean_in_clusters, rate_in_clusters
from romans_training.progress_bars import ProgressBars, games_counter

_ROWS = 20
_SHOWN, _LETTERS, _HATCHES = 8, 42, ("", "///", "...", "xx")


class AnalysisResult(NamedTuple):
    """A table in long form, and a figure that is not registered with pyplot.

    The columns are documented by the function that made it. An estimate ``x`` has its 95 % interval, clustered by deal,
    in ``x_low`` and ``x_high``.
    """

    frame: pd.DataFrame
    figure: Figure

    def __repr__(self) -> str:
        return f"AnalysisResult: {len(self.frame)} rows of {', '.join(map(str, self.frame.columns))}; and a figure"

    def _repr_html_(self) -> str:
        return self.frame.head(_ROWS).to_html(index=False) + image_of(self.figure)


def with_interval(name: str) -> list[str]:
    """Return the column names of an estimate and its interval."""
    return [name, f"{name}_low", f"{name}_high"]


def means(frame: pd.DataFrame, by: Sequence[str], *columns: str) -> pd.DataFrame:
    """Return the means of columns in groups of rows, with intervals clustered by the column ``deal``.

    Columns with values from 0 to 1 use `rate_in_clusters`, others `mean_in_clusters`. Groups are in the order of their
    first rows; ``count`` is the number of rows in a group.

    Args:
        frame: the table.
        by: the columns that define the groups.
        columns: the columns to average.
    """
    of = {one: rate_in_clusters if frame[one].between(0, 1).all() else mean_in_clusters for one in columns}
    rows = []
    groups: Any = frame.groupby(list(by), sort=False)
    for group, own in groups:
        found = [estimate(own[one].to_numpy(), own["deal"].to_numpy()) for one, estimate in of.items()]
        rows.append((*group, len(own), *chain(*found)))
    return pd.DataFrame(rows, columns=[*by, "count", *chain(*map(with_interval, columns))])


@contextmanager
def counting(description: str, total: int, things: str) -> Iterator[Callable[[int], None]]:
    """Show a progress bar while the block runs; yields a function to call with the number of things done."""
    with ProgressBars(things) as bars:
        yield games_counter(bars, bars.add_task(description, total=total))


def new_figure(title: str, width: float, height: float, columns: int = 1, rows: int = 1, **settings: Any) -> Any:
    """Return a figure and the list of its axes.

    Args:
        title: the title.
        width: in inches.
        height: in inches.
        columns: the number of columns of axes.
        rows: the number of rows of axes; 0 for none.
        settings: further arguments of ``Figure.subplots``.
    """
    figure = ShownFigure(figsize=(width, height), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left")
    return figure, figure.subplots(rows, columns, squeeze=False, **settings).ravel().tolist() if rows else []


def draw_means(axes: Axes, table: Any, column: str, by: str, series: str | None = None, is_line: bool = False) -> None:
    """Draw estimates of `means` in percent.

    Args:
        axes: the axes.
        table: the table.
        column: the column of the estimates.
        by: the column whose values are the rows of the plot, or its x axis if ``is_line``.
        series: the column whose values are drawn as separate series; None for a single series.
        is_line: whether to connect the estimates by lines.
    """
    names = list(table[by].cat.categories if hasattr(table[by], "cat") else dict.fromkeys(table[by]))
    parts = [("", table)] if series is None else list(table.groupby(series, sort=False))
    for number, (name, part) in enumerate(parts):
        mean, low, high = 100 * part[with_interval(column)].to_numpy(dtype=float).T
        # An infinite interval, such as that of a single deal, is not drawn.
        errors = np.nan_to_num([mean - low, high - mean], posinf=0.0).clip(0.0)
        style: Any = {"color": colour(number), "marker": MARKERS[number % len(MARKERS)], "label": label_of(str(name))}
        if is_line:
            axes.errorbar(part[by], mean, errors, linestyle=("-", "--")[number // len(MARKERS) % 2], **style)
        else:
            shift = (number - (len(parts) - 1) / 2) * min(0.2, 0.7 / len(parts))
            axes.errorbar(mean, [names.index(one) + shift for one in part[by]], xerr=errors, linestyle="", **style)
    if not is_line:
        axes.set_yticks(range(len(names)), list(map(str, names)))
        axes.set_ylim(len(names) - 0.5, -0.5)


def drawn_views(title: str, views: Sequence[View], bars: Sequence[Any], titles: Sequence[str], above: float = 0) -> Any:
    """Draw positions as their seats see them, one below the other, each next to bars for its legal actions.

    Args:
        title: the title of the figure.
        views: the views.
        bars: for each view a table of shares, indexed by action name; the actions with the largest are drawn.
        titles: the title of each view.
        above: the height, in inches, of a row of two more plots at the top; 0 for none.

    Returns:
        The figure and the list of its plots, those at the top first.
    """
    games = [Game.of_states(view.rules, view.states) for view in views]
    draw = [renderer_of(game.rules.name).picture for game in games]
    pictures = [draw[k](game, views[k].agent).pixels(1.5) for k, game in enumerate(games)]
    heights = [above] * (above > 0) + [5.2 * picture.shape[0] / picture.shape[1] + 0.6 for picture in pictures]
    ratios = {"width_ratios": (1, 0.5), "height_ratios": heights}
    figure, plots = new_figure(title, 10.5, 0.4 + sum(heights), 2, len(heights), **ratios)
    for k, (game, view) in enumerate(zip(games, views, strict=True)):
        left, right = plots[2 * (k - len(views)) :][:2]
        left.imshow(pictures[k])
        left.set_axis_off()
        left.set_title(titles[k], loc="left")
        words = phrases_of(game, view.agent, view.legal_actions())
        shown = 100 * bars[k].reindex(list(words)).dropna(how="all").fillna(0.0)
        shown = shown[shown.max(axis=1).rank(method="first", ascending=False) <= _SHOWN].rename(columns=label_of)
        shown.index = [shorten(words[one], _LETTERS, placeholder="…") for one in shown.index]
        shown.plot.barh(ax=right, width=0.8, xlim=(0, 100), color=[colour(n) for n in range(4)], edgecolor="white")
        for container, hatch in zip(right.containers, _HATCHES, strict=False):
            setp(container, hatch=hatch)
        right.set(xlabel="%", ylim=(max(2.5, len(shown) - 0.5), -0.5))
        right.legend(loc="lower right", bbox_to_anchor=(1, 1), fontsize=8)
    return figure, plots
