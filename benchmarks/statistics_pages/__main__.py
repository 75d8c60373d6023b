"""Game statistics: ``python -m benchmarks.statistics_pages`` plays games, and prints or writes a page of statistics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from benchmarks.pages import picture_of
from benchmarks.statistics_pages import roma as roma_page
from benchmarks.statistics_pages import struggle as struggle_page
from notebooks import roma_statistics, struggle_statistics
from romans_agents import UnknownAgentError
from romans_env.core.files import check_writable, write_text
from romans_training.cli.options import deals_option
from romans_training.figures import save_figure
from romans_training.progress_bars import ProgressBars, games_counter


def page_options(num_deals: int, seats: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the options ``--deals`` (with its default, and the seats in words), ``--seed`` and ``--page``."""
    to = "Write a page to this file, and its picture to ../pictures.  [default: the page is printed]"
    deals = deals_option(num_deals, f"Deals, each played from {seats}.")
    seed = click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the games.")
    page = click.option("--page", type=click.Path(path_type=Path), help=to)
    return lambda command: deals(seed(page(command)))


@click.group()
def main() -> None:
    """Statistics of a game: seats, lengths, ends and cards."""


@main.command()
@click.option("--agent", default="expectimax", show_default=True, help="Agent spec that plays all seats.")
@page_options(num_deals=1500, seats="both seats")
def roma(agent: str, deals: int, seed: int, page: Path | None) -> None:
    """Play duplicate deals of Roma, and report seats, lengths, ends and cards."""
    report(roma_statistics, roma_page.page_of, agent, 2, deals, seed, page)


@main.command()
@click.option("--agents", default=",".join(struggle_statistics.AGENTS), show_default=True, help="Three or four agents.")
@page_options(num_deals=150, seats="every seat")
def struggle(agents: str, deals: int, seed: int, page: Path | None) -> None:
    """Play duplicate deals of Struggle for Rome, and report seats, lengths, ends, special cards and provinces."""
    specs = agents.split(",")
    if len(specs) not in (3, 4):
        raise click.UsageError(f"--agents must name three or four agents, not {len(specs)}")
    report(struggle_statistics, struggle_page.page_of, specs, len(specs), deals, seed, page)


def report(
    analysis: ModuleType,
    page_of: Callable[..., str],
    agents: Any,
    num_seats: int,
    deals: int,
    seed: int,
    page: Path | None,
) -> None:
    """Play games and print the page of their statistics, or write it with its picture.

    Args:
        analysis: the game's module with `played_games`, `statistics_of` and `figure_of`.
        page_of: makes the page from the statistics and the agents.
        agents: the agents, in the form that ``analysis`` takes.
        num_seats: the number of times that each deal is played.
        deals: as in `page_options`.
        seed: as in `page_options`.
        page: as in `page_options`.

    Raises:
        click.UsageError: if there is no such agent.
    """
    if page is not None:
        check_writable(page)
    try:
        with ProgressBars() as progress:
            task = progress.add_task("games", total=num_seats * deals)
            games = analysis.played_games(agents, deals, seed, games_counter(progress, task))
    except UnknownAgentError as error:
        raise click.UsageError(str(error)) from None
    found = analysis.statistics_of(games)
    if page is None:
        click.echo(page_of(found, agents))
        return
    picture = picture_of(page)
    picture.parent.mkdir(exist_ok=True)
    save_figure(analysis.figure_of(games, found), picture, dpi=110)
    write_text(page, page_of(found, agents, f"../pictures/{picture.name}"))
    click.echo(f"written: {page}, {picture}")


if __name__ == "__main__":
    main()
