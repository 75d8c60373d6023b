"""A page of statistics of games: the deals that are played for it, its figure, and the command that writes it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import click
import numpy as np
from matplotlib.figure import Figure

import romans_agents
from romans_agents import Agent, UnknownAgentError
from romans_env import Game
from romans_env.files import check_writable, write_text
from romans_env.protocol import Rules
from romans_training.cli.options import deals_option
from romans_training.deals import deal_seed
from romans_training.figures import save_figure, styled
from romans_training.intervals import Estimate
from romans_training.progress_bars import ProgressBars, games_counter

Played = TypeVar("Played")


def page_options(num_deals: int, seats: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options ``--deals``, with a default and the seats in words, ``--seed`` and ``--page``."""
    to = "Write a page to this file, with a picture beside it.  [default: the page is printed]"
    deals = deals_option(num_deals, f"Deals, each played from {seats}.")
    seed = click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of all chance.")
    page = click.option("--page", type=click.Path(path_type=Path), help=to)
    return lambda command: deals(seed(page(command)))


def report(analysis: ModuleType, agents: Any, num_seats: int, deals: int, seed: int, page: Path | None) -> None:
    """Play games and print the page of their statistics, or write it with its picture.

    Args:
        analysis: of the game: `played_games`, `statistics_of`, `page_of` and `figure_of`.
        agents: as these take them.
        num_seats: how often each deal is played.
        deals, seed, page: as of `page_options`.

    Raises:
        click.UsageError: a spec names no agent.
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
        click.echo(analysis.page_of(found, agents))
        return
    picture = page.with_suffix(".png")
    save_figure(analysis.figure_of(games, found), picture, dpi=110)
    write_text(page, analysis.page_of(found, agents, picture.name))
    click.echo(f"written: {page}, {picture}")


def played_deals(
    rules: Rules,
    specs: Sequence[str],
    deals: int,
    seed: int,
    on_progress: Callable[[int], object],
    play: Callable[[int, Game, list[Agent], list[int]], Played],
) -> list[Played]:
    """What `play` gives of every deal from every seat, for its number, its game, the agents by seat and their numbers.

    Agents keep their order around the table, and have chance of their own. `on_progress` gets the number of games.
    """
    agents = [romans_agents.make(spec, game=rules.name) for spec in specs]
    played: list[Played] = []
    for deal, first in itertools.product(range(deals), range(len(agents))):
        for k, player in enumerate(agents):
            player.seed(int(np.random.SeedSequence([seed, 1, deal, k]).generate_state(1)[0]))
        order = [(first + seat) % len(agents) for seat in range(len(agents))]
        played.append(play(deal, Game(rules, seed=deal_seed(seed, deal)), [agents[k] for k in order], order))
        on_progress(len(played))
    return played


@styled
def lengths_and_wins(
    height: float, unit: str, lengths: Sequence[int], first: int, title: str, wins: Mapping[str, Estimate], seats: int
) -> Figure:
    """A figure: how long games are, from the first length on, and shares of wins by name beside that of equals."""
    figure = Figure(figsize=(9, height), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(2, 3))
    width = 1 + (max(lengths) - first) // 15
    left.hist(lengths, bins=np.arange(first - 0.5, max(lengths) + width, width), edgecolor="white")
    left.set(xlabel=f"length ({unit})", ylabel="games", title="Length of games")
    left.grid(False, axis="x")
    mean, low, high = 100 * np.array(list(wins.values())).T
    places = np.arange(len(mean))
    right.errorbar(mean, places, xerr=[mean - low, high - mean], fmt="o")
    right.axvline(100 / seats, color="grey", linestyle=":")
    right.set_yticks(places, list(wins))
    right.grid(False, axis="y")
    right.set(xlabel="win rate (%)", title=title)
    return figure
