"""What duplicate deals are worth: the interval of a share of wins, with and without them, at the same number of games.

    python -m benchmarks.duplicate_deals

Two agents play at the table 2+0. Duplicate: each deal is played twice, with the seats changed, and the deal is the
cluster. Independent: twice as many deals, each played once, the seats taking turns. Printed are the widths of the 95 %
intervals, means over several seeds, and the ratio of variances: the share of games that duplicate deals need for an
interval of the same width.

They help where agents are close: what better cards win for one, they win for the other with the seats changed. Against
`random` they do not: hardly a game depends on the cards. The effect of a deal that is left is the same for both
seats: how much its wall leaves to skill.
"""

from __future__ import annotations

import click
import numpy as np
import numpy.typing as npt
from rich.progress import track

import romans_agents
from romans_agents.romans_go_home.scripted import GreedyAgent
from romans_env import Table, View
from romans_training.intervals import rate_of_clusters
from romans_training.reporting import markdown_grid, print_whole
from romans_training.tournament.comparison import by_slots, shares_of_seats
from romans_training.tournament.config import TournamentConfig
from romans_training.tournament.entries import entries_of
from romans_training.tournament.line_ups import line_ups_of
from romans_training.tournament.match import Chunk, play_chunk

PAIRS = (("greedy", "random"), ("random", "random"), ("greedy", "erring-greedy:0.2"), ("greedy", "erring-greedy:0.05"))


class ErringGreedy(GreedyAgent):
    """`greedy`, but for some decisions that it leaves to chance: an agent a little weaker.

    Args:
        errs: the share of these decisions.
    """

    def __init__(self, errs: float):
        self._errs = errs
        self.seed(0)

    def seed(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        if self._rng.random() < self._errs:
            return int(self._rng.choice(view.legal_actions()))
        return super().act(view)


def wins_of_first(specs: tuple[str, str], num_deals: int, seed: int) -> npt.NDArray[np.float64]:
    """What the first of two agents won of each deal's two games: shape (deals, 2).

    Args:
        specs: of the agents.
        num_deals: how many.
        seed: decides the deals and the agents' chance.
    """
    config = TournamentConfig(specs, Table(2, 0), num_deals, seed=seed)
    (line_up,) = line_ups_of(entries_of(specs), 2)
    played = play_chunk(Chunk(config, line_up, ("", ""), 0, num_deals), {})
    slot = [entry.spec for entry in line_up.slots].index(specs[0])
    return by_slots(line_up, shares_of_seats(played, 2))[:, :, slot]


def widths(wins: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Widths of 95 % intervals, with duplicate deals and with independent ones, of as many games as there are deals.

    Args:
        wins: of `wins_of_first`, for an even number of deals.
    """
    num_games = len(wins)
    duplicate = rate_of_clusters(wins[: num_games // 2])
    one_each = wins[np.arange(num_games), np.arange(num_games) % 2]
    independent = rate_of_clusters(one_each[:, None])
    return duplicate.high - duplicate.low, independent.high - independent.low


@click.command()
@click.option("--games", type=click.IntRange(min=4), default=4000, show_default=True, help="Games played in each way.")
@click.option("--seeds", type=click.IntRange(min=2), default=10, show_default=True, help="How often it is repeated.")
def main(games: int, seeds: int) -> None:
    """Print the widths of intervals with duplicate deals and with independent ones."""
    romans_agents.register("erring-greedy", ErringGreedy)
    numbers = ("share of wins %", "duplicate, width %", "independent, width %", "ratio of variances", "correlation")
    grid = markdown_grid(("agents",), numbers)
    for specs in track(PAIRS, "playing", transient=True):
        wins = [wins_of_first(specs, games - games % 2, seed) for seed in range(seeds)]
        found = np.array([widths(one) for one in wins])
        ratios = (found[:, 0] / found[:, 1]) ** 2
        together = np.concatenate(wins)
        # A deal of two games: their correlation is what duplicate deals live on.
        correlation = np.corrcoef(together[:, 0], together[:, 1])[0, 1]
        grid.add_row(
            " - ".join(specs),
            f"{100 * together.mean():.1f}",
            *(f"{100 * width:.2f}" for width in found.mean(axis=0)),
            f"{ratios.mean():.3f} ±{ratios.std(ddof=1) / np.sqrt(seeds):.3f}",
            f"{correlation:.3f} ±{1 / np.sqrt(len(together)):.3f}",
        )
    click.echo(f"{games} games each, {seeds} seeds; ± one standard error")
    print_whole(grid)


if __name__ == "__main__":
    main()
