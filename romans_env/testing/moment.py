"""Where a check looks: one position of a game, and what else a check may need."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from romans_env.core.game import Game
from romans_env.core.games import GameSpec
from romans_env.core.protocol import Rules, States
from romans_env.core.state_records import copied


@dataclass(frozen=True)
class Moment:
    """A position of a game that is played at random.

    Attributes:
        spec: the game's spec.
        game: the game, which a check leaves as it is.
        random: for the choices of a check.
        generator: the same, of numpy.
    """

    spec: GameSpec
    game: Game
    random: random.Random
    generator: np.random.Generator

    @property
    def rules(self) -> Rules:
        """The game with its setup."""
        return self.game.rules

    @property
    def states(self) -> States:
        """A copy of the game's record, shape (1,)."""
        return copied(self.game.states)

    @property
    def seats(self) -> range:
        """The seats of the players."""
        return range(self.rules.num_players)


def played(game: Game, seed: int, most: int | None = None) -> Iterator[Game]:
    """Play a game at random, to its end or for a number of decisions; yield it at every position, the last included.

    Where no action is legal it stops.
    """
    chosen = random.Random(seed)
    most = game.rules.max_decisions if most is None else most
    for _ in range(most):
        yield game
        legal = game.legal_actions() if not game.is_over else []
        if not legal:
            return
        game.act(chosen.choice(legal))
    yield game


def played_on(game: Game, seed: int, most: int | None = None) -> Game:
    """Return the same game, played at random to its end, or for a number of decisions."""
    for _ in played(game, seed, most):
        pass
    return game
