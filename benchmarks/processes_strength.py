"""The strength of policies trained by one and by two processes, at equal numbers of decisions and at equal times.

    python -m benchmarks.processes_strength                                      # three seeds; an hour on two cores
    python -m benchmarks.processes_strength --page docs/research/data_parallel.md    # writes the results into the page

The single process has two threads, its default. Runs that are in the file of results are not repeated.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
from matplotlib.figure import Figure

import romans_agents
from benchmarks.pages import complete, kept, picture_of, write_generated
from benchmarks.runs import call, seconds_by_steps
from romans_agents import Policy, PolicyAgent
from romans_training.figures import save_figure, styled
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder
from romans_training.measure.evaluation import evaluate

RESULTS = Path(__file__).with_name("processes_strength.json")
LEARNERS = {"MaskablePPO": "", "self-play": "--self-play 0.75"}
STEPS = {"MaskablePPO": 8_000_000, "self-play": 2_000_000}
ENDS = {
    "one": "one process, two threads",
    "decisions": "two processes, as many decisions",
    "time": "two processes, as many seconds",
}
OPPONENTS = ("random", "greedy")
_DEALS = 1000
_SEED = 79
"""Seed of the deals, which is used by no training and no periodic evaluation."""


def measured(learner: str, end: str, seed: int, scale: float, results: Path) -> dict[str, Any]:
    """Train a run and evaluate its policy; a run "time" takes as many seconds as the run "one" with the same seed."""
    steps = int(scale * STEPS[learner])
    until = f"--steps {steps}"
    if end == "time":
        same = {"learner": learner, "end": "one", "seed": seed}
        (one,) = [run for run in kept(results) if same.items() <= run.items()]
        until = f"--minutes {one['seconds'] / 60:.4f}"
    processes = "" if end == "one" else "--processes 2"
    with tempfile.TemporaryDirectory() as folder:
        run = RunFolder(Path(folder) / "run")
        call(f"romans train {LEARNERS[learner]} {until} {processes} --seed {seed}", "--folder", str(run.path))
        seconds = seconds_by_steps(run)
        rows = [row for row in run.load_evaluations() if row["against"] == "greedy"]
        curve = [
            {
                "steps": int(row["steps"]),
                # An evaluation follows the metrics with the same number of decisions.
                "seconds": seconds.get(int(row["steps"]), 0.0),
                "win_rate": float(row["win_rate"]),
            }
            for row in rows
        ]
        policy, rules = PolicyAgent.of(Policy.load(run.policy), name="learner"), TrainConfig().rules
        won = {
            name: evaluate(policy, [romans_agents.make(name, game=rules.name)], rules, _DEALS, _SEED).win_rate
            for name in OPPONENTS
        }
    last = list(seconds)[-1]
    found = {"learner": learner, "end": end, "seed": seed, "steps": last, "seconds": seconds[last]}
    return {**found, "won": won, "curve": curve}


@click.command()
@click.option("--learner", "learners", multiple=True, type=click.Choice([*LEARNERS]), default=[*LEARNERS])
@click.option("--seeds", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--scale", type=click.FloatRange(min=0, min_open=True), default=1.0, help="Factor of the decisions.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, help="File of results.")
@click.option("--page", type=click.Path(path_type=Path), default=None, help="Only write the results into this page.")
def main(learners: tuple[str, ...], seeds: int, scale: float, results: Path, page: Path | None) -> None:
    """Train the runs that are missing in the file of results, and print the table."""
    if page is not None:
        write_generated(page, "benchmarks.processes_strength", table(kept(results)))
        draw(kept(results), picture_of(page))
        return
    runs = [(learner, end, seed) for seed in range(1, seeds + 1) for learner in learners for end in ENDS]
    work = partial(measured, scale=scale, results=results)
    click.echo(table(complete(results, ("learner", "end", "seed"), runs, work)))


def table(found: list[dict[str, Any]]) -> str:
    """Return a table with a row for each learner and end: means over the seeds, [lowest, highest] in brackets."""
    lines = [
        "| learner | | seeds | decisions | seconds | wins against random, % | against greedy, % |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for learner in LEARNERS:
        for end, title in ENDS.items():
            runs = [one for one in found if (one["learner"], one["end"]) == (learner, end)]
            if not runs:
                continue
            means = [f"{np.mean([run[name] for run in runs]):,.0f}" for name in ("steps", "seconds")]
            won = [[100 * run["won"][name][0] for run in runs] for name in OPPONENTS]
            rates = [f"{np.mean(one):.1f} [{min(one):.1f}, {max(one):.1f}]" for one in won]
            lines.append(f"| {' | '.join([learner, title, str(len(runs)), *means, *rates])} |")
    return "\n".join(lines) + "\n"


@styled
def draw(found: list[dict[str, Any]], path: Path) -> None:
    """Draw the win rate against greedy over decisions and over seconds, in a row for each learner."""
    learners = [learner for learner in LEARNERS if any(one["learner"] == learner for one in found)]
    figure = Figure(figsize=(9, 3.4 * len(learners)), layout="constrained")
    panels = figure.subplots(len(learners), 2, sharey="row", squeeze=False)
    for row, learner in zip(panels, learners, strict=True):
        for axes, unit in zip(row, ("steps", "seconds"), strict=True):
            for number, end in enumerate(("one", "decisions" if unit == "steps" else "time")):
                label = "one process, two threads" if end == "one" else "two processes"
                for run in found:
                    if (run["learner"], run["end"]) == (learner, end):
                        curve = run["curve"]
                        places = [point[unit] / (1e6 if unit == "steps" else 1) for point in curve]
                        rates = [100 * point["win_rate"] for point in curve]
                        axes.plot(places, rates, color=f"C{number}", alpha=0.8, label=label)
                        label = "_"
            axes.set(title=learner, xlabel="decisions (millions)" if unit == "steps" else "seconds")
        row[0].set_ylabel("games won against greedy, %")
        row[0].legend(loc="lower right")
    save_figure(figure, path)


if __name__ == "__main__":
    main()
