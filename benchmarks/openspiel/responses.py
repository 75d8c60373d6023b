"""Returns of the library's responses compared with exact best responses, for policies of every strength.

    python -m benchmarks.openspiel.responses                       # Kuhn and Leduc poker, 20 policies each, by search
    python -m benchmarks.openspiel.responses --by learning --policies 6 --steps 300000

A response may fall short of the exact value, but must not exceed it by more than its interval.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import click
import numpy as np
import pyspiel
import torch

from benchmarks.openspiel.tabular import TabularAgent, exact_response, exact_value, policies, tabular
from benchmarks.pages import complete
from romans_agents.openspiel.responder import OpenSpielResponder
from romans_env.core.games import spec_of
from romans_training import exploit

FILE = Path(__file__).with_suffix(".json")
GAMES = (
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(dice_sides=4,numdice=1)",
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=3,points_order=descending))",
    "liars_dice(dice_sides=5,numdice=1)",
)
POLICIES = 20


LEARNER = {"num_envs": 64, "minibatch_size": 512, "hidden_layers": (64, 64), "threads": 1, "minutes": None}


def measured(name: str, number: int, by: str, deals: int, steps: int) -> dict[str, Any]:
    """Return the mean return of a response over both seats, in OpenSpiel's returns.

    Args:
        name: the name of the game.
        number: the index of the policy, among 20.
        by: ``"search"``, ``"search, light"`` or ``"learning"``.
        deals: the number of deals in the report, each played from both seats.
        steps: the number of training decisions of a response by learning; 0 for others.
    """
    game = pyspiel.load_game(name)
    rules: Any = spec_of(f"openspiel:{name}").make_rules(returns="points")
    largest = game.max_utility()
    label, table = policies(game, POLICIES)[number]
    agent, effort = TabularAgent(table, label), "light" if by == "search, light" else "full"
    exact = exact_response(game, table)
    row = {"game": name, "number": number, "policy": label, "by": by, "deals": deals, "steps": steps, "exact": exact}
    if by == "learning":
        often = {"evaluate_every": steps // 10, "evaluation_deals": deals}
        found = exploit(agent, rules, "learning", deals=deals, steps=steps, **often, **LEARNER)
    else:
        found = exploit(agent, rules, "search", search_deals=deals, effort=effort)
        row["value"] = exact_value(game, tabular(game, OpenSpielResponder(agent, rules, effort), rules), table)
    row |= {key: largest * value for key, value in found.bound.mean_return._asdict().items()}
    click.echo(
        f"{name}, {label}, by {by}: {row['mean']:.3f} [{row['low']:.3f}, {row['high']:.3f}], exactly {exact:.3f}"
    )
    return row


@click.command()
@click.option("--games", multiple=True, default=GAMES)
@click.option("--policies", "number", type=int, default=POLICIES, help="How many of the 20.")
@click.option("--by", type=click.Choice(["search", "search, light", "learning"]), default="search")
@click.option("--deals", type=int, default=200, help="Deals of a report, each played from both seats.")
@click.option("--steps", type=int, default=300_000, help="Decisions of the response by learning.")
@click.option("--out", type=click.Path(path_type=Path), default=FILE)
def main(games: tuple[str, ...], number: int, by: str, deals: int, steps: int, out: Path) -> None:
    """Run the measurements that are missing in the file."""
    torch.set_num_threads(1)
    chosen = np.linspace(0, POLICIES - 1, number).round().astype(int).tolist()
    jobs = itertools.product(games, chosen, [by], [deals], [steps if by == "learning" else 0])
    complete(out, ("game", "number", "by", "deals", "steps"), jobs, measured)


if __name__ == "__main__":
    main()
