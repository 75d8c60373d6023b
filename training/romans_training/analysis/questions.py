"""What is chosen, and what is expected: questions about the decisions of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from romans_agents.comparison import share_of_return
from romans_env import Game, replay
from romans_env.records import Record
from romans_training.analysis.drawing import AnalysisResult, draw_means, means, new_figure, plain_axes, with_interval
from romans_training.analysis.played_games import PlayedGames
from romans_training.analysis.policies import agent_of
from romans_training.annotations import annotation_of
from romans_training.figures import MARKERS, colour, label_of, short_label, styled
from romans_training.intervals import rate_in_clusters

_NO_VALUE = "{} gives no value: a network with a value does"
_OFTEN = 30
"""How many times an action is offered that is drawn: others differ by chance."""


@styled
def choices(games: PlayedGames, reference: Any = None, drawn: int = 14) -> AnalysisResult:
    """Say how often each action is chosen where it is legal, by kind of decision, and how often a reference would.

    The columns of the table, a row for each ``agent``, ``kind`` and ``action`` that it was ever offered: ``count``
    (how many times), ``share`` of these in which it was chosen, and ``reference`` (the mean probability that the
    reference gives it in the same views), with intervals.

    Args:
        games: the games.
        reference: as of `agent_of`; None: there is none.
        drawn: how many actions are drawn: those in which an agent differs most from the reference; without one, those
            that are chosen in the most decisions.
    """
    rows, actions = np.nonzero(games.masks)
    names, by = np.array(games.rules.action_names)[actions], ["agent", "kind", "action"]
    offered = games.frame.iloc[rows].assign(action=names, share=games.actions[rows] == actions)
    table, asked = means(offered, "share", by), None if reference is None else agent_of(reference, games.rules.name)
    weight = table["share"] * table["count"]
    if asked is not None:
        offered["reference"] = games.answers(asked, np.arange(len(games))).probabilities[rows, actions]
        estimates = with_interval("reference")
        table[estimates] = means(offered, "reference", by, rate_in_clusters)[estimates]
        weight = (table["share"] - table["reference"]).abs()
    weight = weight.where(table["count"] >= min(_OFTEN, table["count"].max()))
    is_clear = [action.startswith(kind) for action, kind in zip(table["action"], table["kind"], strict=True)]
    shown = table.assign(name=table["action"].where(is_clear, table["kind"] + ", " + table["action"]), weight=weight)
    order = shown.groupby("name")["weight"].max().nlargest(drawn).index.tolist()
    shown = shown[shown["name"].isin(order)].sort_values("name", key=lambda column: column.map(order.index))
    columns = with_interval("share")
    if asked is None:
        panels_of = {"": shown.assign(who=shown["agent"])}
    else:
        would = shown.drop(columns=columns).rename(columns=dict(zip(estimates, columns, strict=True)))
        both = [shown.assign(who=shown["agent"] + " chose"), would.assign(who=f"{short_label(asked.name)} would")]
        panels_of = dict(list(pd.concat(both).groupby("agent", sort=False)))
    title, height = f"What is chosen: {games.sample}, n = {len(games):,} decisions", 1.2 + 0.27 * len(order)
    figure, panels = new_figure(title, 4.4 * len(panels_of) + 2, height, len(panels_of), sharey=True)
    for panel, part in zip(panels, panels_of.values(), strict=True):
        draw_means(panel, part, "share", "name", "who", 100)
        panel.set(xlabel="% of the decisions where it is legal", xlim=(-2, 102))
        panel.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return AnalysisResult(table, figure)


@styled
def calibration(policy: Any, games: PlayedGames, bins: int = 10) -> AnalysisResult:
    """Compare the share of the win that a policy expects with what its seat won.

    A value is what the policy expects if it plays on: of games in which an agent of its name played, its own decisions
    count; of others, all do. The columns of the table, a row for each ``bin`` with a decision and one for ``all``:
    ``count``, ``expected`` (the mean), ``won`` with its interval, ``brier`` (the mean squared difference of the two).

    Args:
        policy: as of `agent_of`, with a value.
        games: the games.
        bins: how many, of equal width.

    Raises:
        ValueError: a policy that gives no value.
    """
    agent = agent_of(policy, games.rules.name)
    own = games.of(agent=agent.name)
    rows = own if len(own) else np.arange(len(games))
    values = games.answers(agent, rows).values
    if np.isnan(values).any():
        raise ValueError(_NO_VALUE.format(agent.name))
    frame = games.frame.iloc[rows].assign(expected=share_of_return(values, games.rules.num_players))
    frame = frame.assign(bin=(frame["expected"] * bins).astype(int).clip(0, bins - 1), won=frame["share"])
    frame = frame.assign(brier=(frame["expected"] - frame["won"]) ** 2).sort_values("bin", kind="stable")
    by_bin = pd.concat([frame, frame.assign(bin=-1)])
    table = means(by_bin, "won", ["bin"], rate_in_clusters)
    for column in ("expected", "brier"):
        table[column] = means(by_bin, column, ["bin"])[column]
    figure, (axes,) = new_figure(f"Calibration of {short_label(agent.name)}, {games.sample}", 5.6, 4.4)
    drawn, total = table[:-1], table.iloc[-1]
    mean, low, high = 100 * drawn[with_interval("won")].to_numpy().T
    axes.bar(100 * (drawn["bin"] + 0.5) / bins, 100 * drawn["count"] / len(rows), 90 / bins, color="0.85")
    axes.plot([0, 100], [0, 100], ":", color="grey")
    axes.errorbar(100 * drawn["expected"], mean, yerr=[mean - low, high - mean], fmt="o")
    text = f"Brier score {total['brier']:.3f}; who always\nexpects the mean has {frame['won'].var(ddof=0):.3f}"
    axes.text(0.03, 0.97, text, transform=axes.transAxes, va="top", fontsize=8.5)
    label = f"expected share of the win (%); bars: % of {len(rows):,} decisions"
    axes.set(xlabel=label, ylabel="share won (%)", xlim=(-2, 102), ylim=(-2, 102))
    table["bin"] = [f"{one / bins:.2g} to {(one + 1) / bins:.2g}" if one >= 0 else "all" for one in table["bin"]]
    return AnalysisResult(table, figure)


@styled
def values_along(game: Game | Record, policies: Sequence[Any]) -> AnalysisResult:
    """Say what policies expect at every decision of one game, for the seat that decides.

    The columns of the table, a row for each policy and decision: ``agent``, ``step``, ``player``, ``kind``,
    ``action``, ``value`` (the expected return) and ``expected``, the share of the win that it stands for.

    Args:
        game: with its past, or its record.
        policies: as of `agent_of`, with values.

    Raises:
        ValueError: a policy that gives no value.
    """
    whole = game if isinstance(game, Game) else replay(game)
    rules, agents = whole.rules, [agent_of(policy, whole.rules.name) for policy in policies]
    again, rows = Game(rules, deal=whole.deal()), []
    for step, (player, action) in enumerate(whole.actions):
        for agent in agents:
            value = annotation_of(agent, again.view(player)).value
            if value is None:
                raise ValueError(_NO_VALUE.format(agent.name))
            share = float(share_of_return(np.array(value), rules.num_players))
            rows.append((agent.name, step, player, rules.decision_kind(again.states, 0), action, value, share))
        again.act(action)
    frame = pd.DataFrame(rows, columns=["agent", "step", "player", "kind", "action", "value", "expected"])
    title = f"What is expected along a game of {rules.setup}, won by {' and '.join(whole.winners()) or 'nobody'}"
    figure, panels = new_figure(title, 2 + 4.5 * len(agents), 3.4, len(agents), sharey=True)
    for panel, agent in zip(panels, agents, strict=True):
        for number, (player, own) in enumerate(frame[frame["agent"] == agent.name].groupby("player")):
            marker = MARKERS[number % len(MARKERS)]
            panel.plot(own["step"], 100 * own["expected"], marker=marker, color=colour(number), label=player)
        plain_axes(panel, grid="y")
        panel.set(title=label_of(agent.name), xlabel="action of the game", ylim=(-2, 102))
    panels[0].set_ylabel("expected share of the win (%)")
    panels[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return AnalysisResult(frame, figure)
