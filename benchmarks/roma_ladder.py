"""How strong the agents of Roma are: the tables of docs/roma_agents.md, and of the card of `quaestor`.

    python -m benchmarks.roma_ladder          # all parts, about half an hour on one core
    python -m benchmarks.roma_ladder ladder   # the agents against each other
    python -m benchmarks.roma_ladder trained  # the trained policy, alone and with a search of its turn
    python -m benchmarks.roma_ladder long     # a search with a second for a decision, against expectimax

Every deal is played from both seats. A shared win counts half; intervals are 95 %, clustered by deal.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from typing import Any

import click
import numpy as np

import romans_agents
from romans_env.roma import RomaSetup
from romans_training.evaluation import evaluate
from romans_training.exploit import win_share
from romans_training.intervals import Estimate, mean_of_clusters
from romans_training.reporting import in_percent, markdown_grid, print_whole

FAST, FAST_DEALS = ("random", "raider", "denier", "forum-runner"), 2000
SEARCHES = {"expectimax": 500, "ismcts:iterations=1000": 60, "ismcts:seconds=0.1": 15}
"""Deals that an agent plays against each other one, at most."""
SLOWEST, ITS_RIVALS = "ismcts:seconds=0.1", ("forum-runner", "expectimax", "ismcts:iterations=1000")
TRAINED = {
    "quaestor": {**dict.fromkeys(FAST, 500), "expectimax": 2000, "ismcts:iterations=1000": 30},
    "policy-rollouts": {**dict.fromkeys(FAST, 500), "expectimax": 2000, "quaestor": 1000},
}
"""Deals that a trained agent plays against others."""
LONG, LONG_RIVAL = "ismcts:seconds=1", "expectimax"


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(["ladder", "trained", "long"]))
@click.option(
    "--deals", type=click.IntRange(min=2), default=FAST_DEALS, show_default=True, help="Deals of a pair, at most."
)
@click.option(
    "--minutes", type=click.FloatRange(min=0.0), default=8.0, show_default=True, help="How long the part long plays."
)
def main(parts: tuple[str, ...], deals: int, minutes: float) -> None:
    """Print the tables."""
    if not parts or "ladder" in parts:
        print_whole(ladder(deals))
    if not parts or "trained" in parts:
        for spec, rivals in TRAINED.items():
            print_whole(trained(spec, {rival: min(deals, most) for rival, most in rivals.items()}))
    if not parts or "long" in parts:
        share, num_deals = long_match(minutes)
        click.echo(f"{LONG} against {LONG_RIVAL}: wins {in_percent(share)} % of {2 * num_deals} games")


def ladder(deals: int) -> Any:
    """The share of wins of the agent of a row against that of a column, and the number of deals."""
    agents = (*FAST, *SEARCHES)
    shares = {}
    for row, column in itertools.combinations(agents, 2):
        if SLOWEST not in (row, column) or row in ITS_RIVALS:
            num_deals = min(deals, *(SEARCHES.get(spec, FAST_DEALS) for spec in (row, column)))
            shares[column, row] = share_of(column, row, num_deals)
            click.echo(f"{column} against {row}: {in_percent(shares[column, row])}, {num_deals} deals", err=True)
    grid = markdown_grid(("wins % against",), agents[:-1])
    for k, spec in enumerate(agents[1:], 1):
        found = [shares.get((spec, other)) for other in agents[:k]]
        grid.add_row(spec, *("" if share is None else in_percent(share) for share in found))
    return grid


def trained(spec: str, rivals: Mapping[str, int]) -> Any:
    """What an agent wins against some others, each on so many deals."""
    grid = markdown_grid(("against",), ("share of wins %", "games"))
    for rival, num_deals in rivals.items():
        share = in_percent(share_of(spec, rival, num_deals))
        click.echo(f"{spec} against {rival}: {share}, {num_deals} deals", err=True)
        grid.add_row(rival, share, f"{2 * num_deals:,}")
    return grid


def share_of(spec: str, rival: str, num_deals: int, seed: int = 0) -> Estimate:
    """The share of wins of an agent against another one."""
    agent, other = (romans_agents.make(one, game="roma") for one in (spec, rival))
    found = evaluate(agent, [other], RomaSetup(), num_deals, seed)
    # Wilson's interval of a rate holds where every game is won, too.
    return win_share(found.mean_return, 0.5) if found.draw_rate.mean else found.win_rate


def long_match(minutes: float) -> tuple[Estimate, int]:
    """The share of wins of LONG in as many deals as fit into some minutes, at least two; and how many these are."""
    end = time.perf_counter() + 60.0 * minutes
    shares: list[float] = []
    while len(shares) < 2 or time.perf_counter() < end:
        shares.append(share_of(LONG, LONG_RIVAL, 1, seed=len(shares)).mean)
        click.echo(f"deal {len(shares)}: {shares[-1]}", err=True)
    return mean_of_clusters(np.array(shares)[:, None]), len(shares)


if __name__ == "__main__":
    main()
