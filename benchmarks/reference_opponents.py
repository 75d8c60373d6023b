"""Plays the opponents of a protocol of ``romans benchmark`` against each other, and prints their frozen ratings.

    python -m benchmarks.reference_opponents romans-go-home random,hoarder,greedy,schemer --settings num_players=2 \
        --settings num_neutrals=0 --reference greedy --folder runs/opponents

Every opponent plays alone against copies of every other one, from every seat; against copies of its own it wins its
fair share. The model of `romans_training.compare.leaderboard.rating` is fitted to the shares, by greatest likelihood: a
strength of every opponent alone, and one of its copies, as three weak players who hinder each other are not three times
one. The scale is moved and stretched so that ``random`` has 0 and the reference 1000.
"""

from __future__ import annotations

import json
import os
from itertools import permutations
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit

from romans_env.core.games import spec_of
from romans_env.core.protocol import Setup
from romans_training.compare.leaderboard.protocols import line_up_of, own_slot
from romans_training.compare.tournament.config import TournamentConfig
from romans_training.compare.tournament.result import shares_in_deals
from romans_training.compare.tournament.run import line_up_steps
from romans_training.progress_bars import ProgressBars

SEED = 20_261_126
"""Of the opponents' own games; benchmarks have another one."""
PRIOR = 0.5
"""Deals that are taken to be won, and to be lost, before the first one: no strength is infinite."""
Floats = npt.NDArray[np.float64]


def shares_of_panel(specs: list[str], setup: Setup, deals: int, folder: Path, jobs: int) -> Floats:
    """The share of wins of every opponent (row) against copies of every one (column)."""
    config = TournamentConfig(tuple(specs), setup, deals, deals, SEED)
    # Two players: the games of a against b are those of b against a.
    pairs = [(a, b) for a, b in permutations(range(len(specs)), 2) if setup.num_players > 2 or a < b]
    line_ups = {(a, b): line_up_of(specs[a], specs[b], setup.num_players) for a, b in pairs}
    steps = line_up_steps(config, list(line_ups.values()), folder, jobs)
    with ProgressBars() as progress:
        task = progress.add_task("opponents", total=None)
        while True:
            try:
                now = next(steps)
            except StopIteration as stop:
                played = dict(stop.value.results)
                break
            progress.update(task, completed=now.games, total=now.total)
    shares = np.full((len(specs), len(specs)), 1.0 / setup.num_players)
    for (a, b), line_up in line_ups.items():
        slot = own_slot(line_up, specs[a], specs[b])
        shares[a, b] = shares_in_deals([slot], line_up, played[line_up]).mean()
        if setup.num_players == 2:
            shares[b, a] = 1.0 - shares[a, b]
    return shares


def fitted(shares: Floats, num_players: int, deals: int) -> tuple[Floats, Floats]:
    """Log strengths of the opponents alone, and of their copies."""
    size = len(shares)
    won = (shares * deals + PRIOR) / (deals + 2 * PRIOR)

    def loss(strengths: Floats) -> tuple[float, Floats]:
        odds = strengths[:size, None] - strengths[None, size:] - np.log(num_players - 1)
        error = expit(odds) - won
        # The constant: only differences matter.
        value = float((np.logaddexp(0.0, odds) - won * odds).sum()) + 1e-6 * float(strengths @ strengths)
        return value, np.concatenate([error.sum(axis=1), -error.sum(axis=0)]) + 2e-6 * strengths

    found = minimize(loss, np.zeros(2 * size), jac=True, method="BFGS", options={"gtol": 1e-9}).x
    return found[:size], found[size:]


@click.command()
@click.argument("game")
@click.argument("agents")
@click.option("--settings", multiple=True, help="NAME=JSON, a setting of the setup, such as num_players=2.")
@click.option("--reference", required=True, help="Whose rating is 1000.")
@click.option("--deals", type=click.IntRange(min=2), default=1000, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), required=True, help="Of the games, which are played once.")
def main(
    game: str, agents: str, settings: tuple[str, ...], reference: str, deals: int, jobs: int, folder: Path
) -> None:
    """Rate AGENTS of a GAME, divided by commas."""
    specs = agents.split(",")
    values = {name: json.loads(value) for name, _, value in (one.partition("=") for one in settings)}
    setup = spec_of(game).make_setup(**values)
    alone, copies = fitted(shares_of_panel(specs, setup, deals, folder, jobs), setup.num_players, deals)
    zero = alone[specs.index("random")]
    unit = (alone[specs.index(reference)] - zero) / 1000
    order = np.argsort(alone, kind="stable").tolist()
    opponents = {specs[k]: round(float((alone[k] - zero) / unit), 1) for k in order}
    as_copies = {specs[k]: round(float((copies[k] - zero) / unit), 1) for k in order}
    print(json.dumps({"unit": float(unit), "opponents": opponents, "copies": as_copies}, indent=1))


if __name__ == "__main__":
    main()
