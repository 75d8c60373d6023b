"""Which warrior is set aside (RULES 3.1)."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from notebooks.anatomy import drawing
from notebooks.anatomy.analysis_result import AnalysisResult, table_of, with_interval
from notebooks.anatomy.plans import plans_of
from notebooks.anatomy.sampling import PlayedGames
from romans_env.romans_go_home.material import WARRIORS
from romans_training.intervals import rate_in_clusters


def _figure(result: AnalysisResult) -> Figure:
    agents = list(dict.fromkeys(result.frame["agent"]))
    estimates = result.frame[with_interval("share")].to_numpy().reshape(len(agents), len(WARRIORS), 3).swapaxes(0, 1)
    figure, (axes,) = drawing.new_figure(f"Which warrior is set aside: {result.sample}", 6.4, 4.0)
    drawing.draw_estimates(axes, drawing.WARRIOR_NAMES, agents, estimates, scale=100)
    axes.set_xlim(left=0)
    axes.set_xlabel("set aside (% of plans that hold it)", fontsize=9)
    drawing.legend_below(figure, axes)
    return figure


def set_aside(games: PlayedGames) -> AnalysisResult:
    """How often each warrior is set aside when it was dealt.

    The columns of the table, a row for each agent and warrior: ``agent``, ``warrior``, ``dealt`` (plans with at least
    one of them in hand), ``set_aside`` (how many of these set it aside), ``share`` with its interval.

    Args:
        games: the games.
    """
    plans = plans_of(games)
    rows = []
    for k, label in enumerate(games.labels):
        for warrior, name in enumerate(WARRIORS):
            dealt = (plans.agent == k) & (plans.hand[:, warrior] > 0)
            chosen = plans.set_aside[dealt] == warrior
            share = rate_in_clusters(chosen, plans.deal[dealt])
            rows.append((label, name, int(dealt.sum()), int(np.count_nonzero(chosen)), *share))
    frame = table_of(rows, ["agent", "warrior", "dealt", "set_aside", *with_interval("share")])
    return AnalysisResult(frame, f"{games.sample}, n = {len(plans.game):,} plans", _figure)
