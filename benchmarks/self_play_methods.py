"""How exploitable self-play is on the small table, by method and time: `docs/self_play.md`.

    python -m benchmarks.self_play_methods --minutes 1 --seeds 3 --folder runs/methods

Every method trains for the same time on one thread, alone or ``--jobs`` of them side by side. Its policies are then
judged by OpenSpiel: exploitability is what the best response wins in the mean of both seats, 0 in an equilibrium. Runs
that are in the folder are not trained again.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from matplotlib.figure import Figure
from rich.console import Console
from rich.progress import track

from benchmarks.runs import seconds_by_steps
from romans_agents import Policy, PolicyAgent
from romans_env.romans_go_home.table import SMALL_TABLE
from romans_training.config import TrainConfig
from romans_training.figures import draw_band, save_figure
from romans_training.run_folder import RunFolder

_PLAIN, _POOL = {"self_play": 1.0}, {"self_play": 0.5, "snapshot_every": 50_000}
_MAGNET, _ENTROPY = {"magnet": 0.3, "magnet_horizon": 300_000}, {"entropy": 0.1}
_MONTE_CARLO, _CRITIC = {"planning_lambda": 1.0}, {"full_state_critic": True}
METHODS: dict[str, dict[str, Any]] = {
    "plain self-play": _PLAIN,
    "plain, entropy 0.1": _PLAIN | _ENTROPY,
    "pool": _POOL,
    "pool, exploiters": {**_POOL, "exploiter_every": 150_000, "exploiter_steps": 50_000},
    "magnet 0.3": _PLAIN | _MAGNET,
    "magnet 0.3, entropy 0.1": _PLAIN | _MAGNET | _ENTROPY,
    "pool, magnet 0.3, entropy 0.1": _POOL | _MAGNET | _ENTROPY,
    "entropy 0.1, planning lambda 1": _PLAIN | _ENTROPY | _MONTE_CARLO,
    "entropy 0.1, full-state critic": _PLAIN | _ENTROPY | _CRITIC,
    "magnet 0.3, entropy 0.1, planning lambda 1": _PLAIN | _MAGNET | _ENTROPY | _MONTE_CARLO,
    "magnet 0.3, entropy 0.1, full-state critic": _PLAIN | _MAGNET | _ENTROPY | _CRITIC,
}


class Point(NamedTuple):
    """How exploitable a policy of a run is.

    Attributes:
        seconds: seconds of training.
        exploitability: the exploitability, from 0 to 1.
    """

    seconds: float
    exploitability: float


def config_of(method: str, minutes: float, seed: int) -> TrainConfig:
    """The settings of a run on the small table."""
    common: dict[str, Any] = {
        "minutes": minutes,
        "seed": seed,
        "opponents": ("greedy",),
        "num_envs": 512,
        "rollout_length": 16,
        "minibatch_size": 1024,
        "epochs": 1,
        "hidden_layers": (64, 64),
        "threads": 1,
        "evaluate_every": 100_000,
        "evaluation_deals": 50,
        "checkpoint_every": 1_000_000,
        "keep_policies": True,
    }
    return TrainConfig(setup=SMALL_TABLE.as_json(), **common | METHODS[method])


def trained(job: tuple[str, float, int, Path]) -> list[Point]:
    """Train, unless that has been done, and judge every policy that was kept."""
    from open_spiel.python.algorithms import exploitability

    from romans_env.envs.open_spiel_game import open_spiel_game, tabular_policy
    from romans_training import trainer

    method, minutes, seed, folder = job
    run = RunFolder(folder)
    if not run.config.exists():
        trainer.train(config_of(method, minutes, seed), run)
    else:
        trainer.resume(run)
    game = open_spiel_game(SMALL_TABLE)
    seconds = seconds_by_steps(run)
    points = []
    for path in sorted(run.policies.glob("*.npz"), key=lambda path: int(path.stem)):
        policy = tabular_policy(game, PolicyAgent.of(Policy.load(path), "learner"))
        points.append(Point(seconds[int(path.stem)], exploitability.nash_conv(game, policy) / 2))
    return points


def jobs_of(
    methods: tuple[str, ...], minutes: float, seeds: int, folder: Path
) -> Iterator[tuple[str, float, int, Path]]:
    """Every run."""
    for method, seed in product(methods, range(1, seeds + 1)):
        name = method.replace(" ", "-").replace(",", "")
        yield method, minutes, seed, folder / f"{name}-{seed}"


def drawn(curves: dict[str, list[list[Point]]]) -> Figure:
    """A curve of medians over seeds for each method, with a band from the least to the most."""
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    last = min(points[-1].seconds for runs in curves.values() for points in runs)
    times = np.linspace(0, last, 60)
    for number, (method, runs) in enumerate(curves.items()):
        at_times = np.array([np.interp(times, *np.array(points).T) for points in runs])
        draw_band(axes, number, method, times, np.median(at_times, axis=0), at_times.min(axis=0), at_times.max(axis=0))
    axes.set(xlabel="seconds of training on one core", ylabel="exploitability", ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small", loc="upper right")
    return figure


@click.command()
@click.option("--minutes", type=float, default=1.0, show_default=True, help="Minutes of training for each run.")
@click.option(
    "--seeds", type=click.IntRange(min=1), default=3, show_default=True, help="Number of runs of each method."
)
@click.option(
    "--method", "methods", type=click.Choice(list(METHODS)), multiple=True, help="Methods to compare; all, if left out."
)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Number of runs side by side.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("runs/methods"),
    show_default=True,
    help="Folder of the runs.",
)
@click.option("--picture", type=click.Path(path_type=Path), help="Where to draw the curves (.png or .svg).")
def main(minutes: float, seeds: int, methods: tuple[str, ...], jobs: int, folder: Path, picture: Path | None) -> None:
    """Compare methods of self-play by exact exploitability on the small table."""
    methods = methods or tuple(METHODS)
    curves: dict[str, list[list[Point]]] = {method: [] for method in methods}
    todo = list(jobs_of(methods, minutes, seeds, folder))
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        found = pool.map(trained, todo)
        shown = track(found, "training", len(todo), console=Console(stderr=True))
        for (method, *_), points in zip(todo, shown, strict=True):
            curves[method].append(points)
    print("| method | exploitability at the end, median (least - most) | best on the way, median |\n|---|---|---|")
    for method, runs in curves.items():
        ends = [run[-1].exploitability for run in runs]
        best = [min(point.exploitability for point in run) for run in runs]
        print(f"| {method} | {np.median(ends):.3f} ({min(ends):.3f} - {max(ends):.3f}) | {np.median(best):.3f} |")
    if picture:
        save_figure(drawn(curves), picture)


if __name__ == "__main__":
    main()
