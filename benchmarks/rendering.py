"""How fast pictures are made: frames of ``render_mode="rgb_array"``, and replay pages.

    python -m benchmarks.rendering

Games of random players are drawn after every decision, in the light theme, 600 pixels wide. Most decisions change one
or two of a picture's bands, and a band that has been drawn lately is not drawn again; the slowest case, where
everything is new, is measured beside it.
"""

from __future__ import annotations

import itertools
from functools import partial

import click
import numpy as np

from benchmarks.speed.report import print_measurements
from benchmarks.speed.setups import rules_by_players
from benchmarks.speed.timing import Case, Chunk, measure
from romans_env import Game, replay_page
from romans_env.games import spec_of
from romans_env.protocol import Rules
from romans_env.render import raster
from romans_training.cli.options import game_option

_MOST_FRAMES = 200


def frames(rules: Rules, keeps_bands: bool) -> Chunk:
    """Frames of a random game, another one in every chunk; a step is a frame."""
    seeds, renderer = itertools.count(), spec_of(rules.name).part("renderer")

    def chunk() -> int:
        seed = next(seeds)
        game, rng = Game(rules, seed=seed), np.random.default_rng(seed)
        while not game.is_over and len(game.actions) < _MOST_FRAMES:
            game.act(int(rng.choice(game.legal_actions())))
            if not keeps_bands:
                raster.pixels.cache_clear()
            renderer.picture(game, None).pixels()
        return len(game.actions)

    return chunk


def pages(rules: Rules) -> Chunk:
    """The replay page of a random game; a step is a page."""
    game, rng = Game(rules, seed=0), np.random.default_rng(0)
    while not game.is_over:
        game.act(int(rng.choice(game.legal_actions())))
    return lambda: len(replay_page(game).html) and 1


@click.command()
@game_option
@click.option("--runs", type=click.IntRange(min=1), default=3, show_default=True, help="How often each case is timed.")
@click.option(
    "--seconds", type=click.FloatRange(min=0.01), default=0.5, show_default=True, help="Length of a run, at least."
)
def main(game: str, runs: int, seconds: float) -> None:
    """Measure, and print a table."""
    cases = []
    for rules in rules_by_players(spec_of(game)):
        new = f"frames {rules.setup}, all new"
        cases += [
            Case(f"frames {rules.setup}", partial(frames, rules, True), new),
            Case(new, partial(frames, rules, False)),
            Case(f"replay pages {rules.setup}", partial(pages, rules)),
        ]
    print_measurements("Rendering", measure("rendering", cases, runs, seconds), "per second")


if __name__ == "__main__":
    main()
