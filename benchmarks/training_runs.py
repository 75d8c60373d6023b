"""Results, over several seeds, of all training runs of up to thirty minutes that the documentation mentions.

    python -m benchmarks.training_runs                                   # all runs, seeds 0, 1 and 2: some hours
    python -m benchmarks.training_runs --run romans-go-home --run roma
    python -m benchmarks.training_runs --page docs/training/romans_train.md           # writes the results into the page
    python docs/scripts/make_figures.py                                          # and into all other pages

A run consists of the commands in a page, with another seed, followed by `romans evaluate` of its policy. Runs that are
in the file of results are not repeated, and a run of `romans train` or `romans exploit` that was stopped is resumed, so
that the measurements can be spread over several nights.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
from llvmlite.binding import get_host_cpu_name

import romans_env
from benchmarks.pages import complete, kept, write_generated
from benchmarks.runs import call, seconds_by_steps
from romans_env.core.files import json_of, read_text
from romans_training.learn.provenance import git_revision
from romans_training.learn.run_folder import RunFolder
from romans_training.measure.intervals import Estimate, mean_of_clusters
from romans_training.reporting import in_percent

RESULTS = Path(__file__).with_name("training_runs.json")
DEALS_SEED = 1000
"""Seed of the evaluation deals for seed 0. Every policy has deals of its own, so that an interval over seeds also
covers the luck of the deals."""
ENOUGH = 3
"""Smallest number of seeds for an interval; Student's t interval over two is wider than the range of a rate."""
FOLDER = Path("runs") / "training-runs"
SELF_PLAY = (
    "--opponents greedy --rollout-length 64 --epochs 1 --bfloat16 --evaluate-against greedy,schemer "
    "--evaluate-every 1000000 --no-evaluate-at-start --evaluation-deals 200 --keep-policies --minutes 4"
)
POOL = "--self-play 0.5 --snapshot-every 1000000 --exploiter-every 4000000 --exploiter-steps 500000"
PULL = "--magnet 0.1 --magnet-horizon 1000000 --entropy 0.03 --final-entropy 0.005"
METHODS = {"plain": "--self-play 1", "pool": POOL, "magnet": f"--self-play 1 {PULL}", "pool-magnet": f"{POOL} {PULL}"}
"""Plain self-play; a league of `greedy`, past policies and exploiters; the KL penalty to the running average; both."""


@dataclass(frozen=True)
class Run:
    """A training run of a page.

    Attributes:
        title: the title in the table.
        commands: the commands that train; ``{folder}`` is the run's folder, ``{seed}`` its seed.
        evaluations: `romans evaluate` commands without ``--seed`` and ``--json``, by the player's description if that
            is not just the policy.
        resume: the command that resumes a stopped run; empty if a stopped run starts again.
    """

    title: str
    commands: tuple[str, ...]
    evaluations: Mapping[str, str]
    resume: str = ""


def _trained(title: str, options: str, evaluations: Mapping[str, str]) -> Run:
    command = f"romans train {options} --seed {{seed}} --folder {{folder}}"
    return Run(title, (" ".join(command.split()),), evaluations, "romans train --folder {folder} --resume")


def _response(agent: str, options: str = "") -> Run:
    command = f"romans exploit {agent} --by learning {options}"
    return Run(
        f"`{' '.join(command.split())}`",
        (" ".join(f"{command} --seed {{seed}} --folder {{folder}}".split()),),
        {"": f"romans evaluate {{folder}}/response.npz --against {agent} --deals 2000"},
        f"romans exploit {agent} --by learning --folder {{folder}} --resume",
    )


_ROMA = "romans evaluate {player} --game roma --against"
_ROMA_POLICY = _ROMA.replace("{player}", "{folder}/policy.npz")
_ROMA_SEARCH = _ROMA.replace("{player}", "policy-rollouts:policy={folder}/policy.npz")
_AT_2_0 = "romans evaluate {folder}/policy.npz --table 2+0 --against"
RUNS: dict[str, Run] = {
    "romans-go-home": _trained("`make train`", "", {"": f"{_AT_2_0} random,greedy --table 2+1 --table 1+1"}),
    "roma": _trained(
        "`romans train --game roma`",
        "--game roma",
        {
            "": f"{_ROMA_POLICY} forum-runner,expectimax --deals 1000",
            "search of its own turn": f"{_ROMA_SEARCH} forum-runner,expectimax --deals 300",
        },
    ),
    **{
        f"self-play-{method}": _trained(
            f"self-play, {method}", f"{options} {SELF_PLAY}", {"": f"{_AT_2_0} greedy,schemer"}
        )
        for method, options in METHODS.items()
    },
    "notebook": _trained(
        "[notebook](../../notebooks/04_romans_train.ipynb), 300,000 decisions",
        "--steps 300000 --threads 1 --opponents greedy,random --num-envs 256 --minibatch-size 512 "
        "--hidden-layers 64,64 --evaluate-every 50000 --evaluation-deals 200",
        {"": f"{_AT_2_0} random,greedy"},
    ),
    "cleanrl": Run(
        "CleanRL style, 500,000 decisions",
        ("python examples/ppo_tensors.py --steps 500000 --seed {seed} --folder {folder}",),
        {"": f"{_AT_2_0} random,greedy"},
    ),
    "torchrl": Run(
        "TorchRL, 3 minutes",
        ("python examples/torchrl_ppo.py --minutes 3 --seed {seed} --folder {folder}",),
        {"": f"{_AT_2_0} random,greedy"},
    ),
    "rllib": Run(
        "RLlib, self-play, 5 minutes",
        ("python examples/rllib_ppo.py --minutes 5 --env-runners 2 --seed {seed} --folder {folder}",),
        {"": "romans evaluate examples/rllib_ppo.py:RLlibAgent:{folder} --against random,greedy --table 2+0"},
    ),
    "cloned": Run(
        "`examples/learn_from_data.py`",
        (
            "romans evaluate greedy --against greedy --table 2+0 --deals 5000 --seed 1 --records {folder}.jsonl",
            "romans export {folder}.jsonl --to parquet --out {folder}-games",
            "python examples/learn_from_data.py {folder}-games --seed {seed} --folder {folder}",
        ),
        {"": f"{_AT_2_0} greedy"},
    ),
    "exploit-greedy": _response("greedy"),
    "exploit-legate-1": _response("legate-1"),
    "exploit-legate": _response("legate", "--minutes 6"),
    # Needs an environment of its own: AgileRL cannot be installed together with the other libraries.
    "agilerl": Run(
        "AgileRL, 200,000 decisions",
        ("python examples/agilerl_ppo.py --steps 200000 --seed {seed} --folder {folder}",),
        {"": "romans evaluate examples/agilerl_ppo.py:AgileRLAgent:{folder} --against random,greedy --table 2+0"},
    ),
}


def measured(name: str, seed: int, folder: Path) -> dict[str, Any]:
    """Train with a seed, or resume, and evaluate; return a result for the file."""
    run, at = RUNS[name], folder / f"{name}-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    is_resumed = bool(run.resume) and RunFolder(at).config.exists()
    for command in (run.resume,) if is_resumed else run.commands:
        call(command.format(folder=at, seed=seed))
    seconds, decisions = time.perf_counter() - started, None
    if RunFolder(at).metrics.exists():
        decisions, seconds = max(seconds_by_steps(RunFolder(at)).items())
    revision = git_revision() or {}
    return {
        "run": name,
        "seed": seed,
        "commands": [command.format(folder="FOLDER", seed=seed) for command in run.commands],
        "decisions": decisions,
        "seconds": round(seconds, 1),
        "results": _evaluated(run, at, seed),
        "machine": {"processor": get_host_cpu_name(), "cores": os.cpu_count()},
        "version": romans_env.__version__,
        "commit": str(revision.get("commit", ""))[:7],
        "date": datetime.now(timezone.utc).date().isoformat(),
    }


def _evaluated(run: Run, folder: Path, seed: int) -> list[dict[str, Any]]:
    """Return what the players of a run win, a row for each setup and opponent; a win shared by two counts half."""
    rows, written = [], folder / "evaluated.json"
    for player, command in run.evaluations.items():
        call(f"{command.format(folder=folder)} --seed {DEALS_SEED + seed}", "--json", str(written))
        rows += [
            {
                "player": player,
                "table": one["table"],
                "against": "+".join(one["opponents"]),
                "games": one["num_games"],
                "wins": round(one["win_rate"]["mean"] + one["draw_rate"]["mean"] / 2, 6),
            }
            for one in json_of(read_text(written))
        ]
    return rows


def wins_over_seeds(found: Sequence[Mapping[str, Any]], name: str, result: Sequence[str]) -> list[float]:
    """Return the win share of a run's policy for each seed.

    Args:
        found: the results in the file.
        name: the name of the run.
        result: player (empty for the policy itself), setup and opponent.

    Raises:
        KeyError: if a result of the run lacks it.
    """
    shares = []
    for one in found:
        if one["run"] == name:
            by_match = {"/".join(_names(row)): row["wins"] for row in one["results"]}
            shares.append(by_match["/".join(result)])
    return shares


def _names(row: Mapping[str, Any]) -> list[str]:
    return [row["player"], row["table"], row["against"]]


def interval_over_seeds(shares: Sequence[float]) -> Estimate:
    """Return the mean with Student's t interval over seeds, clipped to [0, 1]."""
    return Estimate(*np.clip(mean_of_clusters(np.array(shares)[:, None]), 0.0, 1.0).tolist())


def in_words(shares: Sequence[float]) -> str:
    """Return ``88.1 [86.9, 89.3]``, in %; with fewer than three seeds ``88.1 (2 seeds)``; ``-`` without any."""
    if not shares:
        return "-"
    if len(shares) < ENOUGH:
        return f"{100 * np.mean(shares):.1f} ({len(shares)} seed{'s' * (len(shares) > 1)})"
    return in_percent(interval_over_seeds(shares))


def table(found: Sequence[Mapping[str, Any]]) -> str:
    """Return a table with a row for each result of each run, over its seeds."""
    lines = [
        "| run | minutes | decisions, million | against | seeds | wins % | lowest, highest |",
        "|---|---:|---:|---|---:|---:|---:|",
    ]
    for name, run in RUNS.items():
        of_run = [one for one in found if one["run"] == name]
        if not of_run:
            continue
        decisions = [one["decisions"] for one in of_run]
        first = [
            run.title,
            f"{np.mean([one['seconds'] for one in of_run]) / 60:.1f}",
            "" if None in decisions else f"{np.mean(decisions) / 1e6:.1f}",
        ]
        for row in of_run[0]["results"]:
            shares = wins_over_seeds(of_run, name, _names(row))
            cells = [
                *first,
                _match(row),
                str(len(shares)),
                in_words(shares),
                f"{100 * min(shares):.1f}, {100 * max(shares):.1f}" if len(shares) > 1 else "",
            ]
            lines.append(f"| {' | '.join(cells)} |")
            first = ["", "", ""]
    return "\n".join(lines) + "\n"


def _match(row: Mapping[str, Any]) -> str:
    opponent = f"`{row['against']}`" if row["against"] else "neutral clans"
    return ", ".join(part for part in (opponent, row["table"], row["player"]) if part)


@click.command()
@click.option("--run", "names", type=click.Choice(list(RUNS)), multiple=True, default=list(RUNS), help="Default: all.")
@click.option("--seeds", type=click.IntRange(min=1), default=3, show_default=True, help="Number of seeds, from 0 on.")
@click.option("--folder", type=click.Path(path_type=Path), default=FOLDER, help="Folder of the runs.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, help="File of results.")
@click.option("--page", type=click.Path(path_type=Path), default=None, help="Only write the results into this page.")
def main(names: tuple[str, ...], seeds: int, folder: Path, results: Path, page: Path | None) -> None:
    """Run what is missing in the file of results, and print all of them."""
    if page is not None:
        write_generated(page, "benchmarks.training_runs", table(kept(results)))
        return
    # All seeds of a run come before the next run.
    jobs = [(name, seed) for name in names for seed in range(seeds)]
    click.echo(table(complete(results, ("run", "seed"), jobs, partial(measured, folder=folder))))


if __name__ == "__main__":
    main()
