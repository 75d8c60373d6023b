"""The variance of duplicate deals compared with independent ones, exactly and as estimated by evaluations.

    python -m benchmarks.openspiel.duplicates           # eight pairs of policies of Kuhn and of Leduc poker

Measurements that are in the file are not repeated.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pyspiel

from benchmarks.openspiel.tabular import TabularAgent, expected, policies
from benchmarks.pages import complete
from romans_env.core.games import spec_of
from romans_training.measure.evaluation import evaluate

FILE = Path(__file__).with_suffix(".json")
GAMES = ("kuhn_poker", "leduc_poker")
PAIRS = (
    ("cfr-7", "cfr-4"),
    ("cfr-7", "uniform"),
    ("cfr-7", "random-0"),
    ("cfr-7", "random-4"),
    ("uniform", "random-0"),
    ("uniform", "random-1"),
    ("random-0", "random-1"),
    ("random-3", "random-4"),
)


def measured(name: str, own: str, other: str, deals: int) -> dict[str, Any]:
    """Return the variance of a deal's mean return over both seatings, relative to the largest return squared.

    Args:
        name: the name of the game.
        own: the policy whose returns are measured.
        other: its opponent.
        deals: the number of deals in the evaluation.

    Returns:
        ``independent``: the exact variance if each seating has a deal of its own; ``duplicate``: the exact variance if
            both have the same deal; and ``measured``: the estimate of an evaluation.
    """
    game = pyspiel.load_game(name)
    chosen = dict(policies(game, 12))
    luck = list(_luck(game))
    weights = np.array([weight for _, weight in luck])
    first, second = (
        np.array([_moments(game, chance, chosen[own], chosen[other], seat) for chance, _ in luck]) for seat in (0, 1)
    )
    scale = game.max_utility() ** 2
    independent = (_variance(first, weights) + _variance(second, weights)) / 4
    shared = weights @ (first[:, 0] * second[:, 0]) - (weights @ first[:, 0]) * (weights @ second[:, 0])
    rules = spec_of(f"openspiel:{name}").make_rules(returns="points")
    found = evaluate(TabularAgent(chosen[own], own), [TabularAgent(chosen[other], other)], rules, deals).mean_return
    row = {
        "game": name,
        "own": own,
        "other": other,
        "deals": deals,
        "independent": float(independent / scale),
        "duplicate": float((independent + shared / 2) / scale),
        "measured": deals * ((found.high - found.low) / 2 / 1.96) ** 2,
    }
    click.echo(row)
    return row


def _variance(moments: Any, weights: Any) -> float:
    mean, square = weights @ moments
    return float(square - mean**2)


def _luck(game: Any) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield every sequence of chance outcomes with its probability, which does not depend on the actions."""

    def longer(state: Any, so_far: tuple[int, ...], weight: float) -> Iterator[tuple[tuple[int, ...], float]]:
        while not (state.is_chance_node() or state.is_terminal()):
            # Folding ends the game before the last chance event; checking or calling does not.
            state = max((state.child(action) for action in state.legal_actions()), key=_chance_after)
        if state.is_terminal():
            yield so_far, weight
            return
        for outcome, probability in state.chance_outcomes():
            yield from longer(state.child(outcome), (*so_far, outcome), weight * probability)

    yield from longer(game.new_initial_state(), (), 1.0)


def _chance_after(state: Any) -> int:
    """Return the largest number of chance events that may follow a state."""
    if state.is_terminal():
        return 0
    if state.is_chance_node():
        return 1 + _chance_after(state.child(state.legal_actions()[0]))
    return max(_chance_after(state.child(action)) for action in state.legal_actions())


def _moments(game: Any, luck: tuple[int, ...], own: Any, other: Any, seat: int) -> tuple[float, float]:
    """Return the mean and the mean square of a policy's return, given the chance outcomes."""
    tables = [own, other] if seat == 0 else [other, own]

    def worth(end: Any) -> Any:
        return np.array([end.player_return(seat), end.player_return(seat) ** 2])

    mean, square = expected(game.new_initial_state(), tables, worth, luck)
    return float(mean), float(square)


@click.command()
@click.option("--games", multiple=True, default=GAMES)
@click.option("--deals", type=int, default=20_000)
@click.option("--out", type=click.Path(path_type=Path), default=FILE)
def main(games: tuple[str, ...], deals: int, out: Path) -> None:
    """Run the measurements that are missing in the file."""
    jobs = ((game, own, other, deals) for game, (own, other) in itertools.product(games, PAIRS))
    complete(out, ("game", "own", "other", "deals"), jobs, measured)


if __name__ == "__main__":
    main()
