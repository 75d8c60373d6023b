"""Where the points come from: what the forts that an agent holds at the end are worth, by kind (RULES 1.2, 7.2)."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from notebooks.anatomy import drawing
from notebooks.anatomy.analysis_result import AnalysisResult, table_of, with_interval
from notebooks.anatomy.sampling import PlayedGames
from romans_env.romans_go_home.material import FORTS, POINTS
from romans_training.intervals import mean_in_clusters


def _figure(result: AnalysisResult) -> Figure:
    agents = list(dict.fromkeys(result.frame["agent"]))
    estimates = result.frame[with_interval("points")].to_numpy().reshape(len(agents), len(FORTS), 3)
    held = result.frame["held"].to_numpy().reshape(len(agents), len(FORTS))
    figure, (axes,) = drawing.new_figure(f"Points by kind of fort: {result.sample}", 8.0, 4.0)
    width = 0.8 / len(agents)
    for k, agent in enumerate(agents):
        mean, low, high = estimates[k].T
        places = np.arange(len(FORTS)) + (k - (len(agents) - 1) / 2) * width
        errors = np.nan_to_num(np.stack([mean - low, high - mean]), posinf=0.0)
        label = f"{drawing.label_of(agent)}: {mean.sum():.1f} points and {held[k].sum():.1f} forts a game"
        style = drawing.area_style(k)
        axes.bar(places, mean, width, yerr=errors, capsize=2, error_kw={"elinewidth": 0.9}, label=label, **style)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(range(len(FORTS)), FORTS, rotation=30, ha="right")
    drawing.plain_axes(axes, grid="y")
    axes.set_ylabel("mean points per game", fontsize=9)
    axes.legend(frameon=False, fontsize=9)
    return figure


def points_by_fort(games: PlayedGames) -> AnalysisResult:
    """How many forts of each kind each agent holds at the end of a game, and what they are worth.

    The columns of the table, a row for each agent and kind: ``agent``, ``fort``, ``held`` (mean number in a game),
    ``points`` (mean in a game; over the forts they add up to the mean score) with their interval.

    Args:
        games: the games.
    """
    rows = []
    everyone = np.arange(len(games.states))
    for k, label in enumerate(games.labels):
        seat = (games.seated == k).argmax(axis=1)
        held = games.states["forts"][everyone, seat].astype(np.int64)
        for fort, name in enumerate(FORTS):
            points = mean_in_clusters(held[:, fort] * POINTS[fort], games.deal)
            rows.append((label, name, float(held[:, fort].mean()), *points))
    frame = table_of(rows, ["agent", "fort", "held", *with_interval("points")])
    return AnalysisResult(frame, f"{games.sample}, n = {len(everyone):,} games", _figure)
