"""The return that a trained policy expects, along a game and over many."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from notebooks.anatomy import drawing
from notebooks.anatomy.analysis_result import AnalysisResult, table_of, with_interval
from notebooks.anatomy.sampling import PlayedGames
from romans_training.figures import colour
from romans_training.intervals import mean_in_clusters

_OUTCOMES = {"won": "-", "not won": "--"}


def _value_by_turn_figure(result: AnalysisResult) -> Figure:
    agents = list(dict.fromkeys(result.frame["agent"]))
    figure, panels = drawing.new_figure(
        f"Value over the turns: {result.sample}", max(7.0, 1.0 + 5.0 * len(agents)), 3.8, len(agents), sharey=True
    )
    last = int(result.frame["turn"].max())
    rounds = range(1, int(result.frame["round"].max()) + 1)
    for panel, agent in zip(panels, agents, strict=True):
        for k, (outcome, line) in enumerate(_OUTCOMES.items()):
            ink, marker = colour(k), drawing.MARKERS[k]
            own = result.frame[(result.frame["agent"] == agent) & (result.frame["outcome"] == outcome)]
            for number in rounds:
                part = own[own["round"] == number]
                place = (number - 1) * (last + 1) + part["turn"].to_numpy()
                mean, low, high = part[with_interval("value")].to_numpy().T
                label = f"games it {'won' if outcome == 'won' else 'did not win'}" if number == 1 else None
                panel.plot(place, mean, line, color=ink, marker=marker, markersize=4, linewidth=1.3, label=label)
                # Of one deal there is no interval.
                known = np.isfinite(low)
                panel.fill_between(place[known], low[known], high[known], color=ink, alpha=0.18, linewidth=0)
        _mark_rounds(panel, [(number - 1) * (last + 1) - 0.5 for number in rounds], "round ")
        turns = range(last + 1)
        panel.set_xticks([(number - 1) * (last + 1) + turn for number in rounds for turn in turns])
        panel.set_xticklabels(["P" if turn == 0 else str(turn) for _ in rounds for turn in turns])
        panel.axhline(0, color="grey", linewidth=0.7)
        drawing.plain_axes(panel, grid="y")
        panel.set_xlabel("turn (P: planning)", fontsize=9)
        panel.set_title(drawing.label_of(agent), fontsize=9)
    panels[0].set_ylabel("expected return", fontsize=9)
    drawing.legend_below(figure, panels[0])
    return figure


def _value_along_game_figure(result: AnalysisResult) -> Figure:
    figure, (axes,) = drawing.new_figure(f"Value along a game: {result.sample}", 8.0, 3.6)
    for k, (agent, own) in enumerate(result.frame.groupby("agent", sort=False)):
        label = f"{drawing.label_of(agent)}, return {own['return'].iloc[0]:+.2g}"
        axes.plot(own["step"], own["value"], marker=drawing.MARKERS[k % 4], label=label)
    starts = result.frame.groupby("round")["step"].min()
    _mark_rounds(axes, [step - 0.5 for step in starts], "round ")
    axes.axhline(0, color="grey", linewidth=0.7)
    drawing.plain_axes(axes, grid="y")
    axes.set_xlabel("decision", fontsize=9)
    axes.set_ylabel("expected return", fontsize=9)
    axes.legend(frameon=False, fontsize=9)
    return figure


def _mark_rounds(axes, places: list[float], name: str) -> None:  # type: ignore[no-untyped-def]
    for number, place in enumerate(places, 1):
        axes.axvline(place, color="0.7", linewidth=0.8, linestyle=":")
        axes.annotate(
            f"{name}{number}", (place, 1.0), (4, -2), xycoords=("data", "axes fraction"), textcoords="offset points",
            va="top", fontsize=8, color="0.35",
        )  # fmt: skip


def value_by_turn(games: PlayedGames) -> AnalysisResult:
    """The mean value at the decisions of each turn, apart for games that the agent won and did not win.

    The columns of the table, a row for each agent with a value, outcome, round and turn with a decision: ``agent``,
    ``outcome`` (``won``, ``not won``; a win is a win alone), ``round``, ``turn`` (0 while planning), ``decisions``,
    ``value`` with its interval, ``return`` (mean of the same decisions).

    Args:
        games: the games.

    Raises:
        ValueError: no agent has a value.
    """
    _check_values(games)
    returns = games.returns[games.game, games.seat]
    deals, turns = games.deal[games.game], games.views["turn"]
    rows = []
    for k in np.unique(games.agent[np.isfinite(games.values)]):
        for outcome in _OUTCOMES:
            of_outcome = (games.agent == k) & ((returns == 1.0) == (outcome == "won"))
            for round_index in range(games.rules.setup.num_rounds):
                for turn in range(games.rules.setup.line_size + 1):
                    here = of_outcome & (games.views["round_index"] == round_index) & (turns == turn)
                    if here.any():
                        value = mean_in_clusters(games.values[here], deals[here])
                        mean_return = float(returns[here].mean())
                        place = (games.labels[k], outcome, round_index + 1, turn, int(here.sum()))
                        rows.append((*place, *value, mean_return))
    frame = table_of(rows, ["agent", "outcome", "round", "turn", "decisions", *with_interval("value"), "return"])
    count = int(np.isfinite(games.values).sum())
    return AnalysisResult(frame, f"{games.sample}, n = {count:,} decisions", _value_by_turn_figure)


def value_along_game(games: PlayedGames, game: int) -> AnalysisResult:
    """The value at every decision of one game, of the agents that have a value.

    The columns of the table, a row for each decision: ``step``, ``seat``, ``agent``, ``round``, ``turn``, ``kind``,
    ``value``, ``return`` (the agent's, at the end of the game).

    Args:
        games: the games.
        game: number of the game in them.

    Raises:
        ValueError: no such game, or no agent that has a value.
    """
    if not 0 <= game < len(games.states):
        raise ValueError(f"there is no game {game}; they run from 0 to {len(games.states) - 1}")
    _check_values(games)
    rows = np.flatnonzero((games.game == game) & np.isfinite(games.values))
    frame = table_of(
        {
            **games.columns(rows, "step", "seat", "agent", "round", "turn", "kind"),
            "value": games.values[rows],
            "return": games.returns[game, games.seat[rows]],
        }
    )
    sample = f"{games.rules.setup}, game {game} (deal {games.deal[game]}), n = {rows.size} decisions"
    return AnalysisResult(frame, sample, _value_along_game_figure)


def _check_values(games: PlayedGames) -> None:
    if not np.isfinite(games.values).any():
        raise ValueError(f"none of {', '.join(games.labels)} has a value: only trained policies have")
