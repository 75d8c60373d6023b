"""The time that a person waits for the review of a game: seconds to the first mistake, and to the end.

    python -m benchmarks.review_waiting                      # ten games of each game, against its default opponents
    python -m benchmarks.review_waiting --game roma --games 3

The person is simulated by an agent that makes one random choice in ten. As on a server, only the person's choices are
reviewed, and code is already compiled.
"""

from __future__ import annotations

import random
import time
from typing import NamedTuple

import click
import numpy as np

import romans_agents
from romans_env import Game
from romans_env.core.games import spec_of
from romans_env.core.records import Record
from romans_serve.thinkers.reviewing import reviewed
from romans_serve.thinking import ReviewPart

AT_RANDOM = 0.1
"""Share of the person's choices that are random."""
PLAYERS = {"romans-go-home": "hoarder", "roma": "raider", "struggle": "trader"}
"""The agent that plays for the person, by game."""


class Waited(NamedTuple):
    """Times of a review in seconds.

    Attributes:
        first: to the first mistake, or to the end if there is none.
        end: to the complete review.
        mistakes: the number of mistakes.
    """

    first: float
    end: float
    mistakes: int


def recorded(game: str, seed: int) -> Record:
    """Play a game of a simulated person who errs against the default opponents; return its record."""
    spec, choose = spec_of(game), random.Random(seed)
    rules = spec.make_rules()
    agents = [romans_agents.make(PLAYERS.get(game, "random"), game=game)]
    agents += [romans_agents.make(spec.default_opponent, game=game) for _ in rules.players[1:]]
    played = Game(rules, seed=seed)
    while (seat := played.seat_to_act) is not None:
        view = played.view(seat)
        is_random = seat == 0 and choose.random() < AT_RANDOM
        played.act(choose.choice(view.legal_actions()) if is_random else agents[seat].act(view))
    names = {player: "human" if seat == 0 else spec.default_opponent for seat, player in enumerate(rules.players)}
    played.agents = names
    return played.record()


def waited(record: Record) -> Waited:
    """Review a game and return the times."""
    begun, first = time.perf_counter(), list[float]()

    def told(part: ReviewPart) -> None:
        if part.mistake is not None:
            first.append(time.perf_counter() - begun)

    found = reviewed(record, on_part=told)
    end = time.perf_counter() - begun
    return Waited(first[0] if first else end, end, len(found.mistakes))


@click.command()
@click.option("--game", "games", multiple=True, help="Name of a game; may be repeated.  [default: all three]")
@click.option("--games", "number", default=10, show_default=True, help="Number of games.")
def main(games: tuple[str, ...], number: int) -> None:
    """Measure reviews; the first one of each game, which loads code, is left out."""
    click.echo("| game | games | first mistake: median s | most s | end: median s | most s | mistakes |")
    click.echo(f"|---|{'---:|' * 6}")
    for game in games or tuple(PLAYERS):
        found = [waited(recorded(game, seed)) for seed in range(number + 1)][1:]
        first, end, mistakes = np.array(found).T
        seconds = [f"{value:.1f}" for one in (first, end) for value in (np.median(one), one.max())]
        click.echo(f"| {spec_of(game).title} | {number} | {' | '.join(seconds)} | {mistakes.mean():.1f} |")


if __name__ == "__main__":
    main()
