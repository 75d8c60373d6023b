"""How Zvord is used: the hidden warriors before and after (RULES 4.10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from notebooks.anatomy import drawing
from notebooks.anatomy.analysis_result import AnalysisResult, table_of
from notebooks.anatomy.plans import plans_of
from notebooks.anatomy.sampling import PlayedGames
from romans_env.romans_go_home.actions import REORDER
from romans_env.romans_go_home.material import FORTS, POINTS, STRENGTH, WARRIORS
from romans_training.intervals import mean_in_clusters, rate_in_clusters


def _figure(result: AnalysisResult) -> Figure:
    agents = result.frame["agent"].cat.categories.tolist()
    turns = drawing.turns_of(result.frame)
    figure, panels = drawing.new_figure(f"How Zvord is used: {result.sample}", 9.0, 3.8, 2, sharey=True)
    for panel, what, scale in ((panels[0], rate_in_clusters, 100), (panels[1], mean_in_clusters, 1)):
        estimates = np.full((len(turns), len(agents), 3), np.nan)
        for k, agent in enumerate(agents):
            for turn in turns:
                own = result.frame[(result.frame["agent"] == agent) & (result.frame["turn"] == turn)]
                if len(own):
                    values = own["moved"] > 0 if what is rate_in_clusters else own["strength_gained"]
                    estimates[turn - 1, k] = what(values.to_numpy(), own["deal"].to_numpy())
        counts = [len(result.frame[result.frame["turn"] == turn]) for turn in turns]
        names = [f"turn {turn} (n = {count:,})" for turn, count in zip(turns, counts, strict=True)]
        labels = drawing.counted(result.frame, agents)
        drawing.draw_estimates(panel, names, labels, estimates, scale)
    panels[0].set_xlim(0, 100)
    panels[0].set_xlabel("order changed (% of Zvords)", fontsize=9)
    panels[1].axvline(0, color="grey", linewidth=0.8)
    panels[1].set_xlabel("strength gained at the best fort", fontsize=9)
    drawing.legend_below(figure, panels[0])
    return figure


def reorders(games: PlayedGames) -> AnalysisResult:
    """Every Zvord after which there was an order to choose.

    The columns of the table, a row for each: ``game``, ``step`` (of the first of its decisions), ``deal``, ``round``,
    ``turn``, ``agent`` (a category), ``forts`` ahead, ``before`` and ``after`` (the hidden warriors by slot; texts with
    spaces between the names), ``moved`` (slots that hold another warrior than before), ``strength_gained`` (at the most
    valuable fort ahead, of equal ones the last: strength of the warrior there after, less that before).

    Args:
        games: the games.
    """
    plans = plans_of(games)
    keys = zip(plans.game.tolist(), plans.round_index.tolist(), plans.seat.tolist(), strict=True)
    line_of = dict(zip(keys, plans.line, strict=True))
    decisions: dict[tuple[int, int, int], list[int]] = {}
    for row in games.of_kind("reorder").tolist():
        key = (int(games.game[row]), int(games.views["round_index"][row]), int(games.seat[row]))
        decisions.setdefault(key, []).append(row)
    # A clan has one Zvord, so what he finds is the plan.
    rows = [_row(games, key[2], line_of[key], of_zvord) for key, of_zvord in decisions.items()]
    columns = ["game", "step", "deal", "round", "turn", "agent", "forts", "before", "after", "moved", "strength_gained"]
    frame = table_of(rows, columns, games.labels)
    return AnalysisResult(frame, f"{games.sample}, n = {len(frame):,} Zvords", _figure)


def _row(games: PlayedGames, seat: int, line: npt.NDArray[np.int64], decisions: list[int]) -> tuple[Any, ...]:
    first = decisions[0]
    view, game, size = games.views[first], int(games.game[first]), games.rules.setup.line_size
    turn = int(view["turn"])
    before = line[turn:size]
    left = view["hand"][seat].astype(np.int64)
    chosen = games.action[decisions] - REORDER
    np.subtract.at(left, chosen, 1)
    # What was laid without a choice is all of one kind.
    after = np.append(chosen, np.full(len(before) - len(chosen), left.argmax()))
    points = POINTS[view["wall"][turn:size]]
    best = len(points) - 1 - int(points[::-1].argmax())
    return (
        *(game, int(games.step[first]), int(games.deal[game]), int(view["round_index"]) + 1, turn),
        *(games.labels[games.agent[first]], _in_words(FORTS, view["wall"][turn:size])),
        *(_in_words(WARRIORS, before), _in_words(WARRIORS, after), int(np.count_nonzero(before != after))),
        int(STRENGTH[after[best]] - STRENGTH[before[best]]),
    )


def _in_words(names: Sequence[str], numbers: npt.NDArray[Any]) -> str:
    return " ".join(names[number] for number in numbers)
