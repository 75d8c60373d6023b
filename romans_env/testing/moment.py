"""A position of a game to check, with the random generators for the check."""

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
    """A position of a game of random play.

    Attributes:
        spec: the game's spec.
        game: the game; a check must leave it unchanged.
        random: Python's generator for the choices of a check.
        generator: numpy's generator for the same purpose.
    """

    spec: GameSpec
    game: Game
    random: random.Random
    generator: np.random.Generator

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.game.rules

    @property
    def states(self) -> States:
        """A copy of the game's record, shape ``(1,)``."""
        return copied(self.game.states)

    @property
    def seats(self) -> range:
        """The seats of the players."""
        return range(self.rules.num_players)


def played(game: Game, seed: int, most: int | None = None) -> Iterator[Game]:
    """Play a game at random, to its end or for a number of decisions; yield it at each position, including the last.

    Play stops early if no action is legal.
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
    """Play a game at random to its end, or for a number of decisions; return the same game."""
    for _ in played(game, seed, most):
        pass
    return game
