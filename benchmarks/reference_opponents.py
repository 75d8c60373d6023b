r"""Plays the opponents of a protocol of ``romans benchmark`` against each other, and prints their frozen ratings.

    python -m benchmarks.reference_opponents romans-go-home random,hoarder,greedy,schemer --settings num_players=2 \
        --settings num_neutrals=0 --reference greedy --folder runs/opponents

`romans_training.compare.leaderboard.panel` describes the method.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from romans_env.core.games import spec_of
from romans_training.compare.leaderboard.panel import fitted, scale_of, shares_steps
from romans_training.progress_bars import followed


@click.command()
@click.argument("game")
@click.argument("agents")
@click.option("--settings", multiple=True, help="A setting of the setup, NAME=JSON, such as num_players=2.")
@click.option("--reference", required=True, help="Agent spec whose rating is 1000.")
@click.option("--deals", type=click.IntRange(min=2), default=1000, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), required=True, help="Folder of the games; played once.")
def main(
    game: str, agents: str, settings: tuple[str, ...], reference: str, deals: int, jobs: int, folder: Path
) -> None:
    """Rate AGENTS, agent specs separated by commas, in a GAME."""
    specs = agents.split(",")
    values = {name: json.loads(value) for name, _, value in (one.partition("=") for one in settings)}
    setup = spec_of(game).make_setup(**values)
    steps = shares_steps(specs, setup, deals, folder, jobs)
    shares = followed(steps, "opponents", lambda now: "opponents")
    scale = scale_of(specs, fitted(shares, setup.num_players, deals), reference)
    print(json.dumps(scale._asdict(), indent=1))


if __name__ == "__main__":
    main()
