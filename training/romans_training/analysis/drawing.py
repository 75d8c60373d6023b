"""What every analysis gives, and what figures are made of: shapes differ, not colours alone, as prints are grey."""

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
    """A table in long form, whose columns the function that made it names, and a picture of it, which no pyplot knows.

    Of an estimate ``x`` with a 95 % interval, clustered by deal, the columns are ``x``, ``x_low`` and ``x_high``.
    """

    frame: pd.DataFrame
    figure: Figure

    def __repr__(self) -> str:
        return f"AnalysisResult: {len(self.frame)} rows of {', '.join(map(str, self.frame.columns))}; and a figure"

    def _repr_html_(self) -> str:
        return self.frame.head(_ROWS).to_html(index=False) + image_of(self.figure)


def with_interval(name: str) -> list[str]:
    """Return the columns of an estimate."""
    return [name, f"{name}_low", f"{name}_high"]


def means(frame: pd.DataFrame, by: Sequence[str], *columns: str) -> pd.DataFrame:
    """Return the means of columns in every group of rows, with intervals clustered by the column ``deal``.

    Of numbers from 0 to 1 these are as of `rate_in_clusters`, of others as of `mean_in_clusters`. The groups are in the
    order in which they first appear; ``count`` is how many rows one has.
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
    """Show a progress bar while the block runs; what it is given is called with how much is done."""
    with ProgressBars(things) as bars:
        yield games_counter(bars, bars.add_task(description, total=total))


def new_figure(title: str, width: float, height: float, columns: int = 1, rows: int = 1, **settings: Any) -> Any:
    """Return a figure and the list of its axes; sizes are in inches, ``settings`` those of ``Figure.subplots``."""
    figure = ShownFigure(figsize=(width, height), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left")
    return figure, figure.subplots(rows, columns, squeeze=False, **settings).ravel().tolist() if rows else []


def draw_means(axes: Axes, table: Any, column: str, by: str, series: str | None = None, is_line: bool = False) -> None:
    """Draw estimates of `means` in percent: a row for each value of a column, or a line over them, for each series."""
    names = list(table[by].cat.categories if hasattr(table[by], "cat") else dict.fromkeys(table[by]))
    parts = [("", table)] if series is None else list(table.groupby(series, sort=False))
    for number, (name, part) in enumerate(parts):
        mean, low, high = 100 * part[with_interval(column)].to_numpy(dtype=float).T
        # An interval without an end, as of a single deal, is not drawn.
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
    """Draw positions as their seats see them, one below the other, each beside bars of its legal actions.

    The bars are tables of shares, by the name of the action; the largest are drawn. Above all are two more plots, so
    many inches high, the first of those that are returned after the figure.
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
