"""Two agents in the same views: how often they agree, and where they differ most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from romans_training.analysis.drawing import AnalysisResult, draw_means, drawn_views, means, new_figure, with_interval
from romans_training.analysis.played_games import PlayedGames
from romans_training.analysis.policies import agent_of
from romans_training.annotations import Answers
from romans_training.figures import short_label, styled
from romans_training.intervals import rate_in_clusters


@dataclass(frozen=True, eq=False)
class Comparison:
    """What two agents would do in the same views.

    Attributes:
        games: the games whose decisions were visited.
        rows: which decisions, rows of ``games.frame``: int64, shape (n,).
        names: of the two agents.
        answers: of the two agents.
    """

    games: PlayedGames
    rows: npt.NDArray[np.int64]
    names: tuple[str, str]
    answers: tuple[Answers, Answers]

    @property
    def same(self) -> npt.NDArray[np.bool_]:
        """Whether both are most likely to choose the same action: bool, shape (n,)."""
        return self.answers[0].choices == self.answers[1].choices

    @property
    def distance(self) -> npt.NDArray[np.float64]:
        """Total variation: half the sum of absolute differences of the probabilities, 0 to 1: float64, shape (n,)."""
        return np.abs(self.answers[0].probabilities - self.answers[1].probabilities).sum(axis=1) / 2

    @property
    def sample(self) -> str:
        """What was compared, in a few words for titles."""
        agents = " and ".join(map(short_label, self.names))
        return f"{agents}, {self.games.sample}, n = {len(self.rows):,} decisions"


def compared(first: Any, second: Any, games: PlayedGames, rows: npt.NDArray[np.int64] | None = None) -> Comparison:
    """Ask two agents what they would do in positions of games that were played, by these or by others.

    Who played matters: in the middle of a plan, the one is asked to go on with what the other has begun.

    Args:
        first: as of `agent_of`.
        second: the other one.
        games: games that were played.
        rows: the decisions to visit, such as ``games.of(kind="charm")`` or ``games.some(500)``; None: all.

    Raises:
        ValueError: no decisions.
        romans_env.IllegalActionError: an agent's illegal choice.
    """
    chosen = np.arange(len(games)) if rows is None else rows
    if not len(chosen):
        raise ValueError("there are no decisions to compare on")
    one, other = (agent_of(agent, games.rules.name) for agent in (first, second))
    return Comparison(games, chosen, (one.name, other.name), (games.answers(one, chosen), games.answers(other, chosen)))


@styled
def agreement(comparison: Comparison) -> AnalysisResult:
    """Say how far two agents agree, by kind of decision.

    The columns of the table, a row for ``all`` and one for each kind: ``kind``, ``count`` of decisions, ``same`` (the
    share with the same most likely action) and ``distance`` (mean total variation), with intervals. Of an agent that
    gives no probabilities, its choice has probability 1.
    """
    frame = comparison.games.frame.iloc[comparison.rows].assign(same=comparison.same, distance=comparison.distance)
    frame = pd.concat([frame.assign(kind="all"), frame])
    table = means(frame, "same", ["kind"])
    table[with_interval("distance")] = means(frame, "distance", ["kind"], rate_in_clusters)[with_interval("distance")]
    drawn = table.assign(kind=[f"{kind} (n = {n:,})" for kind, n in zip(table["kind"], table["count"], strict=True)])
    figure, panels = new_figure(f"Agreement of {comparison.sample}", 9, 1.0 + 0.32 * len(table), 2, sharey=True)
    for panel, column, label in zip(
        panels, ("same", "distance"), ("same choice (% of decisions)", "total variation distance (%)"), strict=True
    ):
        draw_means(panel, drawn, column, "kind", scale=100)
        panel.set(xlabel=label, xlim=(-2, 102))
    return AnalysisResult(table, figure)


@styled
def disagreements(comparison: Comparison, most: int = 20, drawn: int = 3) -> AnalysisResult:
    """List the decisions where two agents differ most, by total variation; equal views are listed once.

    The columns of the table, whose index is the row of ``games.frame``: those of `PlayedGames.frame`, ``distance``,
    ``first`` and ``second`` (the action that each is most likely to choose), and ``first_of_second``, the first
    agent's probability of the other's action, with ``first_of_first`` and so on. ``games.view(row)``,
    ``games.at(row)`` and ``games.record(game)`` show more of one.

    Args:
        comparison: of the two.
        most: how many decisions at most. Those where the two do not differ are left out.
        drawn: how many of them are drawn, one of each kind before others.
    """
    games, found, distance = comparison.games, dict[bytes, int](), comparison.distance
    for place in np.argsort(-distance, kind="stable").tolist():
        if len(found) >= most or distance[place] == 0:
            break
        found.setdefault(games.views[comparison.rows[place]].tobytes(), place)
    places = np.array(list(found.values()), dtype=np.int64)
    frame = games.frame.iloc[comparison.rows[places]].assign(distance=distance[places])
    names, both = np.array(games.rules.action_names), dict(zip(("first", "second"), comparison.answers, strict=True))
    for label, answers in both.items():
        frame[label] = names[answers.choices[places]]
        for of, other in both.items():
            frame[f"{label}_of_{of}"] = answers.probabilities[places, other.choices[places]]
    order = frame.groupby("kind").cumcount().to_numpy().argsort(kind="stable")[:drawn]
    bars = [
        {
            name: dict(zip(names.tolist(), answers.probabilities[place].tolist(), strict=True))
            for name, answers in zip(comparison.names, comparison.answers, strict=True)
        }
        for place in places[order]
    ]
    titles = [f"{row.kind}, game {row.game}, action {row.step}" for row in frame.iloc[order].itertuples()]
    views = [games.view(row) for row in frame.index[order]]
    return AnalysisResult(
        frame, drawn_views(f"Where they differ most: {comparison.sample}", views, bars, titles, above=0)
    )
