"""Methods of self-play on the whole game at equal time, judged by a tournament and by responses: `docs/self_play.md`.

    python -m benchmarks.self_play_whole_game --minutes 5 --response-minutes 4 --folder runs/whole

Every method trains at 2+0 for the same time on the same cores, one after the other; then a response is trained to each
final policy, and all of them meet in a tournament. It runs the commands that a user would and prints them; what is in
the folder is not done again.
"""

from __future__ import annotations

import json
from pathlib import Path

import click
from matplotlib.figure import Figure

from benchmarks.runs import call, seconds_by_steps
from romans_training.figures import draw_band, save_figure
from romans_training.intervals import Estimate
from romans_training.reporting import in_percent
from romans_training.run_folder import RunFolder

COMMON = (
    "--opponents greedy --rollout-length 64 --epochs 1 --bfloat16 --evaluate-against greedy,schemer "
    "--evaluate-every 1000000 --evaluation-deals 200 --keep-policies"
)
POOL = "--self-play 0.5 --snapshot-every 1000000 --exploiter-every 4000000 --exploiter-steps 500000"
PULL = "--magnet 0.1 --magnet-horizon 1000000 --entropy 0.03 --final-entropy 0.005"
METHODS = {
    "plain": "--self-play 1",
    "pool": POOL,
    "magnet": f"--self-play 1 {PULL}",
    "pool-magnet": f"{POOL} {PULL}",
}
"""Plain self-play; a league of `greedy`, the past and exploiters; the pull to the running average; both."""
REFEREES = ("greedy", "mixer", "schemer")
"""Scripted agents that take part in the tournament."""


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
            draw_band(axes, number, method, minutes, *rates)
            axes.set(title=f"against {opponent}", xlabel="minutes of training", ylim=(0, 100))
            axes.grid(alpha=0.3)
    plots[0].set_ylabel("wins %")
    plots[0].legend(fontsize="small", loc="lower right")
    return figure


@click.command()
@click.option("--minutes", type=float, default=5.0, show_default=True, help="Minutes of training for each method.")
@click.option(
    "--response-minutes", type=float, default=4.0, show_default=True, help="Minutes of training for each response."
)
@click.option(
    "--deals", type=int, default=500, show_default=True, help="Deals of the tournament, each played from both seats."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the training.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("runs/whole"),
    show_default=True,
    help="Folder of the runs.",
)
@click.option("--picture", type=click.Path(path_type=Path), help="Where to draw the curves (.png or .svg).")
def main(minutes: float, response_minutes: float, deals: int, seed: int, folder: Path, picture: Path | None) -> None:
    """Train by every method, train a response to each, and let them play each other."""
    folders = {method: folder / method for method in METHODS}
    for method, settings in METHODS.items():
        if not folders[method].exists():
            call(f"romans train {settings} {COMMON} --minutes {minutes} --seed {seed} --folder {folders[method]}")
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
