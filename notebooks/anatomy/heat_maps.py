"""Heat maps of percentages, with the numbers written into the cells."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from pandas import DataFrame

from romans_training.analysis.drawing import new_figure
from romans_training.figures import styled


@styled
def heat_maps(title: str, shares: Mapping[str, DataFrame], label: str, width: float = 4.2, **settings: bool) -> Figure:
    """Draw one heat map per table, side by side.

    Args:
        title: title of the figure.
        shares: tables of shares from 0 to 1 by their titles, with named rows and columns; nan for no value.
        label: label of the columns, which also says what adds up to 100 %.
        width: width of a map, in inches.
        settings: arguments of ``Figure.subplots``, such as ``sharey``.
    """
    height = 1.5 + 0.27 * max(len(table) for table in shares.values())
    figure, plots = new_figure(title, width * len(shares) + 1, height, len(shares), **{"sharey": True, **settings})
    darkest = max(np.nanmax(table.to_numpy(), initial=1e-9) for table in shares.values())
    for axes, (name, table) in zip(plots, shares.items(), strict=True):
        axes.imshow(table, vmin=0.0, vmax=1.15 * darkest, aspect="auto")
        for (row, column), share in np.ndenumerate(table.to_numpy()):
            text, ink = (
                f"{100 * share:.0f}" if np.isfinite(share) else "·",
                "white" if share > 0.62 * darkest else "black",
            )
            axes.text(column, row, text, ha="center", va="center", fontsize=8, color=ink)
        axes.set_xticks(range(table.shape[1]), [str(one) for one in table.columns], fontsize=8)
        if max(len(str(one)) for one in table.columns) > 3:
            axes.tick_params(axis="x", labelrotation=60)
        axes.set_yticks(range(len(table)), [str(one) for one in table.index], fontsize=8.5)
        axes.tick_params(length=0)
        axes.grid(False)
        axes.spines[:].set_visible(False)
        axes.set_title(name)
    figure.supxlabel(label, fontsize=9)
    return figure
