"""How strong the policy is that comes with the package: the tables of its card, `legate.md`.

    python -m benchmarks.legate                                  # against scripted agents, all tables
    python -m benchmarks.legate --against ismcts:seconds=0.1 --table 2+0 --deals 100
    python -m benchmarks.legate --policy runs/legate/policy.npz  # another policy

Every deal is played once from every seat, the opponent on all other seats. A win shared by k players counts 1/k.
"""

from __future__ import annotations

from typing import Any

import click

import romans_agents
from romans_env.romans_go_home.setup import Table
from romans_training.cli.options import SpecsType, TableType, setup_options
from romans_training.evaluation import evaluate
from romans_training.exploit import REPORT_SEED, win_share
from romans_training.reporting import (
    games_counter,
    in_percent,
    markdown_grid,
    print_whole,
    progress_of_games,
    with_interval,
)

SCRIPTED = ("random", "greedy", "hoarder", "legionary", "skirmisher", "mixer", "schemer")


@click.command()
@click.option("--policy", default="legate", show_default=True, help="Agent spec to evaluate.")
@click.option(
    "--against", type=SpecsType(), default=",".join(SCRIPTED), show_default=True, help="Opponents: agent specs."
)
@click.option(
    "--table",
    "tables",
    type=TableType(),
    multiple=True,
    help="Tables to play at; all for two players or more, if left out.",
)
@click.option(
    "--deals", type=click.IntRange(min=2), default=2000, show_default=True, help="Deals, each played from every seat."
)
def main(policy: str, against: tuple[str, ...], tables: tuple[str, ...], deals: int) -> None:
    """Print what a policy wins against agents."""
    names = setup_options(Table.game).names
    assert names is not None
    for name in tables or [name for name in names.every if not name.startswith("1+")]:
        print_whole(table_against(policy, against, Table(**names.settings(name, {})), deals))


def table_against(policy: str, against: tuple[str, ...], table: Table, deals: int) -> Any:
    """A row an opponent: the share of wins, and mean points, with 95 % intervals clustered by deal."""
    fair = 1 / table.num_players
    grid = markdown_grid((str(table), "against"), ("share of wins %", "fair %", "mean points", "games"))
    with progress_of_games() as progress:
        for text in against:
            task = progress.add_task(f"{table} {text}", total=deals * table.num_players)
            others = [romans_agents.make(text) for _ in range(table.num_players - 1)]
            count = games_counter(progress, task)
            result = evaluate(romans_agents.make(policy), others, table, deals, REPORT_SEED, count)
            share, points = win_share(result.mean_return, fair), with_interval(result.mean_points)
            copies = f"{table.num_players - 1} x {text}" if table.num_players > 2 else text
            grid.add_row(str(table), copies, in_percent(share), f"{100 * fair:.0f}", points, str(result.num_games))
            progress.remove_task(task)
    return grid


if __name__ == "__main__":
    main()
