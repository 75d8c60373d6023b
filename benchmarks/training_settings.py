"""Compares settings of training at equal wall-clock time: how strong is the policy after so many seconds?

    python -m benchmarks.training_settings --seconds 90

The learning rate falls over the whole of a run. What counts is the win rate of the policy at the end, on duplicate
deals.
"""

from __future__ import annotations

from typing import Any

import click

import romans_agents
from benchmarks.runs import trained
from romans_agents import Agent
from romans_training.config import TrainConfig
from romans_training.evaluation import evaluate
from romans_training.openmp import spin_briefly
from romans_training.reporting import in_percent, markdown_grid, print_whole

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
_EVALUATION_SEED = 7


@click.command()
@click.option("--seconds", type=click.FloatRange(min=1), default=90.0, show_default=True, help="Seconds of each run.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the training.")
@click.option("--only", type=click.Choice(list(SETTINGS)), multiple=True, help="Compare only these settings.")
def main(seconds: float, seed: int, only: tuple[str, ...]) -> None:
    """Train with each setting for the same time, and print how strong the policies are."""
    grid = markdown_grid(("setting",), ("decisions/s", "against greedy %", "against random %"))
    for name in only or SETTINGS:
        settings = {"evaluate_every": 10**9, "checkpoint_every": 10**9, **SETTINGS[name]}
        config = TrainConfig(seed=seed, minutes=seconds / 60, **settings)
        policy, times = trained(config)
        assert policy is not None
        learner = romans_agents.PolicyAgent.of(policy, "learner")
        (first, *_, last) = times
        rate = f"{(last - first) / (times[last] - times[first]):,.0f}"
        rates = [_win_rate(learner, config, opponent) for opponent in ("greedy", "random")]
        grid.add_row(name, rate, *rates)
        click.echo(f"{name}: {rate} decisions/s, {rates[0]} against greedy, {rates[1]} against random", err=True)
    print_whole(grid)


def _win_rate(learner: Agent, config: TrainConfig, opponent: str) -> str:
    others = [romans_agents.make(opponent) for _ in range(config.num_players - 1)]
    return in_percent(evaluate(learner, others, config.rules, 1500, _EVALUATION_SEED).win_rate)


if __name__ == "__main__":
    spin_briefly()
    main()
