"""Training by several processes: decisions per second, the time of an all-reduce, and a model for more processes.

    python -m benchmarks.processes --rounds 5                       # on idle cores
    python -m benchmarks.processes --rounds 1 --steps 100000 --games roma

The cases of a game take turns, each in a process of its own; the table has medians over the rounds. The last table is
computed: the work of one process is divided among N processes, which exchange the gradient by Gloo's ring algorithm, in
2 (N - 1) messages and 2 (N - 1) / N times its bytes.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import click

from benchmarks.runs import call, steps_per_second
from romans_env.core.games import names
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder

CASES = {
    "one process, one thread": ("--threads", "1"),
    "one process, two threads": ("--threads", "2"),
    "two processes": ("--processes", "2"),
}
NETWORKS = {"1 Gbit/s": (1e9, 0.5e-3), "10 Gbit/s": (1e10, 0.1e-3), "100 Gbit/s": (1e11, 0.03e-3)}
"""Bits per second, and seconds per message."""
PROCESSES = (2, 16, 128, 1024)


def speed_of(game: str, options: tuple[str, ...], steps: int) -> float:
    """Return the median of decisions per second over rollouts."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        shorter = "--evaluation-deals 2 --no-evaluate-at-start"
        call(f"romans train --game {game} --steps {steps} {' '.join(options)} {shorter}", "--folder", str(run))
        return steps_per_second(RunFolder(run))


def exchange(processes: Any, sizes: list[int], times: int) -> dict[int, float]:
    """Return the median seconds of an all-reduce by number of weights."""
    import torch

    torch.set_num_threads(1)
    processes.train_alike([torch.nn.Parameter(torch.zeros(max(sizes)))])  # allocates the shared memory
    with processes.together({}, exchange, sizes, times):
        found = {}
        for size in sizes:
            weights, taken = [torch.ones(size)], []
            for _ in range(times):
                begin = time.perf_counter()
                processes._average(weights)
                taken.append(time.perf_counter() - begin)
            found[size] = statistics.median(taken)
        return found


def part_of_ideal(seconds: float, weights: int, count: int, bits: float, message: float) -> float:
    """Return the parallel efficiency: the speed of ``count`` processes divided by ``count`` times the speed of one.

    Args:
        seconds: time of a whole minibatch in one process.
        weights: number of weights in the network, of four bytes each.
        count: number of processes.
        bits: bandwidth of the network between them, in bits per second.
        message: minimum time of a message, in seconds.
    """
    apart = seconds / count
    exchanged = 2 * (count - 1) * message + 2 * (count - 1) / count * 32 * weights / bits
    return apart / (apart + exchanged)


@click.command()
@click.option("--games", multiple=True, type=click.Choice(names()), help="A game. [default: all]")
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True)
@click.option("--steps", type=click.IntRange(min=1), default=400_000, show_default=True, help="Decisions of a run.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Also write the measurements to this file.")
def main(games: tuple[str, ...], rounds: int, steps: int, json_file: Path | None) -> None:
    """Measure training by one and two processes on this machine, and compute the efficiency of more processes."""
    from romans_training.learn.config import _num_weights
    from romans_training.learn.processes import Processes

    games = games or tuple(names())
    speeds: dict[str, dict[str, list[float]]] = {game: {case: [] for case in CASES} for game in games}
    for _ in range(rounds):
        for game in games:
            for case, options in CASES.items():
                speeds[game][case].append(speed_of(game, options, steps))
    rows = []
    click.echo("\n| game | " + " | ".join(CASES) + " | two by one |\n|---|" + "---:|" * (len(CASES) + 1))
    for game, found in speeds.items():
        middle = [statistics.median(one) for one in found.values()]
        rows.append({"game": game, "decisions_per_second": dict(zip(found, middle, strict=True))})
        click.echo(f"| {game} | " + " | ".join(f"{one:,.0f}" for one in middle) + f" | {middle[2] / middle[0]:.2f} |")
    sizes = {game: _num_weights(config.hidden_layers, config.rules) for game, config in _configs(games).items()}
    taken = exchange(Processes(0, 2), sorted({*sizes.values(), 1_000_000}), 200)
    click.echo("\n| weights | all-reduce of two processes here, ms |\n|---:|---:|")
    for size, seconds in taken.items():
        click.echo(f"| {size:,} | {1e3 * seconds:.2f} |")
    click.echo("\nComputed: the speed of N processes, divided by N times the speed of one.\n")
    click.echo("| game | minibatch per process | network | " + " | ".join(map(str, PROCESSES)) + " |")
    click.echo("|---|---:|---|" + "---:|" * len(PROCESSES))
    for game, config in _configs(games).items():
        speed = statistics.median(speeds[game]["one process, one thread"])
        for own in (128, 2048, 16384):
            for network, (bits, message) in NETWORKS.items():
                # The time of a decision includes all epochs, and a minibatch is one step of one epoch.
                parts = [
                    part_of_ideal(own * count / (speed * config.epochs), sizes[game], count, bits, message)
                    for count in PROCESSES
                ]
                click.echo(f"| {game} | {own:,} | {network} | " + " | ".join(f"{one:.0%}" for one in parts) + " |")
    if json_file is not None:
        made = {"rows": rows, "all_reduce_seconds": {str(size): one for size, one in taken.items()}}
        json_file.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def _configs(games: tuple[str, ...]) -> dict[str, TrainConfig]:
    return {game: TrainConfig(game=game) for game in games}


if __name__ == "__main__":
    main()
