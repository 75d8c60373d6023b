"""The time that training takes to reach a win rate against `greedy` on 2+0, without set-up and compiling.

    python -m benchmarks.time_to_strength                        # 60 %, three seeds
    python -m benchmarks.time_to_strength --win-rate 0.8 --self-play 1 --seeds 1

A run is `romans train` with its defaults (or with ``--self-play``), evaluated every 250 000 decisions on 300 deals from
both seats; evaluations count as training time. It ends when an evaluation reaches the win rate.
"""

from __future__ import annotations

import statistics
from typing import Any

import click

from benchmarks.runs import trained
from romans_training.learn.config import TrainConfig


@click.command()
@click.option("--win-rate", type=click.FloatRange(0, 1), default=0.6, show_default=True, help="Win rate to reach.")
@click.option("--seeds", type=click.IntRange(min=1), default=3, show_default=True, help="Number of runs.")
@click.option("--self-play", type=click.FloatRange(0, 1), default=0.0, show_default=True, help="As for romans train.")
@click.option("--minutes", type=float, default=10.0, show_default=True, help="Time limit of a run.")
def main(win_rate: float, seeds: int, self_play: float, minutes: float) -> None:
    """Print the seconds for each seed, with their median, minimum and maximum."""
    found = []
    for seed in range(1, seeds + 1):
        config = TrainConfig(
            seed=seed,
            minutes=minutes,
            self_play=self_play,
            evaluate_against=("greedy",),
            evaluate_every=250_000,
            evaluation_deals=300,
            evaluate_at_start=False,
        )
        seconds, steps = time_to(win_rate, config)
        found.append(seconds)
        click.echo(f"seed {seed}: {seconds:.0f} s, {steps:,} decisions")
    click.echo(f"median: {statistics.median(found):.0f} s, from {min(found):.0f} to {max(found):.0f} s")


def time_to(win_rate: float, config: TrainConfig) -> tuple[float, int]:
    """Return seconds of training and decisions until an evaluation reached the win rate; infinite if none did."""
    reached: list[int] = []

    def report(progress: Any) -> None:
        if progress.evaluations and progress.evaluations[0].win_rate.mean >= win_rate:
            reached.append(progress.steps)

    _, seconds = trained(config, report, lambda: bool(reached))
    return (seconds[reached[0]], reached[0]) if reached else (float("inf"), max(seconds))


if __name__ == "__main__":
    main()
