"""How fast pictures are made: frames of ``render_mode="rgb_array"``, and replays.

    python -m benchmarks.rendering

Games of random players are drawn after every decision, in the light theme, 600 pixels wide. Most decisions change one
or two of a picture's bands, and a band that has been drawn lately is not drawn again; the slowest case, where
everything is new, is given beside it. Figures are by the processor's time of this process, and so independent of what
else the machine does.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import click
import numpy as np

from romans_env import Game, RomansGoHome, Table, replay_page
from romans_env.games import spec_of
from romans_env.render import raster
from romans_training.reporting import markdown_grid, print_whole

TABLES = ((2, 0), (2, 2), (4, 0))


def _random_game(table: Table, seed: int, after_each: Callable[[Game], object]) -> Game:
    rng = np.random.default_rng(seed)
    game = Game(RomansGoHome(table), seed=seed)
    while not game.is_over:
        game.act(int(rng.choice(game.legal_actions())))
        after_each(game)
    return game


def frames_per_second(table: Table, num_games: int, keep_bands: bool) -> float:
    """Frames a second of processor time, over whole games."""
    spent, frames = 0.0, 0

    def draw(game: Game) -> None:
        nonlocal spent, frames
        if not keep_bands:
            raster.pixels.cache_clear()
        started = time.process_time()
        spec_of(game.rules.name).part("renderer").picture(game, None).pixels()
        spent += time.process_time() - started
        frames += 1

    for seed in range(num_games):
        _random_game(table, seed, draw)
    return frames / spent


@click.command()
@click.option("--games", type=click.IntRange(min=1), default=3, show_default=True, help="Games at every table.")
def main(games: int) -> None:
    """Measure, and print a table."""
    _random_game(Table(2, 0), 0, lambda game: game.position())  # what is compiled once is not part of it
    grid = markdown_grid(("table",), ("frames/s", "all new, frames/s", "replay, ms", "replay, kB"))
    for players, neutrals in TABLES:
        table = Table(players, neutrals)
        game = _random_game(table, 0, lambda game: None)
        started = time.process_time()
        page = replay_page(game).html
        spent = time.process_time() - started
        grid.add_row(
            f"{players}+{neutrals}",
            f"{frames_per_second(table, games, True):.0f}",
            f"{frames_per_second(table, games, False):.0f}",
            f"{1e3 * spent:.0f}",
            f"{len(page.encode()) / 1e3:.0f}",
        )
    print_whole(grid)


if __name__ == "__main__":
    main()
