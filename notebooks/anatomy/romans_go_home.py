"""Plans of Romans Go Home! (RULES 3.1), and how Zvord changes them (4.10)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from romans_env.romans_go_home.actions import PLACE, REORDER
from romans_env.romans_go_home.material import FORTS, WARRIORS
from romans_training.analysis import AnalysisResult, PlayedGames, means
from romans_training.analysis.drawing import draw_means, new_figure
from romans_training.figures import styled

from .heat_maps import heat_maps

ASIDE = "aside"


def plans(games: PlayedGames) -> pd.DataFrame:
    """Return a row for each warrior of a plan as it was placed.

    The columns are those of `PlayedGames.frame`, ``round``, ``slot`` (1 to 6, or ``aside``), ``fort`` and ``warrior``.
    """
    aside = games.frame.index[games.frame["kind"] == "discard"]
    rows: list[tuple[Any, ...]] = [(row, ASIDE, ASIDE, games.frame["action"][row].partition(":")[2]) for row in aside]
    for row in games.frame.index[games.frame["kind"] == "place"]:
        state = games.views[row].states[0]
        hand = state["hand"][state["seat"]].astype(int)
        hand[games.actions[row] - PLACE] -= 1
        laid = [int(games.actions[row] - PLACE)]
        if np.count_nonzero(hand) == 1:  # the engine lays what is all of one kind
            laid += np.repeat(np.arange(len(hand)), hand).tolist()
        for slot, warrior in enumerate(laid, int(state["slot"])):
            rows.append((row, slot + 1, FORTS[state["wall"][slot]], WARRIORS[warrior]))
    found = pd.DataFrame(rows, columns=["row", "slot", "fort", "warrior"]).set_index("row")
    rounds = [int(view.states[0]["round_index"]) + 1 for view in games.views]
    return games.frame.assign(round=rounds).join(found, how="inner")


def placement(games: PlayedGames, by: str = "slot") -> AnalysisResult:
    """Show which warriors are set aside, and which are placed at each ``slot`` or each kind of ``fort``."""
    frame, order = plans(games), [ASIDE, *(range(1, 7) if by == "slot" else FORTS)]
    shares = {
        agent: own.groupby([by, "warrior"]).size().unstack(by).reindex(index=WARRIORS, columns=order).fillna(0)
        for agent, own in frame.groupby("agent")
    }
    shares = {agent: counts / counts.sum().replace(0, np.nan) for agent, counts in shares.items()}
    title, label = f"Which warrior is laid where: {games.sample}", f"{by} (columns add up to 100 %)"
    width = 4.2 if by == "slot" else 5.4
    return AnalysisResult(pd.concat(shares, names=["agent"]), heat_maps(title, shares, label, width))


@styled
def zvords(games: PlayedGames) -> AnalysisResult:
    """Show how many of the remaining slots Zvord changes, by the turn in which he is revealed.

    The table has a row for each decision, with the columns of `PlayedGames.frame`, ``turn``, and ``changed`` (whether
    the slot gets another warrior than planned).
    """
    frame = plans(games)
    laid = frame.set_index(["game", "seat", "round", "slot"])["warrior"].to_dict()
    rows = []
    for row in games.frame.index[games.frame["kind"] == "reorder"]:
        state = games.views[row].states[0]
        place = (games.frame["game"][row], int(state["seat"]), int(state["round_index"]) + 1, int(state["slot"]) + 1)
        rows.append((row, int(state["turn"]), WARRIORS[games.actions[row] - REORDER] != laid[place]))
    found = games.frame.join(pd.DataFrame(rows, columns=["row", "turn", "changed"]).set_index("row"), how="inner")
    found = found.sort_values(["turn", "agent"]).astype({"changed": bool})
    figure, (axes,) = new_figure(f"How Zvord is used: {games.sample}, n = {len(found):,} slots", 6.4, 3.4)
    draw_means(axes, means(found, ["turn", "agent"], "changed"), "changed", "turn", "agent")
    axes.set(xlabel="slots that get another warrior (%)", ylabel="turn", xlim=(-2, 102))
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return AnalysisResult(found, figure)
