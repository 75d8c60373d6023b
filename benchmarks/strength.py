"""The strength of a game's agents: the tables of its pages and cards.

    python -m benchmarks.strength romans-go-home trained  # a policy against scripted agents, with all setups
    python -m benchmarks.strength romans-go-home trained --against round-ismcts:seconds=0.1 --table 2+0 --deals 100
    python -m benchmarks.strength roma                    # `ladder`, `trained` and `long`: half an hour on one core
    python -m benchmarks.strength struggle ladder trade   # some parts; by default also `trained`

Every deal is played once from every seat, with the opponent in all other seats. A win shared by k players counts 1/k;
intervals are 95 %, clustered by deal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import click
import numpy as np

import romans_agents
from notebooks.struggle_statistics import played_games
from romans_agents import Agent
from romans_env import View
from romans_env.roma import RomaSetup
from romans_env.romans_go_home.setup import Table
from romans_env.struggle import StruggleSetup
from romans_env.struggle.actions import DECLINE, OFFER_WORD
from romans_env.struggle.state import STAGE_ANSWER
from romans_training.cli.options import SpecsType, TableType, deals_option, setup_options
from romans_training.compare.exploit_result import REPORT_SEED, win_share
from romans_training.measure.evaluation import evaluate
from romans_training.measure.intervals import Estimate, mean_of_clusters
from romans_training.progress_bars import ProgressBars, games_counter
from romans_training.reporting import in_percent, markdown_grid, print_whole, with_interval

Deals = Mapping[str, Mapping[str, int]]
"""The largest number of deals of an agent against an opponent: by agent, and by opponent."""


class Meetings(NamedTuple):
    """The pairings of agents in a game.

    Attributes:
        setup: the class of its setups.
        others: the number of copies of an opponent, as a word with a blank, or empty for one.
        ladders: settings, and the pairings with these settings.
        trained: the opponents of the trained agents.
    """

    setup: Callable[..., Any]
    others: str
    ladders: Sequence[tuple[Mapping[str, Any], Deals]]
    trained: Deals


_ROMANS = ("random", "raider", "denier", "forum-runner")
_ROMANS_MEET = {
    **{row: dict.fromkeys(_ROMANS[:k], 2000) for k, row in enumerate(_ROMANS)},
    "expectimax": dict.fromkeys(_ROMANS, 500),
    "mo-ismcts:iterations=1000": dict.fromkeys((*_ROMANS, "expectimax"), 60),
    "mo-ismcts:seconds=0.1": dict.fromkeys(("forum-runner", "expectimax", "mo-ismcts:iterations=1000"), 15),
}
_ROMANS_TRAINED = {
    "quaestor": {**dict.fromkeys(_ROMANS, 500), "expectimax": 2000, "mo-ismcts:iterations=1000": 30},
    "policy-rollouts": {**dict.fromkeys(_ROMANS, 500), "expectimax": 2000, "quaestor": 1000},
    "policy-rollouts:turns=3,candidates=10,prior_floor=0.01,value_weight=240": {"expectimax": 1000},
}
_TRIBES = ("random", "kingdom-builder", "plunderer", "trader", "chieftain")
_TRIBES_MEET = {row: {column: 200 for column in _TRIBES if column != row} for row in _TRIBES}
_TRIBES_SEARCH = {spec: {"random": 12, "trader": 12} for spec in ("flat-mc:iterations=200", "mo-ismcts:iterations=100")}
_TRIBES_TRAINED = {"stilicho": {"trader": 100, "chieftain": 50, "plunderer": 50, "kingdom-builder": 25, "random": 10}}
GAMES = {
    "roma": Meetings(RomaSetup, "", [({}, _ROMANS_MEET)], _ROMANS_TRAINED),
    "struggle": Meetings(
        StruggleSetup,
        "three ",
        [({"player_trade": True}, {**_TRIBES_MEET, **_TRIBES_SEARCH}), ({"player_trade": False}, _TRIBES_MEET)],
        _TRIBES_TRAINED,
    ),
}
LONG, LONG_RIVAL = "mo-ismcts:seconds=1", "expectimax"
EQUALS = ("trader", "plunderer", "chieftain", "kingdom-builder")
"""The agents of the part `trade`."""


@click.group()
def main() -> None:
    """Print the strength of a game's agents."""


@main.command()
@click.argument("parts", nargs=-1, type=click.Choice(["ladder", "trained", "long"]))
@deals_option(2000, "Largest number of deals of a pair.")
@click.option(
    "--minutes", type=click.FloatRange(min=0.0), default=8.0, show_default=True, help="Duration of the part long."
)
def roma(parts: tuple[str, ...], deals: int, minutes: float) -> None:
    """Print the tables of docs/agents/roma_agents.md and of the card of `quaestor`."""
    print_tables("roma", parts, deals)
    if not parts or "long" in parts:
        share, num_deals = long_match(minutes)
        click.echo(f"{LONG} against {LONG_RIVAL}: wins {in_percent(share)} % of {2 * num_deals} games")


@main.command()
@click.argument("parts", nargs=-1, type=click.Choice(["ladder", "trained", "trade"]))
@deals_option(200, "Largest number of deals of a cell.")
def struggle(parts: tuple[str, ...], deals: int) -> None:
    """Print the tables of docs/agents/struggle_agents.md and of the card of `stilicho`."""
    print_tables("struggle", parts, deals)
    if not parts or "trade" in parts:
        print_whole(trade(deals))


def print_tables(game: str, parts: Sequence[str], deals: int) -> None:
    """Play and print the parts `ladder` and `trained` of a game, as far as they are named, or both if none is."""
    if not parts or "ladder" in parts:
        for settings, pairs in GAMES[game].ladders:
            if settings:
                click.echo(",".join(f"{name}={str(value).lower()}" for name, value in settings.items()))
            print_whole(ladder(game, pairs, deals, **settings))
    if not parts or "trained" in parts:
        for spec, rivals in GAMES[game].trained.items():
            print_whole(trained(game, spec, rivals, deals))


def ladder(game: str, pairs: Deals, deals: int, **settings: Any) -> Any:
    """Return a table with the win share of each row's agent against each column's."""
    columns = [spec for spec in pairs if any(spec in rivals for rivals in pairs.values())]
    grid = markdown_grid((f"wins % against {GAMES[game].others}".strip(),), tuple(columns))
    for row, rivals in pairs.items():
        if rivals:
            won = {rival: played(game, row, rival, min(deals, most), **settings) for rival, most in rivals.items()}
            grid.add_row(row, *(won.get(column, "") for column in columns))
    return grid


def trained(game: str, spec: str, rivals: Mapping[str, int], deals: int) -> Any:
    """Return a table of an agent's win shares against several opponents."""
    grid = markdown_grid((f"against {GAMES[game].others}".strip(),), ("share of wins %", "games"))
    for rival, most in rivals.items():
        num_games = GAMES[game].setup().num_players * min(deals, most)
        grid.add_row(rival, played(game, spec, rival, min(deals, most)), f"{num_games:,}")
    return grid


def played(game: str, spec: str, rival: str, num_deals: int, **settings: Any) -> str:
    """Return `share_of` as a table cell; also print it to standard error."""
    won = in_percent(share_of(game, romans_agents.make(spec, game=game), rival, num_deals, **settings))
    click.echo(f"{spec} against {GAMES[game].others}{rival}: {won}, {num_deals} deals", err=True)
    return won


def share_of(game: str, agent: Agent, rival: str, num_deals: int, seed: int = 0, **settings: Any) -> Estimate:
    """Return the win share of an agent against another one in all other seats."""
    setup = GAMES[game].setup(**settings)
    others = [romans_agents.make(rival, game=game) for _ in range(setup.num_players - 1)]
    found = evaluate(agent, others, setup, num_deals, seed)
    # The win rate has Wilson's interval, which is valid even if every game is won.
    return win_share(found.mean_return, 1 / setup.num_players) if found.draw_rate.mean else found.win_rate


# -- Roma: a search with much time


def long_match(minutes: float) -> tuple[Estimate, int]:
    """Return the win share of LONG over the deals that fit into some minutes, at least two, and their number."""
    end = time.perf_counter() + 60.0 * minutes
    shares: list[float] = []
    while len(shares) < 2 or time.perf_counter() < end:
        agent = romans_agents.make(LONG, game="roma")
        shares.append(share_of("roma", agent, LONG_RIVAL, 1, seed=len(shares)).mean)
        click.echo(f"deal {len(shares)}: {shares[-1]}", err=True)
    return mean_of_clusters(np.array(shares)[:, None]), len(shares)


# -- Struggle for Rome: trade


class WithoutTrade(Agent):
    """A scripted agent that makes no offers, and declines all offers.

    Args:
        spec: the spec of the scripted agent.
    """

    def __init__(self, spec: str):
        self.name = f"{spec} without trade"
        self._agent = romans_agents.make(spec, game="struggle")

    def act(self, view: View) -> int:
        if view.states["stage"][0] == STAGE_ANSWER:
            return int(DECLINE)
        states = view.states.copy()
        states["legal"][0, OFFER_WORD] = 0
        return self._agent.act(View(view.rules, states, view.seat))


def trade(num_deals: int) -> Any:
    """Return the effects of trade: games of EQUALS with and without it, and an agent without it against three with."""
    grid = markdown_grid(("games",), ("with trade", "without"))
    games = [played_games(EQUALS, num_deals, player_trade=player_trade) for player_trade in (True, False)]
    for name in ("rounds", "decisions", "offers", "accepted"):
        # One row per deal.
        counts = (np.array([getattr(game, name) for game in one]).reshape(num_deals, -1) for one in games)
        grid.add_row(f"{name}, mean", *(with_interval(mean_of_clusters(of_deals)) for of_deals in counts))
    for spec in dict.fromkeys(EQUALS):
        found = share_of("struggle", WithoutTrade(spec), spec, num_deals)
        grid.add_row(f"wins of `{spec}` without trade against three with it, %", "", in_percent(found))
    return grid


# -- Romans Go Home!


SCRIPTED = "random,greedy,hoarder,legionary,skirmisher,mixer,schemer"


@main.group("romans-go-home")
def romans_go_home() -> None:
    """Print the tables of the card of `legate`."""


@romans_go_home.command("trained")
@click.option("--policy", default="legate", show_default=True, help="Agent spec to evaluate.")
@click.option("--against", type=SpecsType(), default=SCRIPTED, show_default=True, help="Opponents: agent specs.")
@click.option(
    "--table",
    "tables",
    type=TableType(),
    multiple=True,
    help="A table to play at. [default: all tables for at least two players]",
)
@deals_option(2000, "Deals, each played from every seat.")
def print_card(policy: str, against: tuple[str, ...], tables: tuple[str, ...], deals: int) -> None:
    """Print the win shares of a policy against agents."""
    names = setup_options(Table.game).names
    assert names is not None
    for name in tables or [name for name in names.every if not name.startswith("1+")]:
        print_whole(table_against(policy, against, Table(**names.settings(name, {})), deals))


def table_against(policy: str, against: tuple[str, ...], table: Table, deals: int) -> Any:
    """Return a table with a row per opponent: the win share and mean points, with 95 % intervals clustered by deal."""
    fair = 1 / table.num_players
    grid = markdown_grid((str(table), "against"), ("share of wins %", "fair %", "mean points", "games"))
    with ProgressBars() as progress:
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
