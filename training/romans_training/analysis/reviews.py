"""What choices cost: what ``romans review`` says, over many games, and of one view; and what training changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from romans_agents.comparison import Comparing, share_of_return
from romans_env import Game, View
from romans_env.games import rules_of, spec_of
from romans_env.protocol import Rules, Setup
from romans_env.render.terminal import phrases_of
from romans_training.analysis.drawing import (
    AnalysisResult,
    counting,
    draw_means,
    drawn_views,
    means,
    new_figure,
    with_interval,
)
from romans_training.analysis.played_games import PlayedGames, Rows, played
from romans_training.analysis.policies import agent_of
from romans_training.analysis.questions import agreement, compared
from romans_training.annotations import annotation_of
from romans_training.evaluation import evaluate
from romans_training.figures import styled
from romans_training.game_review import Decision, ReviewError, judge_of, judged
from romans_training.run_folder import RunFolder, RunFolderError

MOST = 6
"""Snapshots that are looked at, evenly spread, the first and the last among them."""


@styled
def losses(
    games: PlayedGames, reference: Any = None, most: int = 50, rows: Rows | None = None, seed: int = 0
) -> AnalysisResult:
    """Review a sample of the decisions: what each choice was worth less than the one that a reference would make.

    A loss is a share of the win, without bias: 0 in the mean for who chooses as the reference does
    (`romans_training.game_review`). A plan is judged as a whole, where it begins. The columns of the table, whose index
    is the row of ``games.frame``, the worst first: those of `PlayedGames.frame`, ``loss``, ``error`` (its standard
    error), ``grade``, ``played`` and ``best`` (in words). Drawn are the `means` of the loss and the worst two.

    The reference is an agent that compares choices, or its spec; None: the game's reviewer (`GameSpec.reviewer`). At
    most so many decisions are reviewed, drawn evenly of all, or of some rows.
    """
    agent = agent_of(reference or spec_of(games.rules.name).reviewer, games.rules.name)
    judge, found = judge_of(agent, games.rules.name, seed), dict[int, Decision]()
    among, places = games.frame.index if rows is None else rows, games.frame[["game", "seat"]].to_numpy()
    with counting("review", min(most, len(among)), "decisions") as on_progress:
        for tried, row in enumerate(np.random.default_rng(seed).permutation(among).tolist(), 1):
            is_own = np.logical_and.accumulate((places[row:] == places[row]).all(axis=1))
            judge.seed(seed)
            try:
                found[row] = judged(judge, games.at(row), games.actions[row:][is_own].tolist())
            except ReviewError:
                # In the middle of a plan; where nothing is compared, it is not that.
                if not found and tried >= min(most, len(among)):
                    raise
            on_progress(len(found))
            if len(found) == most:
                break
    frame = games.frame.loc[list(found)]
    said = [(one.loss, one.error, one.grade, one.words[one.played], one.words[one.best]) for one in found.values()]
    frame[["loss", "error", "grade", "played", "best"]] = said
    frame = frame.sort_values("loss", ascending=False, kind="stable")
    worst = frame[:2]
    titles = [
        f"-{100 * one.loss:.0f} % of the win: {one.agent}, {one.kind}, game {one.game}, action {one.step}\n"
        f"played: {one.played[:90]}\nbetter: {one.best[:90]}"
        for one in worst.itertuples()
    ]
    bars = [_best(found[row].shares).to_frame("share of the win") for row in worst.index]
    title, above = f"What choices cost: {games.sample}, n = {len(frame):,} decisions", 1 + 0.3 * frame["kind"].nunique()
    figure, panels = drawn_views(title, [games.views[row] for row in worst.index], bars, titles, max(2.0, above))
    drawn = frame.assign(third=frame["phase"].map("third {}".format))
    for panel, by in zip(panels, ("kind", "third"), strict=False):
        draw_means(panel, means(drawn.sort_values([by, "agent"]), [by, "agent"], "loss"), "loss", by, "agent")
        panel.axvline(0, color="grey", linewidth=0.8)
        panel.set_xlabel(f"loss of a decision (% of the win), by {by}")
    panels[0].legend()
    return AnalysisResult(frame, figure)


def _best(shares: Mapping[tuple[str, ...], float]) -> pd.Series[float]:
    """Return for each action the share of the best choice that begins with it."""
    return pd.Series(shares.values(), [choice[0] for choice in shares], dtype=float).groupby(level=0).max()


@styled
def decision(view: View, policy: Any, reference: Any = None, seed: int = 0) -> AnalysisResult:
    """Show one decision: the position, the probabilities of the legal actions, and what each is worth.

    The columns of the table, a row for each legal action, the likeliest first: ``action`` (its name), ``words``,
    ``probability`` by the policy, as of `agent_of`, and ``share`` of the win that the seat may expect after it (of
    plans that begin with it, the best one), by the reference; nan for what that does not compare, as in the middle of a
    plan. The reference compares choices; None: the policy, if it does, else the game's reviewer.
    """
    game, words = view.rules.name, phrases_of(Game.of_states(view.rules, view.states), view.agent, view.legal_actions())
    if not words:
        raise ValueError(f"{view.agent} has nothing to decide in this view")
    agent = agent_of(policy, game)
    judge = judge_of(reference or (agent if isinstance(agent, Comparing) else spec_of(game).reviewer), game, seed)
    opinion = annotation_of(agent, view)
    table = pd.DataFrame({"words": words, "probability": opinion.probabilities, "share": np.nan})
    table = table.sort_values("probability", ascending=False, kind="stable").rename_axis("action")
    try:
        found = judge.compare(view, [view.action_id(table.index[0])])
        names = [tuple(map(view.action_name, choice)) for choice in found.choices]
        table["share"] = _best(dict(zip(names, found.shares.mean(axis=0).tolist(), strict=True)))
    except ValueError:  # in the middle of a plan, or on a board for which a network was not trained
        pass
    value = "" if opinion.value is None else f" expects a return of {opinion.value:+.2f}"
    title = f"{agent.name}{value}: {view.agent}, {view.rules.decision_kind(view.states, 0)}"
    bars = table[["probability", "share"]].rename(columns={"share": "share of the win after it"})
    return AnalysisResult(table.reset_index(), drawn_views(title, [view], [bars.dropna(axis=1, how="all")], [""])[0])


@styled
def progress(
    snapshots: str | Path | Mapping[int, Any],
    panel: Sequence[Any] = (),
    setup: Rules | Setup | None = None,
    deals: int = 50,
) -> AnalysisResult:
    """Say how the snapshots of a training run play: what they win, and what changed between them.

    The columns of the table: ``steps`` of the snapshot; ``what``: ``win`` (the share of the win) or ``same`` (the share
    of decisions with the same most likely action); ``beside``: of ``win`` who plays all other seats, an agent of the
    panel or ``the last``, and of ``same`` the kind of decision, in games of the last; ``count`` of deals, or of
    decisions; ``share`` with its interval.

    Snapshots are a run folder (``romans train --keep-policies``), or by number of steps what `agent_of` takes, with
    their setup. The panel are agents; none: those that the run was evaluated against. Each deal is played from every
    seat.
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
    places = np.linspace(0, len(policies) - 1, min(MOST, len(policies))).round().astype(int)
    steps = np.array(sorted(policies))[places].tolist()
    agents = {one: agent_of(policies[one], rules.name, f"after {one:,}") for one in steps}
    last, columns = agents[steps[-1]], ["steps", "what", "beside", "count", *with_interval("share")]
    others = [*(agent_of(one, rules.name) for one in panel), last]
    rows: list[list[Any]] = []
    with counting("evaluate", len(agents) * len(others), "matches") as on_progress:
        for one, agent in agents.items():
            for other in others:
                found = evaluate(agent, [other] * (rules.num_players - 1), rules, deals).mean_return
                share = share_of_return(np.array(found), rules.num_players)
                rows.append([one, "win", "the last" if other is last else other.name, deals, *share])
                on_progress(len(rows))
    games = played([last] * rules.num_players, rules, max(2, deals // 2))
    for one, agent in agents.items():
        table = agreement(compared(agent, last, games)).frame
        rows += [[one, "same", *row] for row in table[["kind", "count", *with_interval("same")]].to_numpy()]
    frame = pd.DataFrame(rows, columns=columns)
    # Kinds that are seldom asked for would hide the others.
    shown = frame[(frame["what"] == "win") | (frame["count"] >= 0.02 * frame["count"].max())]
    figure, panels = new_figure(f"What training changed: {rules.setup}", 10, 3.8, 2)
    labels = {"win": "share of the win (%)", "same": "same choice as the last (%)"}
    for axes, (what, label) in zip(panels, labels.items(), strict=True):
        draw_means(axes, shown[shown["what"] == what], "share", "steps", "beside", is_line=True)
        axes.set(xlabel="decisions of training", ylabel=label, ylim=(-2, 102))
        axes.locator_params(axis="x", nbins=5)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=8)
    return AnalysisResult(frame, figure)
