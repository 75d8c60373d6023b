"""The benefit of variance reduction: widths of intervals with and without AIVAT, from the same games.

    python -m benchmarks.aivat                                  # 20 000 games of each pair
    python -m benchmarks.aivat legate,greedy --deals 500
    python -m benchmarks.aivat --game roma                      # the same for Roma
    python -m benchmarks.aivat --game struggle --deals 1000     # 4 000 games of each pair

Two agents play duplicate deals, the second one in all seats but one: with the setup 2+0, in Roma, or in Struggle for
Rome with four players. The table has the first agent's mean return with its 95 % interval, without and with AIVAT
(`romans_training.measure.variance_reduction`), the widths of both intervals and their ratio, and the time of the games
with AIVAT.
"""

from __future__ import annotations

import time

import click

import romans_agents
from romans_env.core.games import spec_of
from romans_training.cli.options import SpecsType, game_option
from romans_training.measure.evaluation import evaluate
from romans_training.measure.intervals import Estimate
from romans_training.measure.variance_reduction import AIVAT
from romans_training.progress_bars import ProgressBars, games_counter
from romans_training.reporting import markdown_grid, print_whole

PAIRS = {
    "romans-go-home": ("hoarder,greedy", "legionary,greedy", "skirmisher,hoarder"),
    "roma": ("raider,forum-runner", "denier,forum-runner", "denier,raider"),
    "struggle": ("trader,chieftain", "chieftain,plunderer", "plunderer,trader"),
}
"""Pairs of agents that play fast."""
FEW = 2
"""Number of deals that are played first so that everything is compiled."""
_COLUMNS = ("mean return", "with AIVAT", "width", "with AIVAT", "ratio", "games", "seconds")


def in_words(estimate: Estimate) -> str:
    """Return an estimate as text, such as ``-0.693 [-0.710, -0.676]``."""
    return f"{estimate.mean:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


@click.command()
@click.argument("pairs", nargs=-1, type=SpecsType())
@game_option
@click.option("--deals", type=click.IntRange(min=4), default=10_000, show_default=True, help="Deals, from every seat.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the deals.")
def main(pairs: tuple[tuple[str, ...], ...], game: str, deals: int, seed: int) -> None:
    """Print the widths of intervals with and without AIVAT for PAIRS such as hoarder,greedy."""
    grid = markdown_grid(("agents",), _COLUMNS)
    setup = spec_of(game).make_setup(num_players=spec_of(game).default_players)
    with ProgressBars() as progress:
        for first, second in pairs or [pair.split(",") for pair in PAIRS[game]]:
            task = progress.add_task(f"{first} - {second}", total=setup.num_players * deals)
            agent, other = (romans_agents.make(spec, game=game) for spec in (first, second))
            others = [other] * (setup.num_players - 1)
            evaluate(agent, others, setup, FEW, variance_reduction=AIVAT)  # compiles
            started = time.perf_counter()
            counter = games_counter(progress, task)
            result = evaluate(agent, others, setup, deals, seed, counter, variance_reduction=AIVAT)
            seconds = time.perf_counter() - started
            assert result.reduced is not None
            plain, reduced = result.mean_return, result.reduced.mean_return
            widths = [one.high - one.low for one in (plain, reduced)]
            numbers = [f"{width:.4f}" for width in (*widths, widths[1] / widths[0])]
            row = [in_words(plain), in_words(reduced), *numbers, f"{result.num_games:,}", f"{seconds:.0f}"]
            grid.add_row(f"{first} - {second}", *row)
    print_whole(grid)


if __name__ == "__main__":
    main()
