"""Compares settings of training at equal wall-clock time: how strong is the policy after so many seconds?

    python -m benchmarks.training_settings --seconds 90

For each setting the speed is measured first, and the run gets as many decisions as fit into the time, so that the
learning rate falls over the whole of it. What counts is the win rate of the policy at the end, on duplicate deals.
"""

from __future__ import annotations

import contextlib
import dataclasses
import tempfile
import time
from pathlib import Path
from typing import Any

import click
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table as Grid

import romans_agents
from romans_training.config import TrainConfig
from romans_training.evaluation import evaluate
from romans_training.openmp import spin_briefly
from romans_training.run_folder import RunFolder

SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "1 epoch": {"epochs": 1},
    "4 epochs": {"epochs": 4},
    "4 epochs, rollout 16": {"epochs": 4, "rollout_length": 16},
    "rollout 16": {"rollout_length": 16},
    "rollout 16, minibatch 1024": {"rollout_length": 16, "minibatch_size": 1024},
    "rollout 8, minibatch 1024": {"rollout_length": 8, "minibatch_size": 1024},
    "rollout 64, minibatch 4096": {"rollout_length": 64, "minibatch_size": 4096},
    "network 64,64": {"hidden_layers": (64, 64)},
    "1 thread": {"threads": 1},
}
_PROBE_SECONDS = 5.0
_EVALUATION_SEED = 7


class _Enough(Exception):
    """The speed is known."""


@click.command()
@click.option("--seconds", type=click.FloatRange(min=1), default=90.0, show_default=True, help="Seconds of each run.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--only", type=click.Choice(list(SETTINGS)), multiple=True, help="Compare these settings alone.")
def main(seconds: float, seed: int, only: tuple[str, ...]) -> None:
    """Train with each setting for the same time, and print how strong the policies are."""
    grid = Grid(box=MARKDOWN)
    for heading in ("setting", "decisions/s", "against greedy %", "against random %"):
        grid.add_column(heading, no_wrap=True)
    for name in only or SETTINGS:
        config = TrainConfig(seed=seed, evaluate_every=10**9, checkpoint_every=10**9, **SETTINGS[name])
        rate = _decisions_per_second(config)
        policy = _trained(dataclasses.replace(config, steps=max(1, int(rate * seconds))))
        rates = [_win_rate(policy, config, opponent) for opponent in ("greedy", "random")]
        grid.add_row(name, f"{rate:,.0f}", *rates)
        click.echo(f"{name}: {rate:,.0f} decisions/s, {rates[0]} against greedy, {rates[1]} against random", err=True)
    Console().print(grid)


def _decisions_per_second(config: TrainConfig) -> float:
    started: list[tuple[float, int]] = []
    rates: list[float] = []

    def report(progress: Any) -> None:
        if progress.steps >= 2 * config.rollout_size:
            started.append((time.perf_counter(), progress.steps))
            elapsed = started[-1][0] - started[0][0]
            if elapsed > _PROBE_SECONDS:
                rates.append((progress.steps - started[0][1]) / elapsed)
                raise _Enough

    with contextlib.suppress(_Enough):
        _trained(dataclasses.replace(config, steps=10**9), report)
    return rates[0]


def _trained(config: TrainConfig, report: Any = lambda progress: None) -> Any:
    from romans_training import trainer

    with tempfile.TemporaryDirectory() as folder:
        return trainer.train(config, RunFolder(Path(folder) / "run"), report)


def _win_rate(policy: Any, config: TrainConfig, opponent: str) -> str:
    learner = romans_agents.PolicyAgent.of(policy, "learner")
    others = [romans_agents.make(opponent) for _ in range(config.num_players - 1)]
    rate = evaluate(learner, others, config.rules, 1500, _EVALUATION_SEED).win_rate
    return f"{100 * rate.mean:.1f} [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"


if __name__ == "__main__":
    spin_briefly()
    main()
