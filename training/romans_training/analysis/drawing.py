"""What every analysis gives, and what figures are made of: shapes differ, not colours alone, as prints are grey."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from romans_env import Game, View
from romans_env.games import spec_of
from romans_env.render.terminal import phrases_of
from romans_training.figures import MARKERS, colour, label_of, plain_text
from romans_training.intervals import mean_in_clusters, rate_in_clusters
from romans_training.progress_bars import ProgressBars, games_counter

Bars = Mapping[str, Mapping[str, float]]
"""By what is drawn, such as an agent, a number from 0 to 1 for each action, by name."""
SHARES = ("share", "reference", "distance", "won")
"""Columns of numbers from 0 to 1."""
_SHOWN, _LETTERS, _HATCHES = 8, 42, ("", "///", "...", "xx")


class AnalysisResult(NamedTuple):
    """A table in long form, whose columns the function that made it names, and a picture of it, which no pyplot knows.

    Of an estimate ``x`` with a 95 % interval, clustered by deal, the columns are ``x``, ``x_low`` and ``x_high``.
    """

    frame: pd.DataFrame
    figure: Figure


def with_interval(name: str) -> list[str]:
    """Return the columns of an estimate."""
    return [name, f"{name}_low", f"{name}_high"]


def means(frame: pd.DataFrame, by: Sequence[str], *columns: str) -> pd.DataFrame:
    """Return the means of columns in every group of rows, with intervals clustered by the column ``deal``.

    Of booleans and of `SHARES` these are as of `rate_in_clusters`, of other numbers as of `mean_in_clusters`. The
    groups are in the order in which they first appear; ``count`` is how many rows one has.
    """
    is_rate = {one: frame[one].dtype == bool or one in SHARES for one in columns}
    estimate = {one: rate_in_clusters if is_rate[one] else mean_in_clusters for one in columns}
    rows = []
    for group, own in frame.groupby(list(by), sort=False):
        found = [estimate[one](own[one].to_numpy(), own["deal"].to_numpy()) for one in columns]
        rows.append((*group, len(own), *chain(*found)))
    return pd.DataFrame(rows, columns=[*by, "count", *(name for one in columns for name in with_interval(one))])


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


def draw_means(
    axes: Axes, table: pd.DataFrame, column: str, rows: str, series: str | None = None, scale: float = 1
) -> None:
    """Draw estimates of `means`, scaled: a row for each value of a column, in it a point for each of another."""
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
    _name_rows(axes, list(map(str, names)), len(names) - 0.5)


def _name_rows(axes: Axes, names: Sequence[str], bottom: float) -> None:
    axes.set_yticks(range(len(names)), list(map(plain_text, names)), fontsize=8.5)
    axes.set_ylim(bottom, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")


def drawn_views(title: str, views: Sequence[View], bars: Sequence[Bars], titles: Sequence[str], above: float) -> Figure:
    """Draw positions as their seats see them, one below the other, and beside each bars of its legal actions.

    Inches ``above`` are left free, the first of the figure's ``subfigs``; there may be no views.
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
    said = [words[name] if len(words[name]) <= _LETTERS else f"{words[name][: _LETTERS - 1]}…" for name in shown]
    _name_rows(axes, said, max(2.5, len(shown) - 0.5))
    axes.set_xlim(0, 100)
