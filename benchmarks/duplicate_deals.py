"""What duplicate deals are worth: the interval of a win rate, with and without them, at the same number of games.

    python -m benchmarks.duplicate_deals

`greedy` plays `random` at the table 2+0. Duplicate: each deal is played twice, with the seats changed, and the deal is
the cluster. Independent: twice as many deals, each played once, the seats taking turns. Printed are the widths of the
95 % intervals for several seeds, and the ratios of widths and of variances; the latter is the share of games that
duplicate deals need for an interval of the same width.
"""

from __future__ import annotations

import click
import numpy as np
from rich.console import Console

from romans_env import Table
from training.intervals import rate_of_clusters
from training.tables import markdown_grid
from training.tournament.comparison import by_slots, shares_of_seats
from training.tournament.entries import entries_of
from training.tournament.line_ups import line_ups_of
from training.tournament.match import Chunk, play_chunk


def widths(num_games: int, seed: int, texts: tuple[str, str] = ("greedy", "random")) -> tuple[float, float]:
    """Widths of the 95 % interval of the first agent's share of wins: with duplicate deals, and without.

    Args:
        num_games: of each; even.
        seed: decides the deals and the agents' chance.
        texts: the two agents.
    """
    table = Table(2, 0)
    (line_up,) = line_ups_of(entries_of(texts), table.num_players)
    played = play_chunk(Chunk(table, line_up, ("", ""), 0, num_games, seed), {})
    first = [entry.text for entry in line_up.slots].index(texts[0])
    wins = by_slots(line_up, shares_of_seats(played, 2))[:, :, first]
    duplicate = rate_of_clusters(wins[: num_games // 2])
    one_each = wins[np.arange(num_games), np.arange(num_games) % 2]
    independent = rate_of_clusters(one_each[:, None])
    return duplicate.high - duplicate.low, independent.high - independent.low


@click.command()
@click.option("--games", type=click.IntRange(min=4), default=4000, show_default=True, help="Of each way; even.")
@click.option("--seeds", type=click.IntRange(min=1), default=20, show_default=True, help="How often it is repeated.")
def main(games: int, seeds: int) -> None:
    """Print the widths of intervals with duplicate deals and with independent ones."""
    found = np.array([widths(games - games % 2, seed) for seed in range(seeds)])
    grid = markdown_grid(("seed",), ("duplicate, width %", "independent, width %", "ratio"))
    for seed, (duplicate, independent) in enumerate(found):
        grid.add_row(str(seed), f"{100 * duplicate:.2f}", f"{100 * independent:.2f}", f"{duplicate / independent:.3f}")
    Console().print(grid)
    ratios = found[:, 0] / found[:, 1]
    click.echo(
        f"{games} games, {seeds} seeds: mean ratio of widths {ratios.mean():.3f} "
        f"({ratios.min():.3f} to {ratios.max():.3f}), of variances {(ratios**2).mean():.3f}"
    )


if __name__ == "__main__":
    main()
