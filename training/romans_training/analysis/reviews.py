"""What choices cost: what ``romans review`` says, over many games, and of one view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from romans_agents.comparison import Comparing
from romans_env import View
from romans_env.games import spec_of
from romans_training.analysis.drawing import AnalysisResult, counting, draw_means, drawn_views, means, words_of
from romans_training.analysis.played_games import PlayedGames, Rows
from romans_training.analysis.policies import agent_of
from romans_training.annotations import annotation_of
from romans_training.figures import styled
from romans_training.game_review import Decision, ReviewError, judge_of, judged


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
    judge_of(agent, games.rules.name, seed)
    among, found = np.arange(len(games.frame)) if rows is None else rows, dict[int, Decision]()
    places = games.frame[["game", "seat"]].to_numpy()
    with counting("review", min(most, len(among)), "decisions") as on_progress:
        for tried, row in enumerate(np.random.default_rng(seed).permutation(among).tolist()):
            is_own = np.logical_and.accumulate((places[row:] == places[row]).all(axis=1))
            try:
                # What the judge keeps of one game is not for another.
                judge = judge_of(agent, games.rules.name, seed)
                found[row] = judged(judge, games.at(row), games.actions[row:][is_own].tolist())
            except ReviewError:
                # In the middle of a plan; where nothing is compared, it is not that.
                if not found and tried >= min(most, len(among)) - 1:
                    raise
            on_progress(len(found))
            if len(found) == most:
                break
    said = [(one.loss, one.error, one.grade, one.words[one.played], one.words[one.best]) for one in found.values()]
    frame = games.frame.iloc[list(found)].copy()
    frame[["loss", "error", "grade", "played", "best"]] = said
    frame = frame.sort_values("loss", ascending=False, kind="stable")
    worst = frame[:2]
    bars = [{"share of the win": _best(found[row].shares)} for row in worst.index]
    titles = [
        f"-{100 * one.loss:.0f} % of the win: {one.agent}, {one.kind}, game {one.game}, action {one.step}\n"
        f"played: {one.played[:90]}\nbetter: {one.best[:90]}"
        for one in worst.itertuples()
    ]
    title, above = f"What choices cost: {games.sample}, n = {len(frame):,} decisions", 1 + 0.3 * frame["kind"].nunique()
    figure = drawn_views(title, [games.views[row] for row in worst.index], bars, titles, max(2.0, above))
    drawn = frame.assign(third=frame["phase"].map("third {}".format))
    for panel, by in zip(figure.subfigs[0].subplots(1, 2), ("kind", "third"), strict=True):
        draw_means(panel, means(drawn.sort_values([by, "agent"]), [by, "agent"], "loss"), "loss", by, "agent", 100)
        panel.axvline(0, color="grey", linewidth=0.8)
        panel.set_xlabel(f"loss of a decision (% of the win), by {by}")
    panel.legend()
    return AnalysisResult(frame, figure)


def _best(shares: Mapping[tuple[str, ...], float]) -> dict[str, float]:
    """Return for each action the share of the best choice that begins with it."""
    return {choice[0]: share for choice, share in sorted(shares.items(), key=lambda one: one[1])}


@styled
def decision(view: View, policy: Any, reference: Any = None, seed: int = 0) -> AnalysisResult:
    """Show one decision: the position, the probabilities of the legal actions, and what each is worth.

    The columns of the table, a row for each legal action, the likeliest first: ``action`` (its name), ``words``,
    ``probability`` by the policy, as of `agent_of`, and ``share`` of the win that the seat may expect after it (of
    plans that begin with it, the best one), by the reference; nan for what that does not compare, as in the middle of a
    plan. The reference compares choices; None: the policy, if it does, else the game's reviewer.
    """
    game, words, shares = view.rules.name, words_of(view), dict[str, float]()
    if not words:
        raise ValueError(f"{view.agent} has nothing to decide in this view")
    agent = agent_of(policy, game)
    judge = judge_of(reference or (agent if isinstance(agent, Comparing) else spec_of(game).reviewer), game, seed)
    opinion = annotation_of(agent, view)
    probabilities = opinion.probabilities
    try:
        found = judge.compare(view, [view.action_id(max(words, key=probabilities.__getitem__))])
        names = [tuple(map(view.action_name, choice)) for choice in found.choices]
        shares = _best(dict(zip(names, found.shares.mean(axis=0).tolist(), strict=True)))
    except ValueError:  # in the middle of a plan, or on a board for which a network was not trained
        pass
    rows = [(name, words[name], probabilities[name], shares.get(name, np.nan)) for name in words]
    frame = pd.DataFrame(rows, columns=["action", "words", "probability", "share"])
    value = "" if opinion.value is None else f" expects a return of {opinion.value:+.2f}"
    title = f"{agent.name}{value}: {view.agent}, {view.rules.decision_kind(view.states, 0)}"
    bars = {"probability": probabilities} | ({"share of the win after it": shares} if shares else {})
    figure = drawn_views(title, [view], [bars], [""], above=0)
    return AnalysisResult(frame.sort_values("probability", ascending=False, kind="stable"), figure)
