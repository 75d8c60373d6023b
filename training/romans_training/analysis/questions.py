"""Analyses of decisions: what is chosen, where two agents differ, expected returns, and the cost of choices."""

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
"""Smallest number of decisions for an interval of the loss; with fewer it would be wider than the possible losses."""


class PolicyComparison(NamedTuple):
    """The action probabilities of two agents in the same views.

    Attributes:
        games: the games.
        frame: the rows of ``games.frame`` that were compared, with ``same`` (whether both have the same most likely
            action) and ``distance`` (total variation: half the sum of absolute differences, from 0 to 1).
        names: the names of the two agents.
        probabilities: of every action, for each of the two agents: float64, shape ``(rows, num_actions)``.
        sample: a description of the sample, for titles.
    """

    games: PlayedGames
    frame: pd.DataFrame
    names: list[str]
    probabilities: list[npt.NDArray[np.float64]]
    sample: str


def compared(first: Any, second: Any, games: PlayedGames, rows: Any = None) -> PolicyComparison:
    """Ask two agents for their action probabilities in positions of games that were played.

    It matters who played the games: in the middle of a plan, an agent has to continue what another one has begun.

    Args:
        first: an agent, as for `agent_of`.
        second: the other agent.
        games: the games.
        rows: the rows to compare on, such as ``games.frame.query("kind == 'charm'").index`` or
            ``games.frame.sample(500).index``; None for `PlayedGames.rows_for`.

    Raises:
        ValueError: if there are no rows.
    """
    agents = [agent_of(agent, games.rules.name) for agent in (first, second)]
    frame = games.frame.loc[games.rows_for(*agents) if rows is None else rows]
    if frame.empty:
        raise ValueError("there are no decisions to compare the agents on")
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
    """Measure how much two agents agree, by kind of decision.

    The table has a row for ``all`` decisions and one for each kind: ``kind``, ``count`` of decisions, ``same`` (the
    share with the same most likely action) and ``distance`` (mean total variation), with intervals. An agent without
    probabilities has probability 1 for its choice.
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
    """List the decisions on which two agents differ most, by total variation; equal views are listed once.

    The index of the table is the row of ``games.frame``, and it has the columns of ``comparison.frame``, ``first`` and
    ``second`` (each agent's most likely action), and the probabilities of these actions, such as ``first_of_second``:
    the first agent's probability of the second agent's action. ``games.views[row]`` and ``games.at(row)`` show more of
    a row. Decisions on which the two agree entirely are left out.

    Args:
        comparison: the comparison.
        most: the largest number of decisions to list.
        drawn: the number of decisions in the figure, from as many kinds of decisions as possible.
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
    """Measure how often each action is chosen when it is legal, by kind of decision, and compare with a reference.

    The table has a row for each ``agent``, ``kind`` and ``action`` that was ever legal: ``count`` (the number of times
    it was legal), ``share`` of these in which it was chosen, and ``reference`` (the mean probability that the reference
    gives it in the same views), with intervals. The figure has the actions on which the agents differ most from the
    reference; without one, the actions that were chosen most often.

    Args:
        games: the games.
        reference: an agent, as for `agent_of`; if it searches, the decisions are those of `PlayedGames.rows_for`. None
            for no comparison.
        drawn: the number of actions in the figure.
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
    # Shares of rarely legal actions differ by chance.
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
    """Return decisions with ``policy``, ``value`` (the expected return) and ``expected`` (as a win share)."""
    agent = agent_of(policy, games.rules.name)
    rows = games.rows_for(agent)
    # One row first, so that an agent without values is refused before minutes of computation.
    if not np.isnan(values := games.answers(agent, rows[:1])[1]).any():
        values = games.answers(agent, rows)[1]
    if np.isnan(values).any():
        raise ValueError(f"{agent.name} has no value estimates; name a network with a value head")
    share = share_of_return(values, games.rules.num_players)
    return games.frame.loc[rows].assign(policy=agent.name, value=values, expected=share)


def _percent_axis(shares: Any, margin: float = 2) -> tuple[float, float]:
    """Return the limits of a percent axis for some shares; expected shares may be below 0 or above 1."""
    return 100 * min(0.0, np.min(shares)) - margin, 100 * max(1.0, np.max(shares)) + margin


@styled
def calibration(policy: Any, games: PlayedGames, bins: int = 10) -> AnalysisResult:
    """Compare the win share that a policy expects with the win share that its seat achieved.

    The value is the policy's own expectation if it plays on. Therefore, if an agent of its name played in the games,
    only that agent's decisions count; otherwise all do. If the policy searches, the decisions are sampled as in
    `PlayedGames.rows_for`. The table has a row for each nonempty ``bin`` (of equal width) and one for ``all``:
    ``count``, and the means of ``expected``, ``won``, and their squared difference (``brier``), with intervals.

    Args:
        policy: the policy, as for `agent_of`.
        games: the games.
        bins: the number of bins.

    Raises:
        ValueError: if the policy has no value estimates.
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
    """Plot the returns that policies expect along one game, each for the seat to act.

    The table has a row for each policy and decision: the columns of `PlayedGames.frame`, ``policy``, ``value`` (the
    expected return) and ``expected`` (the corresponding win share).

    Args:
        game: the game with its past, or its record.
        policies: policies, as for `agent_of`.

    Raises:
        ValueError: if a policy has no value estimates.
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
    """Review a sample of decisions: how much less each choice was worth than the choice of a reference.

    The loss is a difference of expected win shares and unbiased: its mean is 0 for an agent that chooses like the
    reference (`romans_training.compare.game_review`). A plan is judged as a whole, where it begins. The index of the
    table is the row of ``games.frame``, costliest decisions first; it has the columns of `PlayedGames.frame`, ``loss``,
    ``error`` (its standard error), ``grade``, ``played`` and ``best`` (in words). The figure has the two worst
    decisions and the mean losses, with intervals for groups of at least five decisions.

    Args:
        games: the games.
        reference: an agent that compares choices, or its spec; None for the game's reviewer (`GameSpec.reviewer`).
        most: the largest number of decisions to review, drawn evenly.
        rows: the rows to draw from; None for all.
        seed: seed of the sample and of the reviews.
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
    """Return up to ``most`` decisions drawn from the rows ``among``, judged by the agent, by row."""
    judge = judge_of(agent, games.rules.name, seed)
    order = np.random.default_rng(seed).permutation(among).tolist()
    seats = games.frame[["game", "seat"]].to_numpy()
    fewest = min(most, len(order))
    found: dict[int, Decision] = {}
    with counting("review", fewest, "decisions") as on_progress:
        for tried, row in enumerate(order, 1):
            # The choices of the same seat from here on, until another seat decided.
            is_own = np.logical_and.accumulate((seats[row:] == seats[row]).all(axis=1))
            chosen = games.actions[row:][is_own].tolist()
            agent.seed(seed)  # as at the start of a review of a game
            try:
                found[row] = judged(judge, games.at(row), chosen)
            except ReviewError:
                # A row in the middle of a plan is skipped; but if no row can be judged, there is another reason.
                if not found and tried >= fewest:
                    raise
            on_progress(len(found))
            if len(found) == most:
                break
    return found


def _drawn_losses(frame: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return the mean losses for the figure: clipped to [-1, 1], and without intervals for few decisions."""
    table = means(frame.sort_values([by, "agent"]), [by, "agent"], "loss")
    ends = drawing.with_interval("loss")[1:]
    table[ends] = table[ends].clip(-1.0, 1.0)
    table.loc[table["count"] < _FEWEST_OF_AN_INTERVAL, ends] = np.nan
    counts = table.groupby(by)["count"].transform("sum")
    table[by] = [f"{one} (n = {count:,})" for one, count in zip(table[by], counts, strict=True)]
    return table


def _best(shares: Mapping[tuple[str, ...], float]) -> pd.Series:
    """Return, for each action, the win share of the best choice that begins with it."""
    first: Any = pd.Series(shares.values(), [choice[0] for choice in shares], dtype=float).groupby(level=0)
    return first.max()


@styled
def decision(view: View, policy: Any, reference: Any = None, seed: int = 0) -> AnalysisResult:
    """Show one decision: the position, and the probability and expected win share of each legal action.

    The table has a row for each legal action, likeliest first: ``action`` (its name), ``words``, ``probability`` (the
    policy's), and ``share``: the win share that the seat can expect after it, or after the best plan that begins with
    it, according to the reference; NaN if the reference does not compare it, for instance in the middle of a plan.

    Args:
        view: the view of the seat to act.
        policy: the policy, as for `agent_of`.
        reference: an agent that compares choices; None for the policy if it does, else the game's reviewer.
        seed: seed of the reference.

    Raises:
        ValueError: if the seat has no decision in this view.
    """
    game = view.rules.name
    words = phrases_of(Game.of_states(view.rules, view.states), view.agent, view.legal_actions())
    if not words:
        raise ValueError(f"{view.agent} has no decision in this view; give a view of the seat to act")
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
    except ValueError:  # in the middle of a plan, or on a board that a network was not trained for
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
    """Show how snapshots of a training run play: what they win, and how their choices change.

    At most six snapshots are used, evenly spread. The table has the columns ``steps`` of the snapshot; ``what``:
    ``win`` (the win share) or ``same`` (the share of decisions with the same most likely action as the last snapshot);
    ``beside``: for ``win``, the agent in all other seats, from the panel or ``the last``, and for ``same``, the kind of
    decision, in games of the last snapshot; ``count`` of deals or decisions; and ``share`` with its interval.

    Args:
        snapshots: a run folder (``romans train --keep-policies``), or agents as for `agent_of` by number of steps.
        panel: the opponents; empty for the opponents that the run was evaluated against.
        setup: the game, as its rules or its setup; only if ``snapshots`` is not a run folder.
        deals: the number of deals in each evaluation.

    Raises:
        ValueError: if snapshots by steps are empty, or have no setup.
        RunFolderError: if the run has no snapshots.
    """
    if isinstance(snapshots, Mapping):
        if setup is None or not snapshots:
            raise ValueError("give at least one snapshot; snapshots by steps need a setup")
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
    # Rare kinds of decisions would hide the others.
    shown = frame[(frame["what"] == "win") | (frame["count"] >= 0.02 * frame["count"].max())]
    figure, plots = new_figure(f"What training changed: {in_words(rules)}", 10, 3.8, 2)
    labels = {"win": "share of the win (%)", "same": "same choice as the last (%)"}
    for axes, (what, label) in zip(plots, labels.items(), strict=True):
        draw_means(axes, shown[shown["what"] == what], "share", "steps", "beside", is_line=True)
        axes.set(xlabel="decisions of training", ylabel=label, ylim=(-2, 102))
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=8)
    return AnalysisResult(frame, figure)


def _wins(agents: Mapping[int, Agent], panel: Sequence[Agent], rules: Rules, deals: int) -> list[list[Any]]:
    """Return rows of `progress`: each snapshot's win share against each agent of the panel and the last snapshot."""
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
    """Return rows of `progress`: how often each snapshot chooses like the last one, by kind of decision."""
    last = list(agents.values())[-1]
    games = played([last] * rules.num_players, rules, max(2, deals // 2))
    rows: list[list[Any]] = []
    for steps, agent in agents.items():
        table = agreement(compared(agent, last, games)).frame
        columns = table[["kind", "count", *drawing.with_interval("same")]]
        rows += [[steps, "same", *row] for row in columns.to_numpy()]
    return rows
