"""What is chosen, and what is expected: questions about the decisions of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from romans_agents import Agent
from romans_agents.comparison import share_of_return
from romans_env import Game
from romans_env.records import Record
from romans_training.analysis.drawing import AnalysisResult, draw_means, means, new_figure, with_interval
from romans_training.analysis.played_games import PlayedGames, Rows
from romans_training.analysis.policies import agent_of
from romans_training.figures import MARKERS, colour, label_of, short_label, styled

_OFTEN = 30
"""How many times an action is offered that is drawn: others differ by chance."""


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
    asked = None if reference is None else agent_of(reference, games.rules.name)
    if asked is None:
        table = means(offered, by, "share")
        weight = table["share"] * table["count"]
    else:
        offered["reference"] = games.answers(asked).probabilities[rows, actions]
        table = means(offered, by, "share", "reference")
        weight = (table["share"] - table["reference"]).abs()
    weight = weight.where(table["count"] >= min(_OFTEN, table["count"].max()))
    is_clear = [action.startswith(kind) for action, kind in zip(table["action"], table["kind"], strict=True)]
    shown = table.assign(name=table["action"].where(is_clear, table["kind"] + ", " + table["action"]), weight=weight)
    order = shown.groupby("name")["weight"].max().nlargest(drawn).index.tolist()
    shown = shown[shown["name"].isin(order)].sort_values("name", key=lambda column: column.map(order.index))
    panels_of = {"": shown.assign(who=shown["agent"])}
    if asked is not None:
        columns = dict(zip(with_interval("reference"), with_interval("share"), strict=True))
        would = shown.drop(columns=list(columns.values())).rename(columns=columns)
        both = [shown.assign(who=shown["agent"] + " chose"), would.assign(who=f"{short_label(asked.name)} would")]
        panels_of = dict(list(pd.concat(both).groupby("agent", sort=False)))
    title, height = f"What is chosen: {games.sample}, n = {len(games.frame):,} decisions", 1.2 + 0.27 * len(order)
    figure, panels = new_figure(title, 4.4 * len(panels_of) + 2, height, len(panels_of), sharey=True)
    for panel, part in zip(panels, panels_of.values(), strict=True):
        draw_means(panel, part, "share", "name", "who", 100)
        panel.set(xlabel="% of the decisions where it is legal", xlim=(-2, 102))
        panel.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return AnalysisResult(table, figure)


def _expected(games: PlayedGames, agent: Agent, rows: Rows) -> pd.DataFrame:
    """Return rows of the games with ``value``, the expected return, and ``expected``, its share of the win."""
    values = games.answers(agent, rows).values
    if np.isnan(values).any():
        raise ValueError(f"{agent.name} gives no value: a network with a value does")
    return games.frame.iloc[rows].assign(value=values, expected=share_of_return(values, games.rules.num_players))


@styled
def calibration(policy: Any, games: PlayedGames, bins: int = 10) -> AnalysisResult:
    """Compare the share of the win that a policy expects with what its seat won.

    A value is what the policy, as of `agent_of`, expects if it plays on: of games in which an agent of its name played,
    its own decisions count; of others, all do. The columns of the table, a row for each ``bin`` (of equal width) with a
    decision and one for ``all``: ``count``, and the means of what was ``expected``, what was ``won``, and their squared
    difference (``brier``), with intervals.
    """
    agent = agent_of(policy, games.rules.name)
    own = np.flatnonzero(games.frame["agent"] == agent.name)
    frame = _expected(games, agent, own if len(own) else np.arange(len(games.frame)))
    frame = frame.assign(bin=(frame["expected"] * bins).astype(int).clip(0, bins - 1), won=frame["share"])
    frame = frame.assign(brier=(frame["expected"] - frame["won"]) ** 2).sort_values("bin", kind="stable")
    by_bin = pd.concat([frame, frame.assign(bin=-1)])
    table = means(by_bin, ["bin"], "expected", "won", "brier")
    figure, (axes,) = new_figure(f"Calibration of {short_label(agent.name)}, {games.sample}", 5.6, 4.4)
    drawn, count = table[:-1], len(frame)
    mean, low, high = 100 * drawn[with_interval("won")].to_numpy().T
    axes.bar(100 * (drawn["bin"] + 0.5) / bins, 100 * drawn["count"] / count, 90 / bins, color="0.85")
    axes.plot([0, 100], [0, 100], ":", color="grey")
    axes.errorbar(100 * drawn["expected"], mean, yerr=[mean - low, high - mean], fmt="o")
    brier, variance = table["brier"].iloc[-1], frame["won"].var(ddof=0)
    text = f"Brier score {brier:.3f}; who always\nexpects the mean has {variance:.3f}"
    axes.text(0.03, 0.97, text, transform=axes.transAxes, va="top", fontsize=8.5)
    label = f"expected share of the win (%); bars: % of {count:,} decisions"
    axes.set(xlabel=label, ylabel="share won (%)", xlim=(-2, 102), ylim=(-2, 102))
    table["bin"] = [f"{one / bins:.2g} to {(one + 1) / bins:.2g}" if one >= 0 else "all" for one in table["bin"]]
    return AnalysisResult(table, figure)


@styled
def values_along(game: Game | Record, policies: Sequence[Any]) -> AnalysisResult:
    """Say what policies, as of `agent_of`, expect at every decision of one game, for the seat that decides.

    The columns of the table, a row for each policy and decision: those of `PlayedGames.frame`, ``policy``, ``value``
    (the expected return) and ``expected``, the share of the win that it stands for.
    """
    games = PlayedGames([game.record() if isinstance(game, Game) else game])
    rules, rows = games.rules, np.arange(len(games.frame))
    agents = [agent_of(one, rules.name) for one in policies]
    frame = pd.concat([_expected(games, agent, rows).assign(policy=agent.name) for agent in agents])
    winners = " and ".join(games.records[0]["result"]["winners"]) or "nobody"
    title = f"What is expected along a game of {rules.setup}, won by {winners}"
    figure, panels = new_figure(title, 2 + 4.5 * len(agents), 3.4, len(agents), sharey=True)
    for panel, agent in zip(panels, agents, strict=True):
        for seat, own in frame[frame["policy"] == agent.name].groupby("seat"):
            style: Any = {"marker": MARKERS[seat % len(MARKERS)], "color": colour(seat), "label": rules.players[seat]}
            panel.plot(own["step"], 100 * own["expected"], **style)
        panel.set(title=label_of(agent.name), xlabel="action of the game", ylim=(-6, 106))
    panels[0].set_ylabel("expected share of the win (%)")
    panels[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return AnalysisResult(frame, figure)
