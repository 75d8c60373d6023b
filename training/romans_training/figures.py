"""Common parts of matplotlib figures."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from pathlib import Path

import matplotlib.style
import numpy as np
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from romans_env.core.files import atomic_write

styled = matplotlib.style.context("romans_training.romans")
"""Decorator that gives a figure the style of ``romans.mplstyle``."""
MARKERS = "os^DvP"
"""Markers of points, by the index of their series."""
_LONGEST_LABEL = 32
_SCREEN, _DPI = 80, 100
"""Resolution in dots per inch, on the screen and in the image file."""


class ShownFigure(Figure):
    """A figure that displays in a notebook with any matplotlib backend."""

    def _repr_html_(self) -> str:
        return image_of(self)


def image_of(figure: Figure) -> str:
    """Return a figure as an ``<img>`` element with embedded data; pages that show notebooks often remove ``<svg>``."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=_DPI)
    data = base64.b64encode(file.getvalue()).decode()
    return f'<img width="{_SCREEN * figure.get_figwidth():.0f}" src="data:image/png;base64,{data}">'


def colour(number: int) -> str:
    """Return the colour with an index in the current style."""
    # "C0" itself would be resolved when the figure is drawn, which happens outside the style.
    return to_hex(f"C{number}")


def save_figure(figure: Figure, path: Path, dpi: int = 150) -> None:
    """Write a figure atomically, in the format of the path's suffix."""
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=dpi)


def short_label(label: str) -> str:
    """Return a label of at most 32 characters: both ends of a longer one."""
    if len(label) <= _LONGEST_LABEL:
        return label
    end = _LONGEST_LABEL // 2
    return f"{label[: _LONGEST_LABEL - end - 1]}…{label[-end:]}"


def label_of(name: str) -> str:
    """Return a label for a legend, with a leading blank: legends skip labels that begin with an underscore."""
    return " " + short_label(name)


@styled
def intervals_figure(estimates: Mapping[str, tuple[float, float, float]], label: str) -> Figure:
    """Draw shares with their intervals, in percent, one named row each.

    Args:
        estimates: the mean, low and high end of each share, from 0 to 1, by name.
        label: the label of the axis.
    """
    figure = ShownFigure(figsize=(6.4, 0.9 + 0.3 * len(estimates)), layout="constrained")
    axes = figure.subplots()
    means = [100 * mean for mean, _, _ in estimates.values()]
    ends = [[100 * (mean - low), 100 * (high - mean)] for mean, low, high in estimates.values()]
    # An infinite interval, such as that of a single deal, is not drawn.
    errors = np.nan_to_num(np.array(ends, dtype=float).reshape(-1, 2).T, posinf=0.0).clip(0.0)
    places = range(len(estimates))
    axes.errorbar(means, places, xerr=errors, linestyle="", marker=MARKERS[0], color=colour(0))
    axes.set_yticks(places, [short_label(name) for name in estimates])
    axes.set_ylim(len(estimates) - 0.5, -0.5)
    axes.set_xlabel(label)
    return figure
