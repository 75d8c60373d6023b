"""How Dru'hid is used: the forts a player takes that may take any (RULES 4.7)."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from notebooks.anatomy import drawing
from notebooks.anatomy.analysis_result import AnalysisResult, table_of
from notebooks.anatomy.sampling import PlayedGames
from romans_env.romans_go_home.actions import TAKE
from romans_env.romans_go_home.material import FORTS, NONE, POINTS
from romans_training.intervals import rate_in_clusters


def _figure(result: AnalysisResult) -> Figure:
    agents = result.frame["agent"].cat.categories.tolist()
    figure, (axes, means) = drawing.new_figure(
        f"Which fort Dru'hid takes: {result.sample}", 9.0, 4.6, 2, width_ratios=[1.6, 1]
    )
    estimates = np.full((len(FORTS), len(agents), 3), np.nan)
    means_of = np.full((2, len(agents), 3), np.nan)
    for k, agent in enumerate(agents):
        own = result.frame[result.frame["agent"] == agent]
        deals = own["deal"].to_numpy()
        for fort, name in enumerate(FORTS):
            there = own["wall"].str.split().map(lambda wall, name=name: name in wall).to_numpy(dtype=bool)
            if there.any():
                estimates[fort, k] = rate_in_clusters((own["taken"] == name).to_numpy()[there], deals[there])
        if len(own):
            for row, column in enumerate(("is_best", "is_this_turns")):
                means_of[row, k] = rate_in_clusters(own[column].to_numpy(), deals)
    labels = drawing.counted(result.frame, agents)
    drawing.draw_estimates(axes, FORTS, labels, estimates, scale=100)
    axes.set_xlim(0, 100)
    axes.set_xlabel("taken (% of choices with it in the wall)", fontsize=9)
    drawing.draw_estimates(means, ["most points", "this turn's\nslot"], labels, means_of, scale=100)
    means.set_xlim(0, 100)
    means.set_xlabel("taken (% of choices)", fontsize=9)
    drawing.legend_below(figure, axes)
    return figure


def takes(games: PlayedGames) -> AnalysisResult:
    """Every capture with Dru'hid at which more than one fort lay in the wall.

    The columns of the table, a row for each choice: ``game``, ``step``, ``deal``, ``round``, ``turn``, ``agent`` (a
    category), ``wall`` (forts still in it, this turn's first; a text with spaces between the names), ``taken``,
    ``slot`` (1 to 6), ``points`` of the fort taken, ``points_of_this_turns``, ``is_best`` (no fort of the wall has more
    points), ``is_this_turns`` (taken from this turn's slot).

    Args:
        games: the games.
    """
    decisions = games.of_kind("take")
    views, slot = games.views[decisions], games.action[decisions] - TAKE
    place = games.columns(decisions, "game", "step", "deal", "round", "turn", "agent")
    wall, rows = views["wall"], np.arange(len(decisions))
    points = np.where(wall == NONE, np.iinfo(np.int64).min, POINTS[wall])
    taken, this_turns = points[rows, slot], points[rows, place["turn"] - 1]
    frame = table_of(
        {
            **place,
            "wall": np.array([" ".join(FORTS[fort] for fort in one[one != NONE]) for one in wall], dtype=object),
            "taken": np.array(FORTS)[wall[rows, slot]],
            "slot": slot + 1,
            "points": taken,
            "points_of_this_turns": this_turns,
            "is_best": taken == points.max(axis=1),
            "is_this_turns": slot + 1 == place["turn"],
        },
        categories=games.labels,
    )
    return AnalysisResult(frame, f"{games.sample}, n = {len(frame):,} choices", _figure)
