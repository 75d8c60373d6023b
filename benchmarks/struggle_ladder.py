"""How strong the agents of Struggle for Rome are, with trade and without: the tables of docs/struggle_agents.md.

    python -m benchmarks.struggle_ladder

Every deal is played from all four seats. A shared win counts its share; intervals are 95 %, clustered by deal.
"""

from __future__ import annotations

from typing import Any

import click

import romans_agents
from romans_env.struggle import StruggleSetup
from romans_training.evaluation import evaluate
from romans_training.intervals import Estimate
from romans_training.reporting import in_percent, markdown_grid, print_whole

AGENTS = ("random", "kingdom-builder", "plunderer", "trader", "chieftain")


@click.command()
@click.option("--deals", type=click.IntRange(min=2), default=100, show_default=True, help="Deals of a pair of agents.")
def main(deals: int) -> None:
    """Print the tables."""
    for player_trade in (True, False):
        click.echo(f"player_trade={str(player_trade).lower()}")
        print_whole(ladder(deals, player_trade))


def ladder(deals: int, player_trade: bool) -> Any:
    """The share of wins of the agent of a row against three of that of a column; even is 25 %."""
    grid = markdown_grid(("wins % against three",), AGENTS)
    for row in AGENTS:
        cells = []
        for column in AGENTS:
            share = "" if row == column else in_percent(share_of(row, column, deals, player_trade))
            click.echo(f"{row} against three {column}: {share}", err=True)
            cells.append(share)
        grid.add_row(row, *cells)
    return grid


def share_of(spec: str, rival: str, num_deals: int, player_trade: bool = True, seed: int = 0) -> Estimate:
    """The share of wins of an agent against three others of one spec."""
    agent, *others = (romans_agents.make(one, game="struggle") for one in (spec, rival, rival, rival))
    found = evaluate(agent, others, StruggleSetup(player_trade=player_trade), num_deals, seed)
    if not found.draw_rate.mean:
        # Wilson's interval of a rate holds where every game is won, too.
        return found.win_rate
    # A return of -1/3 is no win, 1 a win alone (STRUGGLE 7.4).
    return Estimate(*(min(1.0, max(0.0, 0.25 + 0.75 * value)) for value in found.mean_return))


if __name__ == "__main__":
    main()
