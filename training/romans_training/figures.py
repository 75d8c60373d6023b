"""What matplotlib figures share."""

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
"""Decorates what makes a figure: it has the style of ``romans.mplstyle``."""
MARKERS = "os^DvP"
"""Of points, by the number of what they show."""
_LONGEST_LABEL = 32
_SCREEN, _DPI = 80, 100
"""Dots of an inch, on the screen and in the picture."""


class ShownFigure(Figure):
    """A figure that a notebook shows, whatever backend matplotlib has there."""

    def _repr_html_(self) -> str:
        return image_of(self)


def image_of(figure: Figure) -> str:
    """Return a figure as an ``<img>`` element that holds it: pages that show notebooks remove ``<svg>`` elements."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=_DPI)
    data = base64.b64encode(file.getvalue()).decode()
    return f'<img width="{_SCREEN * figure.get_figwidth():.0f}" src="data:image/png;base64,{data}">'


def colour(number: int) -> str:
    """Return a colour of the style in force, by its number."""
    # "C0" itself would be looked up when the figure is drawn, outside the style.
    return to_hex(f"C{number}")


def save_figure(figure: Figure, path: Path, dpi: int = 150) -> None:
    """Write a figure whole; the suffix of the path is its format."""
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=dpi)


def short_label(label: str) -> str:
    """Return a label of at most 32 letters: both ends of a longer one."""
    if len(label) <= _LONGEST_LABEL:
        return label
    end = _LONGEST_LABEL // 2
    return f"{label[: _LONGEST_LABEL - end - 1]}…{label[-end:]}"


def label_of(name: str) -> str:
    """Return the label of a name in a legend, which passes over labels that begin with an underscore."""
    return " " + short_label(name)


@styled
def intervals_figure(estimates: Mapping[str, tuple[float, float, float]], label: str) -> Figure:
    """Draw shares with the low and high ends of their intervals in percent, one below the other, each with a name."""
    figure = ShownFigure(figsize=(6.4, 0.9 + 0.3 * len(estimates)), layout="constrained")
    axes = figure.subplots()
    means = [100 * mean for mean, _, _ in estimates.values()]
    ends = [[100 * (mean - low), 100 * (high - mean)] for mean, low, high in estimates.values()]
    # An interval without an end, as of a single deal, is not drawn.
    errors = np.nan_to_num(np.array(ends, dtype=float).reshape(-1, 2).T, posinf=0.0).clip(0.0)
    places = range(len(estimates))
    axes.errorbar(means, places, xerr=errors, linestyle="", marker=MARKERS[0], color=colour(0))
    axes.set_yticks(places, [short_label(name) for name in estimates])
    axes.set_ylim(len(estimates) - 0.5, -0.5)
    axes.set_xlabel(label)
    return figure
