"""How pictures of analyses look: shapes and shades differ, not colours alone, so that a printed page can be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from romans_env.render.romans_go_home.words import WARRIOR_TITLES
from romans_env.romans_go_home.material import WARRIORS
from romans_training.figures import colour, short_label

MARKERS = "osD^"
HATCHES = ("", "///", "...", "xx")
WARRIOR_NAMES = [WARRIOR_TITLES[warrior] for warrior in WARRIORS]


def new_figure(
    title: str, width: float, height: float, panels: int = 1, stacked: bool = False, **settings: Any
) -> tuple[Figure, list[Axes]]:
    """A figure with a row of panels, or a column of them.

    Args:
        title: above it.
        width: in inches.
        height: in inches.
        panels: how many.
        stacked: whether they are in a column.
        settings: of ``Figure.subplots``.
    """
    figure = Figure(figsize=(width, height), layout="constrained")
    shape = (panels, 1) if stacked else (1, panels)
    axes = figure.subplots(*shape, squeeze=False, **settings).ravel()
    set_title(figure, title)
    return figure, list(axes)


def set_title(figure: Figure, title: str) -> None:
    """The title of a figure, at the left."""
    figure.suptitle(plain_text(title), x=0.01, ha="left")


def area_style(number: int) -> dict[str, Any]:
    """How the areas of an agent are drawn, by its number."""
    return {"color": colour(number), "edgecolor": "white", "hatch": HATCHES[number], "linewidth": 0.6}


def counted(frame: Any, agents: Sequence[str]) -> list[str]:
    """The labels of agents with the number of their rows in a table."""
    return [f"{agent}, n = {np.count_nonzero(frame['agent'] == agent):,}" for agent in agents]


def turns_of(frame: Any) -> list[int]:
    """The turns of a table, from 1 to the last one in it."""
    return list(range(1, int(frame["turn"].max()) + 1)) if len(frame) else [1]


def plain_text(text: str) -> str:
    """A text in which matplotlib sets no formulas, as it does between dollars."""
    return text.replace("$", r"\$")


def label_of(agent: str) -> str:
    """The label of an agent in a legend."""
    # Labels that begin with "_" would be left out.
    return plain_text(" " + short_label(agent))


def plain_axes(axes: Axes, grid: str = "x") -> None:
    """A grid along the axis of the numbers alone."""
    axes.grid(False)
    axes.grid(axis=grid)  # type: ignore[arg-type]


def draw_estimates(
    axes: Axes, rows: Sequence[str], agents: Sequence[str], estimates: npt.NDArray[Any], scale: float = 1.0
) -> None:
    """Points with intervals: a row for each thing, in it a point for each agent.

    Args:
        axes: where.
        rows: names, from the top.
        agents: labels.
        estimates: mean, low and high, shape (rows, agents, 3); nan where there is none.
        scale: by which numbers are multiplied, as by 100 for percentages.
    """
    count = len(agents)
    for k, agent in enumerate(agents):
        mean, low, high = scale * np.moveaxis(estimates[:, k], 1, 0)
        places = np.arange(len(rows)) + (k - (count - 1) / 2) * min(0.2, 0.7 / count)
        known = np.isfinite(mean)
        # An interval without an end is not drawn.
        errors = np.nan_to_num(np.stack([mean - low, high - mean])[:, known], nan=0.0, posinf=0.0).clip(0.0)
        axes.errorbar(
            mean[known],
            places[known],
            xerr=errors,
            fmt=MARKERS[k % len(MARKERS)],
            color=colour(k),
            markersize=5,
            elinewidth=1.1,
            # Markers at the edge are drawn whole; the layout cannot cope with none that are not clipped.
            clip_on=not known.any(),
            label=label_of(agent),
        )
    axes.set_yticks(range(len(rows)), rows, fontsize=9)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    plain_axes(axes)
    axes.tick_params(axis="y", length=0)


def draw_shares(axes: Axes, shares: npt.NDArray[Any], columns: Sequence[str], darkest: float) -> None:
    """A heat map with a row of percentages for each warrior, so that no shade must be read.

    Args:
        axes: where.
        shares: from 0 to 1, shape (warriors, columns); nan where there is none.
        columns: names, from the left.
        darkest: the largest share of all panels, so that a shade means the same in each.
    """
    darkest = max(darkest, 1e-9)
    axes.imshow(shares, vmin=0.0, vmax=1.15 * darkest, aspect="auto")
    for (row, column), share in np.ndenumerate(shares):
        text = f"{100 * share:.0f}" if np.isfinite(share) else "·"
        ink = "white" if share > 0.62 * darkest else "black" if share > 0 else "grey"
        axes.text(column, row, text, ha="center", va="center", fontsize=8, color=ink)
    axes.set_xticks(range(len(columns)), columns, fontsize=8)
    axes.set_yticks(range(len(WARRIOR_NAMES)), WARRIOR_NAMES, fontsize=9)
    axes.tick_params(length=0)
    axes.grid(False)
    for side in axes.spines.values():
        side.set_visible(False)


def legend_below(figure: Figure, axes: Axes) -> None:
    """A legend of the agents in one row under the panels; nothing where there is a single agent."""
    handles, labels = axes.get_legend_handles_labels()
    if len(labels) > 1:
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, fontsize=9)
