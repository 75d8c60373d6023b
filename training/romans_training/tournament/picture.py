"""The result of a tournament as a picture: shares of wins, and ratings."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from romans_training.figures import save_figure, short_label, styled
from romans_training.tournament.entries import TournamentError
from romans_training.tournament.report import differences_in_words, title_of
from romans_training.tournament.result import TournamentResult

SUFFIXES = (".png", ".svg")
_CELL, _LETTER = 0.62, 0.068


def check_picture_path(path: Path) -> None:
    """TournamentError for a file that is neither a PNG nor an SVG."""
    if path.suffix not in SUFFIXES:
        raise TournamentError(f"a picture is a file that ends in {' or '.join(SUFFIXES)}, not {path}")


def save_picture(result: TournamentResult, path: Path) -> None:
    """Draw the matrix of shares beside the ratings, and write it whole.

    Shares are shades with numbers in them, so that no colour must be read.

    Args:
        result: of the tournament.
        path: ends in ``.png`` or ``.svg``.
    """
    check_picture_path(path)
    save_figure(figure_of(result), path)


@styled
def figure_of(result: TournamentResult) -> Figure:
    """The picture as a matplotlib figure."""
    labels = [short_label(standing.label) for standing in result.standings]
    # All in inches.
    left, cells, ratings, edge = 0.35 + 0.075 * max(map(len, labels)), _CELL * max(len(labels), 4), 3.6, 0.15
    width = left + cells + 2 * edge + ratings + 2 * edge
    differences = textwrap.wrap(
        differences_in_words(result), int((width - 2 * edge) / _LETTER), max_lines=3, placeholder=" ..."
    )
    top, rows, bottom = 0.75 + 0.17 * len(differences), _CELL * len(labels), 0.55
    height = top + rows + bottom
    figure = Figure(figsize=(width, height))
    matrix = figure.add_axes((left / width, bottom / height, cells / width, rows / height))
    place = ((left + cells + 2 * edge) / width, bottom / height, ratings / width, rows / height)
    _draw_shares(matrix, result, labels)
    _draw_ratings(figure.add_axes(place, sharey=matrix), result)
    figure.text(edge / width, 1 - 0.12 / height, title_of(result), va="top", fontsize=9, weight="bold")
    figure.text(edge / width, 1 - 0.34 / height, "\n".join(differences), va="top", fontsize=8)
    return figure


def _draw_shares(axes, result: TournamentResult, labels: list[str]) -> None:  # type: ignore[no-untyped-def]
    count = len(labels)
    shares = np.array([[np.nan if one is None else one.mean for one in row] for row in result.shares])
    axes.imshow(shares, vmin=0.0, vmax=1.0, aspect="auto")
    for a in range(count):
        for b in range(count):
            if not np.isnan(shares[a, b]):
                ink = "white" if shares[a, b] > 0.55 else "black"
                axes.text(b, a, f"{100 * shares[a, b]:.0f}", ha="center", va="center", color=ink, fontsize=9)
            else:
                axes.text(b, a, "·", ha="center", va="center", color="grey")
    axes.set_xticks(range(count), [str(k + 1) for k in range(count)], fontsize=9)
    axes.set_yticks(range(count), [f"{label}  {k}" for k, label in enumerate(labels, 1)], fontsize=9)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("win share of the row (%)")


def _draw_ratings(axes, result: TournamentResult) -> None:  # type: ignore[no-untyped-def]
    ratings = [standing.rating for standing in result.standings]
    rows = np.arange(len(ratings))
    means = np.array([rating.mean for rating in ratings])
    errors = np.abs([[rating.mean - rating.low, rating.high - rating.mean] for rating in ratings]).T
    axes.errorbar(means, rows, xerr=errors, fmt="o", markersize=5)
    for row, rating in zip(rows, ratings, strict=True):
        axes.annotate(
            f"{round(rating.mean)}",
            (rating.mean, row),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.margins(x=0.1)
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0, labelleft=False)
    axes.spines["left"].set_visible(False)
    zero = "mean 0" if result.anchor is None else f"{short_label(result.anchor)} at 0"
    axes.set_xlabel(f"Elo rating ({zero}; 95 % intervals)")
