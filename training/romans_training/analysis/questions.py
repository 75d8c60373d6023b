"""Questions about decisions: what is chosen, where two agents differ, what is expected, what choices cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from romans_agents import Agent, agent_of
from romans_agents.searches.comparison import Comparing, share_of_return
from romans_env import Game, View
from romans_env.core.games import rules_of, spec_of
from romans_env.core.protocol import Rules, Setup
from romans_env.core.records import Record
from romans_env.render.text_interface import phrases_of
from romans_training.analysis import drawing
from romans_training.analysis.drawing import AnalysisResult, counting, draw_means, drawn_views, means, new_figure
from romans_training.analysis.played_games import PlayedGames, in_words, played
from romans_training.compare.annotations import annotation_of
from romans_training.compare.game_review import Decision, ReviewError, judge_of, judged
from romans_training.figures import MARKERS, colour, label_of, short_label, styled
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.measure.evaluation import evaluate

_FEWEST_OF_AN_INTERVAL = 5
"""Decisions with a loss: an interval of fewer would be wider than what can be lost."""


class PolicyComparison(NamedTuple):
    """What two agents would do in the same views.

    The frame has the rows of ``games.frame`` that were visited, with ``same`` (whether both are most likely to choose
    the same action) and ``distance`` (total variation: half the sum of absolute differences, 0 to 1). Probabilities are
    of every action, by each of the two: float64, shape (rows, number of actions).
    """

    games: PlayedGames
    frame: pd.DataFrame
    names: list[str]
    probabilities: list[npt.NDArray[np.float64]]
    sample: str


def compared(first: Any, second: Any, games: PlayedGames, rows: Any = None) -> PolicyComparison:
    """Ask two agents, as of `agent_of`, what they would do in positions of games that were played.

    Who played matters: in the middle of a plan, the one is asked to go on with what the other has begun. Visited are
    rows such as ``games.frame.query("kind == 'charm'").index`` or ``games.frame.sample(500).index``; None: those of
    `PlayedGames.rows_for`.
    """
    agents = [agent_of(agent, games.rules.name) for agent in (first, second)]
    frame = games.frame.loc[games.rows_for(*agents) if rows is None else rows]
    if frame.empty:
        raise ValueError("there are no decisions to compare on")
    one, other = (games.answers(agent, frame.index)[0] for agent in agents)
    frame = frame.assign(
        same=one.argmax(axis=1) == other.argmax(axis=1),
        distance=np.abs(one - other).sum(axis=1) / 2,
    )
    names = [agent.name for agent in agents]
    sample = f"{' and '.join(map(short_label, names))}, {games.sample}, n = {len(frame):,} decisions"
    return PolicyComparison(games, frame, names, [one, other], sample)


@styled
def agreement(comparison: PolicyComparison) -> AnalysisResult:
    """Say how far two agents agree, by kind of decision.

    The columns of the table, a row for ``all`` and one for each kind: ``kind``, ``count`` of decisions, ``same`` (the
    share with the same most likely action) and ``distance`` (mean total variation), with intervals. Of an agent that
    gives no probabilities, its choice has probability 1.
    """
    overall = comparison.frame.assign(kind="all")
    table = means(pd.concat([overall, comparison.frame]), ["kind"], "same", "distance")
    counts = table["count"].map(" (n = {:,})".format)
    drawn = table.assign(kind=table["kind"] + counts)
    figure, plots = new_figure(f"Agreement of {comparison.sample}", 9, 1.0 + 0.32 * len(table), 2, sharey=True)
    labels = {"same": "same choice (% of decisions)", "distance": "total variation distance (%)"}
    for axes, (column, label) in zip(plots, labels.items(), strict=True):
        draw_means(axes, drawn, column, "kind")
        axes.set(xlabel=label, xlim=(-2, 102))
    return AnalysisResult(table, figure)


@styled
def disagreements(comparison: PolicyComparison, most: int = 20, drawn: int = 3) -> AnalysisResult:
    """List the decisions where two agents differ most, by total variation; equal views are listed once.

    The columns of the table, whose index is the row of ``games.frame``: those of ``comparison.frame``, ``first`` and
    ``second`` (the action that each is most likely to choose), and ``first_of_second``, the first agent's probability
    of the other's action, with ``first_of_first`` and so on. ``games.views[row]`` and ``games.at(row)`` show more.
    Decisions in which the two do not differ are left out; drawn are some of them, one of each kind before others.
    """
    games = comparison.games
    names = np.array(games.rules.action_names)
    frame: Any = comparison.frame.query("distance > 0").sort_values("distance", ascending=False, kind="stable")
    seen = pd.Series([games.views[row].states.tobytes() for row in frame.index], frame.index, dtype=object)
    frame = frame[~seen.duplicated()].head(most).copy()

    places = comparison.frame.index.get_indexer(frame.index)
    first, second = (probabilities[places] for probabilities in comparison.probabilities)
    both = {"first": first, "second": second}
    likeliest = {label: probabilities.argmax(axis=1) for label, probabilities in both.items()}
    rows = np.arange(len(frame))
    for label, probabilities in both.items():
        frame[label] = names[likeliest[label]]
        for other in both:
            frame[f"{label}_of_{other}"] = probabilities[rows, likeliest[other]]

    # The first of each kind, then the second of each, and so on.
    order = frame.groupby("kind").cumcount().to_numpy().argsort(kind="stable")[:drawn]
    shown = frame.iloc[order]
    views = [games.views[row] for row in shown.index]
    pairs = [dict(zip(comparison.names, [first[k], second[k]], strict=True)) for k in order]
    bars = [pd.DataFrame(pair, names) for pair in pairs]
    titles = [f"{row.kind}, game {row.game}, action {row.step}" for row in shown.itertuples()]
    figure, _ = drawn_views(f"Where they differ most: {comparison.sample}", views, bars, titles)
    return AnalysisResult(frame, figure)


@styled
def choices(games: PlayedGames, reference: Any = None, drawn: int = 14) -> AnalysisResult:
    """Say how often each action is chosen where it is legal, by kind of decision, and how often a reference would.

    The columns of the table, a row for each ``agent``, ``kind`` and ``action`` that it was ever offered: ``count``
    (how many times), ``share`` of these in which it was chosen, and ``reference`` (the mean probability that the
    reference, as of `agent_of`, gives it in the same views), with intervals. Drawn are some actions: those in which an
    agent differs most from the reference; without one, those that are chosen in the most decisions. Of a reference that
    searches, the decisions are those of `PlayedGames.rows_for`.
    """
    asked = [] if reference is None else [agent_of(reference, games.rules.name)]
    visited = games.rows_for(*asked)
    by = ["agent", "kind", "action"]
    # A row for each legal action of each decision.
    rows, actions = np.nonzero(games.masks[visited])
    offered = games.frame.loc[visited[rows]].assign(
        action=np.array(games.rules.action_names)[actions],
        share=games.actions[visited][rows] == actions,
    )
    columns = {"share": "chosen"}
    for agent in asked:
        offered["reference"] = games.answers(agent, visited)[0][rows, actions]
        columns["reference"] = f"{short_label(agent.name)} would"
    table = means(offered, by, *columns)

    weight: Any = table["share"] * table["count"]
    if reference is not None:
        weight = (table["share"] - table["reference"]).abs()
    # What is seldom offered differs by chance.
    weight = weight.where(table["count"] >= min(30, table["count"].max()))
    name = [action if action.startswith(kind) else f"{kind}, {action}" for _, kind, action in table[by].to_numpy()]
    heaviest = weight.groupby(name).max().nlargest(drawn).index
    shown = table.assign(name=name)[np.isin(name, heaviest)]
    shown["name"] = pd.Categorical(shown["name"], heaviest)

    title = f"What is chosen: {games.sample}, n = {len(visited):,} decisions"
    width, height = 4.4 * len(columns) + 2, 1.4 + 0.27 * len(heaviest)
    figure, plots = new_figure(title, width, height, len(columns), sharey=True)
    for axes, (column, who) in zip(plots, columns.items(), strict=True):
        draw_means(axes, shown, column, "name", "agent")
        axes.set(xlabel=f"{who} (% of the decisions where it is legal)", xlim=(-2, 102))
    plots[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return AnalysisResult(table, figure)


def _expected(games: PlayedGames, policy: Any) -> pd.DataFrame:
    """Return decisions with ``policy``, ``value``, the expected return, and ``expected``, its share of the win."""
    agent = agent_of(policy, games.rules.name)
    rows = games.rows_for(agent)
    # Who has no values is refused before minutes of questions.
    if not np.isnan(values := games.answers(agent, rows[:1])[1]).any():
        values = games.answers(agent, rows)[1]
    if np.isnan(values).any():
        raise ValueError(f"{agent.name} gives no value: a network with a value does")
    share = share_of_return(values, games.rules.num_players)
    return games.frame.loc[rows].assign(policy=agent.name, value=values, expected=share)


def _percent_axis(shares: Any, margin: float = 2) -> tuple[float, float]:
    """Return the limits of an axis of percent that holds some shares: values may promise less than 0 or more than 1."""
    return 100 * min(0.0, np.min(shares)) - margin, 100 * max(1.0, np.max(shares)) + margin


@styled
def calibration(policy: Any, games: PlayedGames, bins: int = 10) -> AnalysisResult:
    """Compare the share of the win that a policy expects with what its seat won.

    A value is what the policy, as of `agent_of`, expects if it plays on: of games in which an agent of its name played,
    its own decisions count; of others, all do; of one that searches, those of `PlayedGames.rows_for`. The columns of
    the table, a row for each ``bin`` (of equal width) with a decision and one for ``all``: ``count``, and the means of
    what was ``expected``, what was ``won``, and their squared difference (``brier``), with intervals.
    """
    frame: Any = _expected(games, policy).sort_values("expected").rename(columns={"share": "won"})
    is_own = frame["agent"] == frame["policy"]
    if is_own.any():
        frame = frame[is_own]
    edges = (frame["expected"] * bins).astype(int).clip(0, bins - 1)
    frame["bin"] = [f"{one / bins:.2g} to {(one + 1) / bins:.2g}" for one in edges]
    frame["brier"] = (frame["expected"] - frame["won"]) ** 2
    table = means(pd.concat([frame, frame.assign(bin="all")]), ["bin"], "expected", "won", "brier")
    drawn = table[:-1]  # without "all"
    figure, (axes,) = new_figure(f"Calibration of {short_label(frame['policy'].iloc[0])}, {games.sample}", 5.6, 4.4)
    middles = 100 * (edges.unique() + 0.5) / bins
    axes.bar(middles, 100 * drawn["count"] / len(frame), 90 / bins, color="0.85")
    axes.plot([0, 100], [0, 100], ":", color="grey")
    draw_means(axes, drawn.assign(expected=100 * drawn["expected"]), "won", "expected", is_line=True)
    brier, of_the_mean = table["brier"].iloc[-1], frame["won"].var(ddof=0)
    score = f"Brier score {brier:.3f}; who always expects the mean has {of_the_mean:.3f}"
    label = f"expected share of the win (%); bars: % of {len(frame):,} decisions"
    axes.set(xlabel=label, ylabel="share won (%)", title=score, xlim=_percent_axis(drawn["expected"]), ylim=(-2, 102))
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
    title = f"What is expected along a game of {in_words(games.rules)}, won by {winners}"
    parts: list[Any] = list(frame.groupby("policy", sort=False))
    figure, plots = new_figure(title, 2 + 4.5 * len(parts), 3.4, len(parts), sharey=True)
    for axes, (name, part) in zip(plots, parts, strict=True):
        for seat, own in part.groupby("seat"):
            style: Any = {"marker": MARKERS[seat % len(MARKERS)], "color": colour(seat)}
            axes.plot(own["step"], 100 * own["expected"], label=games.rules.players[seat], **style)
        axes.set(title=label_of(name), xlabel="action of the game", ylim=_percent_axis(frame["expected"], 6))
    plots[0].set_ylabel("expected share of the win (%)")
    plots[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return AnalysisResult(frame, figure)


@styled
def losses(
    games: PlayedGames, reference: Any = None, most: int = 50, rows: Any = None, seed: int = 0
) -> AnalysisResult:
    """Review a sample of the decisions: what each choice was worth less than the one that a reference would make.

    A loss is a share of the win, without bias: 0 in the mean for who chooses as the reference does
    (`romans_training.compare.game_review`). A plan is judged as a whole, where it begins. The columns of the table,
    whose index is the row of ``games.frame``, the worst first: those of `PlayedGames.frame`, ``loss``, ``error`` (its
    standard error), ``grade``, ``played`` and ``best`` (in words). Drawn are the worst two, and the `means` of the
    loss, whose intervals need five decisions.

    The reference is an agent that compares choices, or its spec; None: the game's reviewer (`GameSpec.reviewer`). At
    most so many decisions are reviewed, drawn evenly of all, or of some rows.
    """
    agent = agent_of(reference or spec_of(games.rules.name).reviewer, games.rules.name)
    found = _judged_decisions(games, agent, games.frame.index if rows is None else rows, most, seed)
    frame = games.frame.loc[list(found)]
    said = [(one.loss, one.error, one.grade, one.words[one.played], one.words[one.best]) for one in found.values()]
    frame[["loss", "error", "grade", "played", "best"]] = said
    frame = frame.sort_values("loss", ascending=False, kind="stable")
    worst = frame.index[:2]
    says = "-{loss:.0%}: {agent}, {kind}, game {game}, action {step}\nplayed: {played:.90}\nbetter: {best:.90}"
    titles = [says.format(**frame.loc[row]) for row in worst]
    bars = [_best(found[row].shares).to_frame("share of the win") for row in worst]
    title = f"What choices cost: {games.sample}, n = {len(frame):,} decisions"
    above = max(2.0, 1 + 0.3 * frame["kind"].nunique())
    figure, plots = drawn_views(title, [games.views[row] for row in worst], bars, titles, above)
    columns = {"kind": "kind", "phase": "third of the game"}
    for axes, (by, words) in zip(plots, columns.items(), strict=False):
        draw_means(axes, _drawn_losses(frame, by), "loss", by, "agent")
        axes.axvline(0, color="grey", linewidth=0.8)
        axes.set_xlabel(f"loss (% of the win), by {words}")
    plots[0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    return AnalysisResult(frame, figure)


def _judged_decisions(games: PlayedGames, agent: Any, among: Any, most: int, seed: int) -> dict[int, Decision]:
    """Return up to ``most`` decisions of the rows ``among``, in random order, as the agent judges them; by row."""
    judge = judge_of(agent, games.rules.name, seed)
    order = np.random.default_rng(seed).permutation(among).tolist()
    seats = games.frame[["game", "seat"]].to_numpy()
    fewest = min(most, len(order))
    found: dict[int, Decision] = {}
    with counting("review", fewest, "decisions") as on_progress:
        for tried, row in enumerate(order, 1):
            # What the same seat chose from here on, until another one decided.
            is_own = np.logical_and.accumulate((seats[row:] == seats[row]).all(axis=1))
            chosen = games.actions[row:][is_own].tolist()
            agent.seed(seed)  # as for every game that is reviewed
            try:
                found[row] = judged(judge, games.at(row), chosen)
            except ReviewError:
                # In the middle of a plan; where nothing is compared, it is not that.
                if not found and tried >= fewest:
                    raise
            on_progress(len(found))
            if len(found) == most:
                break
    return found


def _drawn_losses(frame: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return the mean losses as they are drawn: within the whole win, and without an interval of few decisions."""
    table = means(frame.sort_values([by, "agent"]), [by, "agent"], "loss")
    ends = drawing.with_interval("loss")[1:]
    table[ends] = table[ends].clip(-1.0, 1.0)
    table.loc[table["count"] < _FEWEST_OF_AN_INTERVAL, ends] = np.nan
    counts = table.groupby(by)["count"].transform("sum")
    table[by] = [f"{one} (n = {count:,})" for one, count in zip(table[by], counts, strict=True)]
    return table


def _best(shares: Mapping[tuple[str, ...], float]) -> pd.Series:
    """Return for each action the share of the best choice that begins with it."""
    first: Any = pd.Series(shares.values(), [choice[0] for choice in shares], dtype=float).groupby(level=0)
    return first.max()


@styled
def decision(view: View, policy: Any, reference: Any = None, seed: int = 0) -> AnalysisResult:
    """Show one decision: the position, the probabilities of the legal actions, and what each is worth.

    The columns of the table, a row for each legal action, the likeliest first: ``action`` (its name), ``words``,
    ``probability`` by the policy, as of `agent_of`, and ``share`` of the win that the seat may expect after it (of
    plans that begin with it, the best one), by the reference; nan for what that does not compare, as in the middle of a
    plan. The reference compares choices; None: the policy, if it does, else the game's reviewer.
    """
    game = view.rules.name
    words = phrases_of(Game.of_states(view.rules, view.states), view.agent, view.legal_actions())
    if not words:
        raise ValueError(f"{view.agent} has nothing to decide in this view")
    agent = agent_of(policy, game)
    by_default = agent if isinstance(agent, Comparing) else spec_of(game).reviewer
    judge = judge_of(reference or by_default, game, seed)
    opinion = annotation_of(agent, view)
    table = pd.DataFrame({"words": words, "probability": opinion.probabilities, "share": np.nan})
    table = table.sort_values("probability", ascending=False, kind="stable").rename_axis("action")
    try:
        found = judge.compare(view, [view.action_id(table.index[0])])
        names = [tuple(map(view.action_name, choice)) for choice in found.choices]
        shares = found.shares.mean(axis=0).tolist()
        table["share"] = _best(dict(zip(names, shares, strict=True)))
    except ValueError:  # in the middle of a plan, or on a board for which a network was not trained
        pass
    value = "" if opinion.value is None else f" expects a return of {opinion.value:+.2f}"
    title = f"{agent.name}{value}: {view.agent}, {view.rules.decision_kind(view.states, 0)}"
    shown: Any = table[["probability", "share"]]
    bars = shown.rename(columns={"share": "share of the win after it"})
    figure, _ = drawn_views(title, [view], [bars.dropna(axis=1, how="all")], [""])
    return AnalysisResult(table.reset_index(), figure)


@styled
def progress(
    snapshots: Any, panel: Sequence[Any] = (), setup: Rules | Setup | None = None, deals: int = 50
) -> AnalysisResult:
    """Say how snapshots of a training run play, six at most, evenly spread: what they win, and what changed.

    The columns of the table: ``steps`` of the snapshot; ``what``: ``win`` (the share of the win) or ``same`` (the share
    of decisions with the same most likely action); ``beside``: of ``win`` who plays all other seats, an agent of the
    panel or ``the last``, and of ``same`` the kind of decision, in games of the last; ``count`` of deals, or of
    decisions; ``share`` with its interval. Snapshots are a run folder (``romans train --keep-policies``), or by number
    of steps what `agent_of` takes, with their setup. No panel: the agents that the run was evaluated against.
    """
    if isinstance(snapshots, Mapping):
        if setup is None or not snapshots:
            raise ValueError("snapshots by their steps, one or more, need a setup")
        rules, policies = rules_of(setup), dict(snapshots)
    else:
        run = RunFolder(Path(snapshots))
        config = run.load_config()
        rules, panel = config.rules, panel or config.evaluate_against or config.pool
        policies = {int(path.stem): path for path in run.policies.glob("*.npz")}
        if not policies:
            raise RunFolderError(f"{run.path} has no snapshots: train with --keep-policies")
    places = np.linspace(0, len(policies) - 1, min(6, len(policies))).round().astype(int)
    steps = np.array(sorted(policies))[places].tolist()
    agents = {one: agent_of(policies[one], rules.name, f"after {one:,}") for one in steps}
    panel = [agent_of(one, rules.name) for one in panel]
    rows = [*_wins(agents, panel, rules, deals), *_same_choices(agents, rules, deals)]
    frame = pd.DataFrame(rows, columns=["steps", "what", "beside", "count", *drawing.with_interval("share")])
    # Kinds that are seldom asked for would hide the others.
    shown = frame[(frame["what"] == "win") | (frame["count"] >= 0.02 * frame["count"].max())]
    figure, plots = new_figure(f"What training changed: {in_words(rules)}", 10, 3.8, 2)
    labels = {"win": "share of the win (%)", "same": "same choice as the last (%)"}
    for axes, (what, label) in zip(plots, labels.items(), strict=True):
        draw_means(axes, shown[shown["what"] == what], "share", "steps", "beside", is_line=True)
        axes.set(xlabel="decisions of training", ylabel=label, ylim=(-2, 102))
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=8)
    return AnalysisResult(frame, figure)


def _wins(agents: Mapping[int, Agent], panel: Sequence[Agent], rules: Rules, deals: int) -> list[list[Any]]:
    """Return rows of `progress`: what each snapshot wins against each agent of the panel, and against the last one."""
    last = list(agents.values())[-1]
    others = [*panel, last]
    rows: list[list[Any]] = []
    with counting("evaluate", len(agents) * len(others), "matches") as on_progress:
        for steps, agent in agents.items():
            for other in others:
                found = evaluate(agent, [other] * (rules.num_players - 1), rules, deals).mean_return
                share = share_of_return(np.array(found), rules.num_players)
                rows.append([steps, "win", "the last" if other is last else other.name, deals, *share])
                on_progress(len(rows))
    return rows


def _same_choices(agents: Mapping[int, Agent], rules: Rules, deals: int) -> list[list[Any]]:
    """Return rows of `progress`: how often each snapshot chooses as the last one does, by kind of decision."""
    last = list(agents.values())[-1]
    games = played([last] * rules.num_players, rules, max(2, deals // 2))
    rows: list[list[Any]] = []
    for steps, agent in agents.items():
        table = agreement(compared(agent, last, games)).frame
        columns = table[["kind", "count", *drawing.with_interval("same")]]
        rows += [[steps, "same", *row] for row in columns.to_numpy()]
    return rows
