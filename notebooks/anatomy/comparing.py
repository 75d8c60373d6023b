"""Two agents in the same views: how often they agree, and where they differ most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import romans_agents as registry
from notebooks.anatomy import drawing
from notebooks.anatomy.analysis_result import AnalysisResult, table_of, with_interval
from notebooks.anatomy.answers import Answers, answers_of
from notebooks.anatomy.sampling import KINDS, PlayedGames, labels_of
from romans_agents import Agent
from romans_env import Game, View
from romans_env.render.romans_go_home.words import WARRIOR_TITLES
from romans_env.romans_go_home.actions import ACTION_NAMES
from romans_training.figures import short_label
from romans_training.intervals import mean_in_clusters, rate_in_clusters

FLOOR = 0.001
"""For divergences both policies are mixed with this much of the uniform one, so that they stay finite."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Comparison:
    """What two agents would do in the same views.

    Attributes:
        games: the games whose decisions were visited.
        decisions: which of them, places in the arrays of ``games``: int64, shape (n,).
        labels: of the two agents.
        answers: of the two agents.
    """

    games: PlayedGames
    decisions: npt.NDArray[np.int64]
    labels: tuple[str, ...]
    answers: tuple[Answers, Answers]

    @cached_property
    def same(self) -> npt.NDArray[np.bool_]:
        """Whether both are most likely to choose the same action: bool, shape (n,)."""
        first, second = self.answers
        return first.most_likely == second.most_likely

    @cached_property
    def distance(self) -> Array:
        """Total variation: half the sum of absolute differences of the probabilities, 0 to 1; float64, shape (n,)."""
        first, second = self.answers
        return np.abs(first.probabilities - second.probabilities).sum(axis=1) / 2

    @cached_property
    def divergences(self) -> tuple[Array, Array]:
        """Kullback-Leibler divergences KL(first || second) and KL(second || first), in nats: float64, shape (n,) each.

        Both are mixed with FLOOR of the uniform policy before. nan where one of the agents gives no probabilities.
        """
        if not all(answers.has_probabilities for answers in self.answers):
            return np.full(len(self.decisions), np.nan), np.full(len(self.decisions), np.nan)
        legal = self.games.masks[self.decisions].astype(bool)
        uniform = legal / legal.sum(axis=1, keepdims=True)
        first, second = ((1 - FLOOR) * answers.probabilities + FLOOR * uniform for answers in self.answers)
        difference = np.log(np.where(legal, first, 1.0)) - np.log(np.where(legal, second, 1.0))
        return (first * difference).sum(axis=1), -(second * difference).sum(axis=1)

    @property
    def sample(self) -> str:
        """In a few words for titles."""
        agents = " and ".join(map(short_label, self.labels))
        return f"{agents}, {self.games.sample}, n = {len(self.decisions):,} decisions"


def compared(
    first: Agent | str,
    second: Agent | str,
    games: PlayedGames,
    decisions: npt.NDArray[np.int64] | None = None,
    seed: int = 0,
) -> Comparison:
    """Ask two agents what they would do in positions of games that were played.

    For an agent that gives no probabilities, its choice has probability 1.

    Args:
        first: an agent or an agent spec. It need not have played.
        second: the other one.
        games: games that were played, by these or by others.
        decisions: which decisions to visit, such as ``games.of_kind("charm")`` or
            ``np.flatnonzero(games.agent == 0)``; None for all.
        seed: of both agents' chance.

    Raises:
        ValueError: no decisions.
        romans_env.IllegalActionError: an agent's illegal choice.
    """
    chosen = np.arange(len(games)) if decisions is None else np.asarray(decisions, dtype=np.int64)
    if not chosen.size:
        raise ValueError("there are no decisions to compare on")
    both = [registry.make(agent) if isinstance(agent, str) else agent for agent in (first, second)]
    answers = []
    for agent in both:
        agent.seed(seed)
        answers.append(answers_of(agent, games.rules, games.views[chosen]))
    return Comparison(games, chosen, labels_of(both), (answers[0], answers[1]))


def _agreement_figure(result: AnalysisResult) -> Figure:
    kinds = [f"{row.kind} (n = {row.decisions:,})" for row in result.frame.itertuples()]
    figure, panels = drawing.new_figure(f"Agreement of {result.sample}", 9.0, 0.9 + 0.36 * len(kinds), 2, sharey=True)
    for panel, name, label in (
        (panels[0], "same", "same choice (% of decisions)"),
        (panels[1], "distance", "total variation distance"),
    ):
        estimates = result.frame[with_interval(name)].to_numpy()[:, None]
        drawing.draw_estimates(panel, kinds, [""], estimates, 100 if name == "same" else 1)
        panel.set_xlim(0, 100 if name == "same" else 1)
        panel.set_xlabel(label, fontsize=9)
    return figure


def agreement(comparison: Comparison) -> AnalysisResult:
    """How far two agents agree, by kind of decision.

    The columns of the table, a row for each kind that was met and one for ``all``: ``kind``, ``decisions``, ``same``
    (share of decisions with the same most likely action) with its interval, ``distance`` (mean total variation) with
    its interval, ``kl`` (mean KL(first || second), see `Comparison.divergences`) with its interval, and ``kl_back``
    (mean KL(second || first)).

    Args:
        comparison: of the two.
    """
    games, visited = comparison.games, comparison.decisions
    kind, deals = games.kind[visited], games.deal[games.game[visited]]
    rows: list[tuple[Any, ...]] = []
    for name in ("all", *KINDS):
        here = kind == KINDS.index(name) if name != "all" else np.ones(visited.size, dtype=bool)
        if here.any():
            same = rate_in_clusters(comparison.same[here], deals[here])
            distance = mean_in_clusters(comparison.distance[here], deals[here])
            kl, back = (mean_in_clusters(one[here], deals[here]) for one in comparison.divergences)
            rows.append((name, int(here.sum()), *same, *distance, *kl, back.mean))
    estimates = [column for name in ("same", "distance", "kl") for column in with_interval(name)]
    frame = table_of(rows, ["kind", "decisions", *estimates, "kl_back"])
    return AnalysisResult(frame, comparison.sample, _agreement_figure)


@dataclass(frozen=True, repr=False)
class Disagreements(AnalysisResult):
    """The result of `disagreements`.

    Attributes:
        comparison: of the two agents.
        places: of the table's rows in the arrays of ``comparison``: int64, shape (rows,).
    """

    comparison: Comparison
    places: npt.NDArray[np.int64]

    def record(self, row: int) -> dict[str, Any]:
        """The record of the whole game in which a row's decision was made, as action ``step`` of it."""
        return self.comparison.games.record(int(self.frame["game"].iloc[row]))

    def game(self, row: int) -> Game:
        """That game, as it stood before the decision."""
        return self.comparison.games.at(int(self.frame["game"].iloc[row]), int(self.frame["step"].iloc[row]))

    def view(self, row: int) -> View:
        """What the seat could know."""
        return self.comparison.games.view(int(self.comparison.decisions[self.places[row]]))


def _disagreements_figure(result: Disagreements) -> Figure:
    """The probabilities of the first eight decisions' legal actions."""
    shown = min(8, len(result.frame))
    across = min(4, shown)
    down = -(-shown // across)
    figure = Figure(figsize=(2.7 * across, 0.9 + 2.5 * down), layout="constrained")
    drawing.set_title(figure, f"Where they differ most: {result.sample}")
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for row, panel in enumerate(panels):
        if row < shown:
            _draw_probabilities(panel, result, row)
        else:
            panel.remove()
    drawing.legend_below(figure, panels[0])
    return figure


def _draw_probabilities(panel: Axes, result: Disagreements, row: int) -> None:
    legal = result.view(row).legal_actions()
    places = np.arange(len(legal))
    comparison = result.comparison
    for k, (label, answers) in enumerate(zip(comparison.labels, comparison.answers, strict=True)):
        percent = 100 * answers.probabilities[result.places[row]][legal]
        style = drawing.area_style(k)
        panel.barh(places + (k - 0.5) * 0.38, percent, 0.38, label=drawing.label_of(label), **style)
    panel.set_yticks(places, [_in_words(ACTION_NAMES[action], result.view(row)) for action in legal])
    panel.set_ylim(len(legal) - 0.4, -0.6)
    panel.set_xlim(0, 100)
    drawing.plain_axes(panel)
    where = result.frame.iloc[row]
    title = f"{where['kind']}, game {where['game']}, step {where['step']}\nround {where['round']}, turn {where['turn']}"
    panel.set_title(title, fontsize=8.5)
    panel.set_xlabel("probability (%)", fontsize=8)


def _in_words(action: str, view: View) -> str:
    """What an action is about; of a charm, whose warrior it is."""
    kind, _, what = action.partition(":")
    if kind != "charm":
        return what
    position = view.position()
    clans = list(position["clans"])
    charmed = clans[(view.seat + int(what)) % len(clans)]
    return f"{charmed}'s {WARRIOR_TITLES[position['this_turn']['revealed'][charmed]]}"


def disagreements(comparison: Comparison, most: int = 20) -> Disagreements:
    """The decisions where two agents differ most, by total variation, then by divergence; equal views are listed once.

    The columns of the table: ``game``, ``step``, ``deal``, ``seat``, ``round``, ``turn``, ``kind``, ``distance``,
    ``first`` and ``second`` (the action that each is most likely to choose), and the probabilities of these two:
    ``first_of_first`` is the first agent's probability of its own action, ``first_of_second`` that of the other's
    action, ``second_of_first`` and ``second_of_second`` likewise.

    Args:
        comparison: of the two.
        most: how many decisions at most. Those where the two do not differ are left out.
    """
    games, visited = comparison.games, comparison.decisions
    divergence = np.nan_to_num(np.add(*comparison.divergences))
    seen: set[bytes] = set()
    places: list[int] = []
    for place in np.lexsort((-divergence, -comparison.distance)).tolist():
        if len(places) >= most or comparison.distance[place] == 0:
            break
        view = games.views[visited[place]].tobytes()
        if view not in seen:
            seen.add(view)
            places.append(place)
    rows = np.array(places, dtype=np.int64)
    first, second = comparison.answers
    decisions = visited[rows]
    chosen = first.most_likely[rows], second.most_likely[rows]
    frame = table_of(
        {
            **games.columns(decisions, "game", "step", "deal", "seat", "round", "turn", "kind"),
            "distance": comparison.distance[rows],
            "first": np.array(ACTION_NAMES)[chosen[0]],
            "second": np.array(ACTION_NAMES)[chosen[1]],
            "first_of_first": first.probabilities[rows, chosen[0]],
            "first_of_second": first.probabilities[rows, chosen[1]],
            "second_of_first": second.probabilities[rows, chosen[0]],
            "second_of_second": second.probabilities[rows, chosen[1]],
        }
    )
    return Disagreements(frame, comparison.sample, _disagreements_figure, comparison, rows)
