"""The result of a tournament as a picture: pairwise win shares and ratings."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from romans_training.compare.tournament.entries import TournamentError
from romans_training.compare.tournament.report import differences_in_words, matrix_title
from romans_training.compare.tournament.result import TournamentResult
from romans_training.figures import ShownFigure, save_figure, short_label, styled

SUFFIXES = (".png", ".svg")
_CELL, _LETTER, _RATINGS = 0.52, 0.072, 3.4
"""Sizes in inches: the side of a cell, the width of a letter, and the width of the plot of ratings."""
_SHADES = "RdBu"
"""Red for losing, blue for winning, white where both are equal."""


def check_picture_path(path: Path) -> None:
    """Raise TournamentError unless the path has the suffix of a PNG or an SVG."""
    if path.suffix not in SUFFIXES:
        raise TournamentError(f"a picture must be a file that ends in {' or '.join(SUFFIXES)}, not {path}")


def save_picture(result: TournamentResult, path: Path) -> None:
    """Draw the matrix of win shares next to the ratings, and write the file atomically.

    Every cell of the matrix also has its number, so that the picture can be read without its colours.

    Args:
        result: the result of the tournament.
        path: the file, which ends in ``.png`` or ``.svg``.
    """
    check_picture_path(path)
    save_figure(figure_of(result), path)


@styled
def figure_of(result: TournamentResult) -> Figure:
    """Draw the picture as a matplotlib figure."""
    labels = [short_label(standing.label) for standing in result.standings]
    cells = _CELL * max(len(labels), 4)
    # In inches: the longest label is to the left of the matrix and, rotated, above it.
    longest = _LETTER * max(map(len, labels))
    width = longest + cells + _RATINGS
    title = textwrap.fill(result.heading(), int(width / (1.4 * _LETTER)))
    note = textwrap.fill(differences_in_words(result), int(width / _LETTER), max_lines=4, placeholder=" …")
    height = 1.5 + _CELL * len(labels) + 0.7 * longest + 0.16 * f"{title}{note}".count("\n")
    figure = ShownFigure(figsize=(width, height), layout="constrained")
    matrix, ratings = figure.subplots(1, 2, sharey=True, width_ratios=(cells, _RATINGS))
    _draw_shares(matrix, result, labels)
    _draw_ratings(ratings, result)
    figure.suptitle(title, x=0.01, ha="left")
    figure.supxlabel(note, x=0.01, ha="left", fontsize=8)
    return figure


def _draw_shares(axes, result: TournamentResult, labels: list[str]) -> None:  # type: ignore[no-untyped-def]
    count = len(labels)
    shares = np.array([[np.nan if one is None else one.mean for one in row] for row in result.shares])
    axes.imshow(shares, cmap=_SHADES, vmin=0.0, vmax=1.0, aspect="auto")
    for a, b in np.ndindex(shares.shape):
        is_known = not np.isnan(shares[a, b])
        text, ink = (f"{100 * shares[a, b]:.0f}", "white" if abs(shares[a, b] - 0.5) > 0.3 else "black")
        axes.text(b, a, text if is_known else "·", ha="center", va="center", color=ink if is_known else "grey")
    axes.set_xticks(range(count), labels, rotation=40, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(count), labels)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(textwrap.fill(f"{matrix_title(result)} (%)", 8 * max(count, 4)))


def _draw_ratings(axes, result: TournamentResult) -> None:  # type: ignore[no-untyped-def]
    ratings = [standing.elo for standing in result.standings]
    rows = np.arange(len(ratings))
    means = np.array([rating.mean for rating in ratings])
    errors = np.abs([[rating.mean - rating.low, rating.high - rating.mean] for rating in ratings]).T
    axes.errorbar(means, rows, xerr=errors, fmt="o", markersize=5)
    for row, rating in zip(rows, ratings, strict=True):
        axes.annotate(
            f"{rating.mean:+.0f}", (rating.mean, row), (0, 6), textcoords="offset points", ha="center", fontsize=8
        )
    axes.margins(x=0.1)
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0, labelleft=False)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("Elo (the mean is 0; 95 % intervals)")
