"""How training moved a policy: its snapshots against a panel and against the last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from romans_agents.comparison import share_of_return
from romans_env.games import rules_of
from romans_env.protocol import Rules, Setup
from romans_training.analysis.drawing import AnalysisResult, counting, new_figure, with_interval
from romans_training.analysis.played_games import played
from romans_training.analysis.policies import agent_of
from romans_training.analysis.two_agents import agreement, compared
from romans_training.evaluation import evaluate
from romans_training.figures import MARKERS, colour, label_of, styled
from romans_training.run_folder import RunFolder, RunFolderError

MOST = 6
"""Snapshots that are looked at, evenly spread, the first and the last among them."""


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
    known = sorted(policies)
    steps = [known[place] for place in sorted(set(np.linspace(0, len(known) - 1, MOST).round().astype(int).tolist()))]
    agents = [agent_of(policies[one], rules.name, f"after {one:,}") for one in steps]
    others = [*(agent_of(one, rules.name) for one in panel), agents[-1]]
    rows: list[tuple[Any, ...]] = []
    with counting("evaluate", len(agents) * len(others), "matches") as on_progress:
        for one, agent in zip(steps, agents, strict=True):
            for other in others:
                found = evaluate(agent, [other] * (rules.num_players - 1), rules, deals).mean_return
                name = "the last" if other is agents[-1] else other.name
                share = share_of_return(np.array(found), rules.num_players)
                rows.append((one, "win", name, deals, *share))
                on_progress(len(rows))
    games = played([agents[-1]] * rules.num_players, rules, max(2, deals // 2))
    for one, agent in zip(steps, agents, strict=True):
        table = agreement(compared(agent, agents[-1], games)).frame
        table = table[["kind", "count", *with_interval("same")]]
        rows += [(one, "same", *row) for row in table.itertuples(index=False)]
    frame = pd.DataFrame(rows, columns=["steps", "what", "beside", "count", *with_interval("share")])
    # Kinds that are seldom asked for would hide the others.
    shown = frame[(frame["what"] == "win") | (frame["count"] >= 0.02 * frame["count"].max())]
    figure, panels = new_figure(f"What training changed: {rules.setup}", 10, 3.8, 2)
    labels = {"win": "share of the win (%)", "same": "same choice as the last (%)"}
    for axes, (what, label) in zip(panels, labels.items(), strict=True):
        for number, (name, own) in enumerate(shown[shown["what"] == what].groupby("beside", sort=False)):
            mean, low, high = 100 * own[with_interval("share")].to_numpy().T
            errors = np.clip([mean - low, high - mean], 0, 100) if name == "all" or what == "win" else None
            line = ("-" if number < len(MARKERS) else "--") + MARKERS[number % len(MARKERS)]
            axes.errorbar(own["steps"], mean, errors, fmt=line, color=colour(number), label=label_of(name))
        axes.set(xlabel="decisions of training", ylabel=label, ylim=(-2, 102))
        axes.locator_params(axis="x", nbins=5)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=8)
    return AnalysisResult(frame, figure)
