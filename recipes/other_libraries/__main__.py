"""Trains a learner from another library with its default settings on the track duel, and records the cost.

python -m recipes.other_libraries torchrl --seed 1 --folder runs/torchrl-1
"""

from __future__ import annotations

import importlib
import json
import time
from importlib import metadata
from pathlib import Path

import click
import torch
from llvmlite.binding import get_host_cpu_name

from romans_env.core.files import write_text

LEARNERS = {
    "maskable-ppo": ("MaskablePPO", "stable_baselines", "sb3-contrib"),
    "torchrl": ("TorchRL PPO", "torchrl_ppo", "torchrl"),
    "rllib": ("RLlib PPO", "rllib_ppo", "ray"),
    "agilerl": ("AgileRL PPO", "agilerl_ppo", "agilerl"),
    "romans-train": ("romans train", "romans_train", "romans-env"),
}
"""The title of each learner, its module in this package, and its distribution on PyPI."""


@click.command()
@click.argument("learner", type=click.Choice(list(LEARNERS)))
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=3.0,
    show_default=True,
    help="Minutes of processor time.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), required=True, help="Output folder.")
def main(learner: str, minutes: float, seed: int, folder: Path) -> None:
    """Train LEARNER for some minutes on one core; write the policy and ``cost.json`` into the folder."""
    title, module, distribution = LEARNERS[learner]
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    trained = importlib.import_module(f"recipes.other_libraries.{module}").trained
    started = time.process_time()
    made = trained(60 * minutes, seed, folder)
    used = (time.process_time() - started) / 60
    cost = {
        "title": title,
        "command": f"python -m recipes.other_libraries {learner} --minutes {minutes:g}",
        "library": f"{distribution} {metadata.version(distribution)}",
        "seed": seed,
        "budget": minutes,
        "minutes": round(used, 2),
        "cores": 1,
        "decisions": made,
        "machine": get_host_cpu_name(),
    }
    write_text(folder / "cost.json", json.dumps(cost, indent=1) + "\n")
    click.echo(f"{title}, seed {seed}: {made:,} decisions in {used:.1f} minutes; written: {folder}")


if __name__ == "__main__":
    main()
