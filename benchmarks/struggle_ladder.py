"""How strong the agents of Struggle for Rome are, and what trade is worth: the tables of docs/struggle_agents.md.

    python -m benchmarks.struggle_ladder          # all parts
    python -m benchmarks.struggle_ladder ladder   # each agent against three of each other one
    python -m benchmarks.struggle_ladder trained  # the trained agents against three of each other one
    python -m benchmarks.struggle_ladder trade    # the same with and without trade, and who makes and accepts offers

Every deal is played from all four seats. A shared win counts its share; intervals are 95 %, clustered by deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import click
import numpy as np
import numpy.typing as npt

import romans_agents
from romans_agents import Agent
from romans_env import Game, View
from romans_env.struggle import StruggleForRome, StruggleSetup
from romans_env.struggle.actions import ACCEPT, DECLINE, OFFER, OFFER_WORD
from romans_env.struggle.state import STAGE_ANSWER
from romans_training.deals import deal_seed
from romans_training.evaluation import evaluate
from romans_training.intervals import Estimate, mean_of_clusters
from romans_training.reporting import in_percent, markdown_grid, print_whole, with_interval

FAST = ("random", "kingdom-builder", "plunderer", "trader", "chieftain")
SEARCHES = {"flat-mc:iterations=200": 12, "ismcts:iterations=100": 12}
"""Deals that a search plays against three of each agent of SEARCHED, at most."""
SEARCHED = ("random", "trader")
TRAINED = {
    "stilicho": {"trader": 100, "chieftain": 50, "plunderer": 50, "kingdom-builder": 25, "random": 10},
}
"""Deals that a trained agent plays against three of each other one, at most."""
EQUALS = ("trader", "plunderer", "chieftain", "kingdom-builder")
"""Who meets in the part `trade`."""


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(["ladder", "trained", "trade"]))
@click.option("--deals", type=click.IntRange(min=2), default=200, show_default=True, help="Deals of a cell, at most.")
def main(parts: tuple[str, ...], deals: int) -> None:
    """Print the tables."""
    if not parts or "ladder" in parts:
        for player_trade in (True, False):
            click.echo(f"player_trade={str(player_trade).lower()}")
            print_whole(ladder(deals, player_trade))
    if not parts or "trained" in parts:
        for spec, rivals in TRAINED.items():
            print_whole(trained(spec, {rival: min(deals, most) for rival, most in rivals.items()}))
    if not parts or "trade" in parts:
        print_whole(trade(deals))


def ladder(deals: int, player_trade: bool) -> Any:
    """The share of wins of the agent of a row against three of that of a column; even is 25 %."""
    agents = (*FAST, *(SEARCHES if player_trade else ()))
    grid = markdown_grid(("wins % against three",), FAST)
    for row in agents:
        cells = []
        for column in FAST:
            num_deals = min(deals, SEARCHES.get(row, deals))
            if row == column or (row in SEARCHES and column not in SEARCHED):
                cells.append("")
                continue
            cells.append(in_percent(share_of(row, column, num_deals, player_trade)))
            click.echo(f"{row} against three {column}: {cells[-1]}, {num_deals} deals", err=True)
        grid.add_row(row, *cells)
    return grid


def trained(spec: str, rivals: Mapping[str, int]) -> Any:
    """What a trained agent wins against three of some others, each on so many deals, in games for four with trade."""
    grid = markdown_grid(("against three",), ("share of wins %", "games"))
    for rival, deals in rivals.items():
        won = in_percent(share_of(spec, rival, deals))
        click.echo(f"{spec} against three {rival}: {won}, {deals} deals", err=True)
        grid.add_row(rival, won, f"{4 * deals:,}")
    return grid


def share_of(spec: str, rival: str, num_deals: int, player_trade: bool = True, seed: int = 0) -> Estimate:
    """The share of wins of an agent against three others of one spec."""
    return share(made(spec), [made(rival) for _ in range(3)], num_deals, player_trade, seed)


def share(agent: Agent, others: Sequence[Agent], num_deals: int, player_trade: bool = True, seed: int = 0) -> Estimate:
    """The share of wins of an agent; a win shared by k counts 1/k."""
    found = evaluate(agent, others, StruggleSetup(player_trade=player_trade), num_deals, seed)
    if not found.draw_rate.mean:
        # Wilson's interval of a rate holds where every game is won, too.
        return found.win_rate
    # A return of -1/3 is no win, 1 a win alone (STRUGGLE 7.4).
    return Estimate(*(min(1.0, max(0.0, 0.25 + 0.75 * value)) for value in found.mean_return))


def made(spec: str) -> Agent:
    return romans_agents.make(spec, game="struggle")


# -- trade


class WithoutTrade(Agent):
    """A scripted agent that makes no offers, and declines those of others.

    Args:
        spec: of the agent.
    """

    def __init__(self, spec: str):
        self.name = f"{spec} without trade"
        self._agent = made(spec)

    def act(self, view: View) -> int:
        if view.states["stage"][0] == STAGE_ANSWER:
            return int(DECLINE)
        states = view.states.copy()
        states["legal"][0, OFFER_WORD] = 0
        return self._agent.act(View(view.rules, states, view.seat))


class Counts(NamedTuple):
    """What happened in a game: its rounds, decisions, offers made, and offers accepted."""

    rounds: int
    decisions: int
    offers: int
    accepted: int


def trade(num_deals: int) -> Any:
    """What offers change: games of EQUALS with and without, and each agent without trade against three with it."""
    grid = markdown_grid(("games",), ("with trade", "without"))
    counts = [
        np.array([counts_of(deal, seats, player_trade) for deal in range(num_deals) for seats in rotations(EQUALS)])
        for player_trade in (True, False)
    ]
    for k, name in enumerate(Counts._fields):
        grid.add_row(f"{name}, mean", *(with_interval(mean_of_clusters(of_deals(one[:, k]))) for one in counts))
    for spec in dict.fromkeys(EQUALS):
        found = share(WithoutTrade(spec), [made(spec) for _ in range(3)], num_deals)
        grid.add_row(f"wins of `{spec}` without trade against three with it, %", "", in_percent(found))
    return grid


def rotations(specs: Sequence[str]) -> list[tuple[str, ...]]:
    """The four seatings that keep the order."""
    return [(*specs[k:], *specs[:k]) for k in range(len(specs))]


def of_deals(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Values of games, a row a deal."""
    return values.reshape(-1, len(EQUALS))


def counts_of(deal: int, specs: Sequence[str], player_trade: bool, seed: int = 0) -> Counts:
    """The counts of a game between agents."""
    agents = [made(spec) for spec in specs]
    game = Game(StruggleForRome(StruggleSetup(player_trade=player_trade)), seed=deal_seed(seed, deal))
    offers, accepted = 0, 0
    while (seat := game.seat_to_act) is not None:
        action = agents[seat].act(game.view(seat))
        offers += int(OFFER) <= action < int(ACCEPT)
        accepted += action == ACCEPT
        game.act(action)
    return Counts(int(game.states["round_number"][0]), len(game.actions), offers, accepted)


if __name__ == "__main__":
    main()
