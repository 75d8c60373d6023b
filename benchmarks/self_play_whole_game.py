"""Methods of self-play on the whole game at equal time, judged by a tournament and by responses: `docs/self_play.md`.

    python -m benchmarks.self_play_whole_game --minutes 5 --response-minutes 4 --folder runs/whole
    python -m benchmarks.self_play_whole_game --minutes 3 --threads 1 --by search --seeds 3 --method magnet \\
        --method magnet-critic --folder runs/recipes

Every method trains at 2+0 for the same time on the same cores, one after the other; then a response is trained to each
final policy, and all of them meet in a tournament. It runs the commands that a user would and prints them; what is in
the folder is not done again. With ``--by search`` every method trains with several seeds, and each policy is judged
alone: by its wins against scripted agents and by the response by search.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import click
import numpy as np
from matplotlib.figure import Figure

import romans_agents
from benchmarks.runs import call, seconds_by_steps
from romans_env.files import write_text
from romans_env.games import DEFAULT_GAME, spec_of
from romans_env.protocol import Rules
from romans_training.evaluation import evaluate
from romans_training.exploit import search_response, win_share
from romans_training.figures import colour, save_figure, styled
from romans_training.intervals import Estimate, mean_of_clusters
from romans_training.reporting import in_percent
from romans_training.run_folder import RunFolder

COMMON = (
    "--opponents greedy --rollout-length 64 --epochs 1 --bfloat16 --evaluate-against greedy,schemer "
    "--evaluate-every 1000000 --no-evaluate-at-start --evaluation-deals 200 --keep-policies"
)
POOL = "--self-play 0.5 --snapshot-every 1000000 --exploiter-every 4000000 --exploiter-steps 500000"
PULL = "--magnet 0.1 --magnet-horizon 1000000 --entropy 0.03 --final-entropy 0.005"
METHODS = {"plain": "--self-play 1", "pool": POOL, "magnet": f"--self-play 1 {PULL}", "pool-magnet": f"{POOL} {PULL}"}
"""Plain self-play; a league of `greedy`, the past and exploiters; the pull to the running average; both."""
RECIPES = {"magnet-critic": f"--self-play 1 {PULL} --full-state-critic"}
"""The pull with a critic of the full state."""
JUDGES = ("greedy", "schemer")
"""Scripted agents that each policy meets with ``--by search``."""
JUDGEMENT_SEED = 3_000_000
"""Of the deals on which it meets them."""
REFEREES = ("greedy", "mixer", "schemer")
"""Scripted agents that take part in the tournament."""


@styled
def drawn(folders: dict[str, Path]) -> Figure:
    """The win rate against each fixed opponent by minutes of training, a curve for each method."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    plots = figure.subplots(1, 2, sharey=True)
    for number, (method, folder) in enumerate(folders.items()):
        seconds, rows = seconds_by_steps(RunFolder(folder)), RunFolder(folder).load_evaluations()
        for axes, opponent in zip(plots, ("greedy", "schemer"), strict=True):
            found = [row for row in rows if row["against"] == opponent]
            minutes = [seconds[int(row["steps"])] / 60 for row in found]
            rates = [[100 * float(row[f"win_rate{end}"]) for row in found] for end in ("", "_low", "_high")]
            axes.plot(minutes, rates[0], color=colour(number), label=method)
            axes.fill_between(minutes, *rates[1:], color=colour(number), alpha=0.18, linewidth=0)
            axes.set(title=f"against {opponent}", xlabel="minutes of training", ylim=(0, 100))
    plots[0].set_ylabel("wins %")
    figure.legend(*plots[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(folders))
    return figure


def judged(run: Path, deals: int, search_deals: int) -> dict[str, Estimate]:
    """The shares of wins of a policy against scripted agents, and of the response to it; kept in a file."""
    kept = run / "judged.json"
    if not kept.exists():
        spec, rules = str(run / "policy.npz"), spec_of(DEFAULT_GAME).make_rules()
        found = {name: win_share_against(name, spec, rules, deals) for name in JUDGES}
        response = search_response(spec, rules, search_deals, effort="light").mean_return
        found["response"] = win_share(response, 1 / rules.num_players)
        write_text(kept, json.dumps(found))
    return {name: Estimate(*values) for name, values in json.loads(kept.read_text(encoding="utf-8")).items()}


def win_share_against(opponent: str, spec: str, rules: Rules, deals: int) -> Estimate:
    """The share of wins of an agent; a win shared by two counts half."""
    result = evaluate(romans_agents.make(spec), [romans_agents.make(opponent)], rules, deals, JUDGEMENT_SEED)
    return win_share(result.mean_return, 1 / rules.num_players)


def print_judgements(runs: dict[str, list[Path]], deals: int, search_deals: int) -> None:
    """A row for each method: the figure of every seed, and the mean with an interval over seeds."""
    names = (*JUDGES, "response")
    click.echo(f"\n| method | decisions, million | {' | '.join(names)} |\n|---|---|{'---|' * len(names)}")
    for method, folders in runs.items():
        of_seeds = [judged(folder, deals, search_deals) for folder in folders]
        decisions = [f"{max(seconds_by_steps(RunFolder(folder))) / 1e6:.1f}" for folder in folders]
        cells = []
        for name in names:
            shares = np.array([[of_seed[name].mean] for of_seed in of_seeds])
            figures = ", ".join(f"{100 * share:.1f}" for share in shares[:, 0])
            # An interval over few seeds may reach beyond what a share can be.
            mean = Estimate(*np.clip(mean_of_clusters(shares), 0.0, 1.0).tolist())
            cells.append(f"{figures}: {in_percent(mean)}")
        click.echo(f"| {method} | {', '.join(decisions)} | {' | '.join(cells)} |")


@click.command()
@click.option("--minutes", type=float, default=5.0, show_default=True, help="Minutes of training for each method.")
@click.option(
    "--response-minutes", type=float, default=4.0, show_default=True, help="Minutes of training for each response."
)
@click.option(
    "--deals", type=int, default=500, show_default=True, help="Deals of the tournament, each played from both seats."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the training, or the first one.")
@click.option("--seeds", type=click.IntRange(min=1), default=1, show_default=True, help="Number of seeds.")
@click.option("--threads", type=click.IntRange(min=1), default=2, show_default=True, help="Threads of the training.")
@click.option(
    "--method",
    "methods",
    type=click.Choice([*METHODS, *RECIPES]),
    multiple=True,
    help="Methods to compare. [default: plain, pool, magnet, pool-magnet]",
)
@click.option(
    "--by",
    type=click.Choice(["learning", "search"]),
    default="learning",
    show_default=True,
    help="Judge by trained responses and a tournament, or, with any number of seeds, by the response by search.",
)
@click.option(
    "--search-deals", type=click.IntRange(min=2), default=40, show_default=True, help="Deals of the response by search."
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("runs/whole"),
    show_default=True,
    help="Folder of the runs.",
)
@click.option("--picture", type=click.Path(path_type=Path), help="Where to draw the curves (.png or .svg).")
def main(
    minutes: float,
    response_minutes: float,
    deals: int,
    seed: int,
    seeds: int,
    threads: int,
    methods: tuple[str, ...],
    by: str,
    search_deals: int,
    folder: Path,
    picture: Path | None,
) -> None:
    """Train by every method, train a response to each, and let them play each other."""
    if by == "learning" and seeds > 1:
        raise click.UsageError("several seeds are judged by search: give --by search")
    methods = methods or tuple(METHODS)
    runs: dict[str, list[Path]] = {method: [] for method in methods}
    # All methods with one seed, then with the next: what else the machine does then meets all alike.
    for one, method in product(range(seed, seed + seeds), methods):
        run = folder / (method if seeds == 1 else f"{method}-{one}")
        runs[method].append(run)
        if not run.exists():
            settings = f"{(METHODS | RECIPES)[method]} {COMMON} --threads {threads}"
            call(f"romans train {settings} --minutes {minutes} --seed {one} --folder {run}")
    if by == "search":
        print_judgements(runs, deals, search_deals)
        return
    folders = {method: of_seeds[0] for method, of_seeds in runs.items()}
    wins = {}
    for method, run in folders.items():
        response = folder / f"response-to-{method}"
        if not response.exists():
            call(f"romans exploit {run / 'policy.npz'} --by learning --minutes {response_minutes} --folder {response}")
        wins[method] = json.loads((response / "exploit.json").read_text())["response"]["win_share"]
    players = " ".join([*(str(run / "policy.npz") for run in folders.values()), *REFEREES])
    call(f"romans tournament {players} --deals {deals} --folder {folder / 'tournament'}")
    click.echo("\n| method | decisions | its response wins % |\n|---|---:|---:|")
    for method, run in folders.items():
        share = in_percent(Estimate(**wins[method]))
        click.echo(f"| {method} | {max(seconds_by_steps(RunFolder(run))):,} | {share} |")
    if picture:
        save_figure(drawn(folders), picture)


if __name__ == "__main__":
    main()
