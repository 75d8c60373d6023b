"""Improves a policy of Romans Go Home! between two players by iterating: search, fit, search again.

    python -m recipes.proximal_point runs/proximal --iterations 3

Every iteration plays games of the current policy, solves their rounds with a pull towards the policy (`plan_targets`),
and fits the network to the solutions (`policy_net`). It writes `policy-N.npz` and `metrics.json` to the folder. The
same command continues a run that was stopped; solved rounds and fitted policies are not computed again.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch

from benchmarks.pages import kept
from recipes.proximal_point.decisions import together
from recipes.proximal_point.kept_decisions import kept_decisions
from recipes.proximal_point.plan_targets import Search
from recipes.proximal_point.policy_net import divergence, fit
from recipes.proximal_point.solved_parts import Work, sampling, solved_parts
from romans_agents import Policy
from romans_agents.specs.registry import policy_of
from romans_env import Table
from romans_env.core.files import write_text
from romans_env.romans_go_home.setup import SMALL_TABLE

TABLES = {"2+0": Table(2, 0), "small": SMALL_TABLE}


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--start-from", default="legate", show_default=True, help="Policy file or trained agent to start from.")
@click.option("--table", type=click.Choice(list(TABLES)), default="2+0", show_default=True, help="Setup of the games.")
@click.option("--iterations", type=click.IntRange(min=1), default=3, show_default=True, help="Total iterations.")
@click.option("--parts", type=click.IntRange(min=1), default=15, show_default=True, help="Hundreds of rounds.")
@click.option("--temperatures", default="0.05", show_default=True, help="One for each iteration.")
@click.option("--habit", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Share of the belief.")
@click.option("--floor", type=click.FloatRange(0, 1), default=0.2, show_default=True, help="Share of other plans.")
@click.option("--plausible", type=click.IntRange(min=1), default=2, show_default=True, help="Other plans of a hand.")
@click.option("--rivals", default="legate,greedy,schemer", show_default=True, help="Agents in half of the games.")
@click.option("--panel", default="legate", show_default=True, help="Policies in the belief, besides schemer.")
@click.option("--epochs", type=click.IntRange(min=1), default=4, show_default=True, help="Passes over the decisions.")
@click.option("--learning-rate", default=1e-3, show_default=True, help="Highest learning rate.")
@click.option("--kept", type=click.FloatRange(0), default=0.3, show_default=True, help="Weight of other decisions.")
@click.option("--kept-games", type=click.IntRange(min=16), default=6000, show_default=True, help="Games with them.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Random seed.")
def main(folder: Path, **options: Any) -> None:
    """Improve a policy by iterations, and write the policies and a file of metrics to FOLDER."""
    temperatures = _temperatures(options["temperatures"])
    torch.set_num_threads(options["jobs"])
    folder.mkdir(parents=True, exist_ok=True)
    first = folder / "policy-0.npz"
    if not first.exists():
        policy_of(options["start_from"]).save(first)
    for number in range(1, options["iterations"] + 1):
        if (path := folder / f"policy-{number}.npz").exists():
            continue
        begun, rng = time.perf_counter(), np.random.default_rng([options["seed"], number])
        temperature = temperatures[min(number, len(temperatures)) - 1]
        work = Work(
            folder / f"policy-{number - 1}.npz",
            TABLES[options["table"]],
            Search(temperature, options["floor"], options["habit"], plausible=options["plausible"]),
            _listed(options["rivals"]),
            _listed(options["panel"]),
            int(rng.integers(2**31)),
        )
        parts = solved_parts(work, folder / f"decisions-{number}", options["parts"] + 1, options["jobs"])
        solved, old = time.perf_counter(), Policy.load(work.policy)
        # The last part is kept for testing.
        learned, tested = together([decisions for decisions, _, _ in parts[:-1]]), parts[-1][0]
        sets = [(learned, 1.0)]
        if options["kept"]:
            others = kept_decisions(sampling(Policy.load(first), rng), options["kept_games"], work.seed)
            sets.append((others, options["kept"]))
        new = fit(old, sets, options["epochs"], options["learning_rate"], work.seed)
        line = {
            "iteration": number,
            "temperature": temperature,
            "decisions": len(learned.masks),
            "regret_before": float(np.mean([regret for _, _, regret in parts])),
            "gain_of_solutions": float(np.mean([gain for _, gain, _ in parts])),
            "divergence_before": divergence(old, tested),
            "divergence": divergence(new, tested),
            "minutes_of_search": (solved - begun) / 60,
            "minutes_of_fit": (time.perf_counter() - solved) / 60,
        }
        metrics = folder / "metrics.json"
        # A run that was stopped between the two files has the line already.
        lines = [one for one in kept(metrics) if one["iteration"] != number]
        write_text(metrics, json.dumps([*lines, line], indent=1) + "\n")
        new.save(path)
        click.echo(json.dumps(line))


def _temperatures(text: str) -> list[float]:
    try:
        found = [float(one) for one in text.split(",")]
    except ValueError:
        found = []
    if not found or not all(0 < one < float("inf") for one in found):
        raise click.UsageError(f"--temperatures needs numbers above 0, such as 0.05,0.03, not {text}")
    return found


def _listed(text: str) -> tuple[str, ...]:
    return tuple(one for one in text.split(",") if one)


if __name__ == "__main__":
    main(prog_name="python -m recipes.proximal_point")
