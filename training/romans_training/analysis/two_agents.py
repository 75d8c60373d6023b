"""Two agents in the same views: how often they agree, and where they differ most."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from romans_training.analysis.drawing import AnalysisResult, draw_means, drawn_views, means, new_figure
from romans_training.analysis.played_games import PlayedGames, Rows
from romans_training.analysis.policies import agent_of
from romans_training.figures import short_label, styled


class Comparison(NamedTuple):
    """What two agents would do in the same views.

    Attributes:
        frame: the rows of ``games.frame`` that were visited, with ``same`` (whether both are most likely to choose the
            same action) and ``distance`` (total variation: half the sum of absolute differences, 0 to 1).
        probabilities: of every action, by each of the two: float64, shape (rows, number of actions).
    """

    games: PlayedGames
    frame: pd.DataFrame
    names: list[str]
    probabilities: list[npt.NDArray[np.float64]]

    @property
    def sample(self) -> str:
        """What was compared, in a few words for titles."""
        agents = " and ".join(map(short_label, self.names))
        return f"{agents}, {self.games.sample}, n = {len(self.frame):,} decisions"


def compared(first: Any, second: Any, games: PlayedGames, rows: Rows | None = None) -> Comparison:
    """Ask two agents, as of `agent_of`, what they would do in positions of games that were played.

    Who played matters: in the middle of a plan, the one is asked to go on with what the other has begun. Visited are
    rows such as ``games.frame.query("kind == 'charm'").index`` or ``games.frame.sample(500).index``; None: all.
    """
    frame = games.frame if rows is None else games.frame.iloc[rows]
    if frame.empty:
        raise ValueError("there are no decisions to compare on")
    agents = [agent_of(agent, games.rules.name) for agent in (first, second)]
    one, other = (games.answers(agent, rows).probabilities for agent in agents)
    frame = frame.assign(same=one.argmax(axis=1) == other.argmax(axis=1), distance=np.abs(one - other).sum(axis=1) / 2)
    return Comparison(games, frame, [agent.name for agent in agents], [one, other])


@styled
def agreement(comparison: Comparison) -> AnalysisResult:
    """Say how far two agents agree, by kind of decision.

    The columns of the table, a row for ``all`` and one for each kind: ``kind``, ``count`` of decisions, ``same`` (the
    share with the same most likely action) and ``distance`` (mean total variation), with intervals. Of an agent that
    gives no probabilities, its choice has probability 1.
    """
    frame = pd.concat([comparison.frame.assign(kind="all"), comparison.frame])
    table = means(frame, ["kind"], "same", "distance")
    drawn = table.assign(kind=[f"{kind} (n = {n:,})" for kind, n in zip(table["kind"], table["count"], strict=True)])
    figure, panels = new_figure(f"Agreement of {comparison.sample}", 9, 1.0 + 0.32 * len(table), 2, sharey=True)
    labels = {"same": "same choice (% of decisions)", "distance": "total variation distance (%)"}
    for panel, (column, label) in zip(panels, labels.items(), strict=True):
        draw_means(panel, drawn, column, "kind", scale=100)
        panel.set(xlabel=label, xlim=(-2, 102))
    return AnalysisResult(table, figure)


@styled
def disagreements(comparison: Comparison, most: int = 20, drawn: int = 3) -> AnalysisResult:
    """List the decisions where two agents differ most, by total variation; equal views are listed once.

    The columns of the table, whose index is the row of ``games.frame``: those of ``comparison.frame``, ``first`` and
    ``second`` (the action that each is most likely to choose), and ``first_of_second``, the first agent's probability
    of the other's action, with ``first_of_first`` and so on. ``games.views[row]`` and ``games.at(row)`` show more.
    Decisions in which the two do not differ are left out; drawn are some of them, one of each kind before others.
    """
    games, found, distance = comparison.games, dict[bytes, int](), comparison.frame["distance"].to_numpy()
    for place in np.argsort(-distance, kind="stable").tolist():
        if len(found) >= most or distance[place] == 0:
            break
        found.setdefault(games.views[comparison.frame.index[place]].states.tobytes(), place)
    places = np.array(list(found.values()), dtype=np.int64)
    frame, names = comparison.frame.iloc[places].copy(), games.rules.action_names
    both = dict(zip(("first", "second"), [of[places] for of in comparison.probabilities], strict=True))
    for label, probabilities in both.items():
        frame[label] = np.array(names)[probabilities.argmax(axis=1)]
        for of, other in both.items():
            frame[f"{label}_of_{of}"] = probabilities[np.arange(len(places)), other.argmax(axis=1)]
    order = frame.groupby("kind").cumcount().to_numpy().argsort(kind="stable")[:drawn]
    labelled = list(zip(comparison.names, both.values(), strict=True))
    bars = [{label: dict(zip(names, of[place], strict=True)) for label, of in labelled} for place in order]
    titles = [f"{row.kind}, game {row.game}, action {row.step}" for row in frame.iloc[order].itertuples()]
    views, title = [games.views[row] for row in frame.index[order]], f"Where they differ most: {comparison.sample}"
    return AnalysisResult(frame, drawn_views(title, views, bars, titles, above=0))
