"""Control variates of games with chance in play: the dice and cards that came, against those that might have.

The value of a position is what the game's evaluator says of it after some turns that the agents play on, each as it is
compiled, and one that is not as the game's default opponent. Whatever the value is worth, what an event is worth in the
mean less the worth of what came has the expectation zero (the chance part of AIVAT: Burch, Schmid, Moravcik, Morrill
and Bowling 2018).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.batches.game_arrays import Integers, code_of
from romans_agents.loops import chance_loops
from romans_agents.loops.codes import EXTERNAL
from romans_agents.searches.comparison import share_of_difference
from romans_agents.searches.search import evaluator_of
from romans_agents.specs.registry import make
from romans_agents.variates.luck import Luck
from romans_env import Game
from romans_env.compiling.templates import bound
from romans_env.core.games import spec_of
from romans_env.core.protocol import States
from romans_env.engine.random_stream import WORDS, streams_from_seeds

LUCK_EFFORT = 4
"""How many times as many draws and play-outs an event gets where it is looked at alone."""


class ChanceVariates:
    """Sees games while they are played, and computes their `control_variates`.

    There is one for each kind of chance event. The evaluator's ``EFFORT`` is how many draws and play-outs an event
    gets, and over how many turns.

    Args:
        rules: the game with its setup; it has step functions.
        players: for every game the agent of each seat.
        seed: of the draws.
        words: the chance words of the games: int64, shape (games, 4).

    Attributes:
        names: of the variates.
    """

    def __init__(
        self, rules: Any, players: Sequence[Sequence[Agent]], seed: int | np.random.SeedSequence, words: Integers
    ):
        spec = spec_of(rules.name)
        step = spec.part("step")
        self._evaluator = evaluator_of(rules)
        self._loops = bound(chance_loops, game=step, players=spec.part("players"), evaluator=self._evaluator)
        self.names = ("the dice", *map(rules.name_of_event, range(1, len(rules.outcomes))))
        size = chance_loops.NUM_RECORDS
        self._words = words
        self._drawing = rules.new_states(size), streams_from_seeds([seed]), np.zeros((size, WORDS), dtype=np.int64)
        self._variates = np.zeros((len(players), len(self.names), rules.num_players))
        stand_in = code_of(rules, make(spec.default_opponent, game=rules.name))
        codes = {id(agent): code_of(rules, agent) for seats in players for agent in seats}
        self._codes = np.array(
            [[code if (code := codes[id(agent)]) != EXTERNAL else stand_in for agent in seats] for seats in players],
            dtype=np.int8,
        )

    def see(self, states: States, indices: Integers, actions: Integers) -> None:
        """Take note of legal actions that are about to be played in some games."""
        self._loops.add_variates(
            states, indices, actions, self._words, self._codes, self._evaluator.EFFORT, *self._drawing, self._variates
        )

    def luck(self, game: Game) -> Iterator[Luck]:
        """Yield the luck of a game with its past, event by event; the agents of the first game play on."""
        again = Game(game.rules, deal=game.deal())
        draws, playouts, turns = self._evaluator.EFFORT
        effort = LUCK_EFFORT * draws, LUCK_EFFORT * playouts, turns
        for number, (_, name) in enumerate(game.actions):
            before, values = again.states.copy(), np.zeros(len(game.players))
            again.act(name)
            action, codes = game.rules.action_id(name), self._codes[0]
            kind = self._loops.variate_of(before, action, again.states, codes, effort, *self._drawing, values)
            if kind >= 0:
                yield Luck(number, self.names[kind], tuple(share_of_difference(-values, len(values)).tolist()))

    def values(self) -> npt.NDArray[np.float64]:
        """Return the variates of the games: float64, shape (games, players, variates)."""
        return self._variates.swapaxes(1, 2)


def luck_of(game: Game, seed: int) -> list[Luck]:
    """Return the luck of a game with chance in play, where the game's default opponent plays on.

    Args:
        game: the game, with its past.
        seed: the seed of the draws.
    """
    agent = make(spec_of(game.rules.name).default_opponent, game=game.rules.name)
    # A game of the same seed must not have the same draws.
    draws = np.random.SeedSequence([seed, 1])
    variates = ChanceVariates(game.rules, [[agent] * len(game.players)], draws, np.zeros((1, WORDS), dtype=np.int64))
    return list(variates.luck(game))
