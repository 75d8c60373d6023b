"""What is chosen and expected, and where two agents differ: questions about the decisions of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from romans_agents.comparison import share_of_return
from romans_env import Game
from romans_env.records import Record
from romans_training.analysis.drawing import AnalysisResult, draw_means, drawn_views, means, new_figure, with_interval
from romans_training.analysis.played_games import PlayedGames, Rows
from romans_training.analysis.policies import agent_of
from romans_training.figures import MARKERS, colour, label_of, short_label, styled

_OFTEN = 30
"""How many times an action is offered that is drawn: others differ by chance."""


class Comparison(NamedTuple):
    """What two agents would do in the same views.

    The frame has the rows of ``games.frame`` that were visited, with ``same`` (whether both are most likely to choose
    the same action) and ``distance`` (total variation: half the sum of absolute differences, 0 to 1). Probabilities are
    of every action, by each of the two: float64, shape (rows, number of actions).
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
    frame = games.frame if rows is None else games.frame.loc[rows]
    if frame.empty:
        raise ValueError("there are no decisions to compare on")
    agents = [agent_of(agent, games.rules.name) for agent in (first, second)]
    one, other = (games.answers(agent, frame.index)[0] for agent in agents)
    frame = frame.assign(same=one.argmax(axis=1) == other.argmax(axis=1), distance=np.abs(one - other).sum(axis=1) / 2)
    return Comparison(games, frame, [agent.name for agent in agents], [one, other])


@styled
def agreement(comparison: Comparison) -> AnalysisResult:
    """Say how far two agents agree, by kind of decision.

    The columns of the table, a row for ``all`` and one for each kind: ``kind``, ``count`` of decisions, ``same`` (the
    share with the same most likely action) and ``distance`` (mean total variation), with intervals. Of an agent that
    gives no probabilities, its choice has probability 1.
    """
    table = means(pd.concat([comparison.frame.assign(kind="all"), comparison.frame]), ["kind"], "same", "distance")
    drawn = table.assign(kind=table["kind"] + table["count"].map(" (n = {:,})".format))
    figure, panels = new_figure(f"Agreement of {comparison.sample}", 9, 1.0 + 0.32 * len(table), 2, sharey=True)
    labels = {"same": "same choice (% of decisions)", "distance": "total variation distance (%)"}
    for panel, (column, label) in zip(panels, labels.items(), strict=True):
        draw_means(panel, drawn, column, "kind")
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
    games, names = comparison.games, np.array(comparison.games.rules.action_names)
    frame = comparison.frame.query("distance > 0").sort_values("distance", ascending=False, kind="stable")
    seen = pd.Series([games.views[row].states.tobytes() for row in frame.index], frame.index, dtype=object)
    frame = frame[~seen.duplicated()].head(most)
    places = comparison.frame.index.get_indexer(frame.index)
    both = dict(zip(("first", "second"), [of[places] for of in comparison.probabilities], strict=True))
    for label, own in both.items():
        said = {f"{label}_of_{of}": own[np.arange(len(own)), one.argmax(axis=1)] for of, one in both.items()}
        frame = frame.assign(**{label: names[own.argmax(axis=1)]}, **said)
    order = frame.groupby("kind").cumcount().to_numpy().argsort(kind="stable")[:drawn]
    pairs = [dict(zip(comparison.names, [of[place] for of in both.values()], strict=True)) for place in order]
    titles = [f"{row.kind}, game {row.game}, action {row.step}" for row in frame.iloc[order].itertuples()]
    views, bars = [games.views[row] for row in frame.index[order]], [pd.DataFrame(pair, names) for pair in pairs]
    return AnalysisResult(frame, drawn_views(f"Where they differ most: {comparison.sample}", views, bars, titles)[0])


@styled
def choices(games: PlayedGames, reference: Any = None, drawn: int = 14) -> AnalysisResult:
    """Say how often each action is chosen where it is legal, by kind of decision, and how often a reference would.

    The columns of the table, a row for each ``agent``, ``kind`` and ``action`` that it was ever offered: ``count``
    (how many times), ``share`` of these in which it was chosen, and ``reference`` (the mean probability that the
    reference, as of `agent_of`, gives it in the same views), with intervals. Drawn are some actions: those in which an
    agent differs most from the reference; without one, those that are chosen in the most decisions.
    """
    rows, actions = np.nonzero(games.masks)
    names, by = np.array(games.rules.action_names)[actions], ["agent", "kind", "action"]
    offered = games.frame.iloc[rows].assign(action=names, share=games.actions[rows] == actions)
    asked, columns = None if reference is None else agent_of(reference, games.rules.name), ["share"]
    if asked is not None:
        offered["reference"] = games.answers(asked, games.frame.index)[0][rows, actions]
        columns.append("reference")
    table = means(offered, by, *columns)
    weight = table["share"] * table["count"] if asked is None else (table["share"] - table["reference"]).abs()
    name = [action if action.startswith(kind) else f"{kind}, {action}" for _, kind, action in table[by].to_numpy()]
    weight = weight.where(table["count"] >= min(_OFTEN, table["count"].max())).groupby(name).max().nlargest(drawn)
    shown = table.assign(name=pd.Categorical(name, weight.index)).dropna(subset="name")
    drawn_as = {one: dict(zip(with_interval(one), with_interval("share"), strict=True)) for one in columns}
    who = {"share": shown["agent"] + " chose", "reference": f"{short_label(asked.name if asked else '')} would"}
    said = [
        shown[["agent", "name", *names]].rename(columns=names).assign(who=who[one]) for one, names in drawn_as.items()
    ]
    parts = [own for _, own in pd.concat(said).groupby("agent", sort=False)]
    title, height = f"What is chosen: {games.sample}, n = {len(games.frame):,} decisions", 1.2 + 0.27 * len(weight)
    figure, panels = new_figure(title, 4.4 * len(parts) + 2, height, len(parts), sharey=True)
    for panel, part in zip(panels, parts, strict=True):
        draw_means(panel, part, "share", "name", "who")
        panel.set(xlabel="% of the decisions where it is legal", xlim=(-2, 102))
        panel.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return AnalysisResult(table, figure)


def _expected(games: PlayedGames, policy: Any, only_own: bool = False) -> pd.DataFrame:
    """Return decisions with ``policy``, ``value``, the expected return, and ``expected``, its share of the win."""
    agent, frame = agent_of(policy, games.rules.name), games.frame
    own = frame["agent"] == agent.name
    frame = frame[own] if only_own and own.any() else frame
    values = games.answers(agent, frame.index)[1]
    if np.isnan(values).any():
        raise ValueError(f"{agent.name} gives no value: a network with a value does")
    return frame.assign(policy=agent.name, value=values, expected=share_of_return(values, games.rules.num_players))


@styled
def calibration(policy: Any, games: PlayedGames, bins: int = 10) -> AnalysisResult:
    """Compare the share of the win that a policy expects with what its seat won.

    A value is what the policy, as of `agent_of`, expects if it plays on: of games in which an agent of its name played,
    its own decisions count; of others, all do. The columns of the table, a row for each ``bin`` (of equal width) with a
    decision and one for ``all``: ``count``, and the means of what was ``expected``, what was ``won``, and their squared
    difference (``brier``), with intervals.
    """
    frame = _expected(games, policy, only_own=True).sort_values("expected").rename(columns={"share": "won"})
    edges = (frame["expected"] * bins).astype(int).clip(0, bins - 1)
    frame["bin"] = [f"{one / bins:.2g} to {(one + 1) / bins:.2g}" for one in edges]
    frame["brier"] = (frame["expected"] - frame["won"]) ** 2
    table = means(pd.concat([frame, frame.assign(bin="all")]), ["bin"], "expected", "won", "brier")
    agent, count, drawn = frame["policy"].iloc[0], len(frame), table[:-1]
    figure, (axes,) = new_figure(f"Calibration of {short_label(agent)}, {games.sample}", 5.6, 4.4)
    axes.bar(100 * (edges.unique() + 0.5) / bins, 100 * drawn["count"] / count, 90 / bins, color="0.85")
    axes.plot([0, 100], [0, 100], ":", color="grey")
    draw_means(axes, drawn.assign(expected=100 * drawn["expected"]), "won", "expected", is_line=True)
    brier, variance = table["brier"].iloc[-1], frame["won"].var(ddof=0)
    text = f"Brier score {brier:.3f}; who always\nexpects the mean has {variance:.3f}"
    axes.text(0.03, 0.97, text, transform=axes.transAxes, va="top", fontsize=8.5)
    label = f"expected share of the win (%); bars: % of {count:,} decisions"
    axes.set(xlabel=label, ylabel="share won (%)", xlim=(-2, 102), ylim=(-2, 102))
    return AnalysisResult(table, figure)


@styled
def values_along(game: Game | Record, policies: Sequence[Any]) -> AnalysisResult:
    """Say what policies, as of `agent_of`, expect at every decision of one game, for the seat that decides.

    The columns of the table, a row for each policy and decision: those of `PlayedGames.frame`, ``policy``, ``value``
    (the expected return) and ``expected``, the share of the win that it stands for.
    """
    games = PlayedGames([game.record() if isinstance(game, Game) else game])
    frame = pd.concat([_expected(games, policy) for policy in policies])
    winners = " and ".join(games.records[0]["result"]["winners"]) or "nobody"
    title = f"What is expected along a game of {games.rules.setup}, won by {winners}"
    parts = list(frame.groupby("policy", sort=False))
    figure, panels = new_figure(title, 2 + 4.5 * len(parts), 3.4, len(parts), sharey=True)
    for panel, (name, part) in zip(panels, parts, strict=True):
        for seat, own in part.groupby("seat"):
            style: Any = {"marker": MARKERS[seat % len(MARKERS)], "color": colour(seat)}
            panel.plot(own["step"], 100 * own["expected"], label=games.rules.players[seat], **style)
        panel.set(title=label_of(name), xlabel="action of the game", ylim=(-6, 106))
    panels[0].set_ylabel("expected share of the win (%)")
    panels[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return AnalysisResult(frame, figure)
