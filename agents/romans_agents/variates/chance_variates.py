"""Control variates for games with chance in play, which compare the actual dice and cards with the expectation.

The control variate of a chance event is the expected value of the position over the event's outcomes, minus the value
after the actual outcome: the chance part of AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018). Its expectation
is zero however inaccurate the values are. To value a position, a playout of some turns is played, and the game's
evaluator values the position at its end. Compiled agents play their own moves in the playout; the game's default
opponent stands in for all other agents.
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
"""Factor by which an event gets more draws and playouts when the luck of a single game is computed."""


class ChanceVariates:
    """Computes the control variates of games while they are played: one variate for each kind of chance event.

    The evaluator's ``EFFORT`` sets the number of draws and playouts per event, and the number of turns in a playout.

    Args:
        rules: the game with its setup; the game must have step functions.
        players: the agent on each seat of every game.
        seed: the seed of the draws.
        words: the chance words of the games: int64, shape ``(games, 4)``.

    Attributes:
        names: the names of the variates.
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
        """Add the variates of the chance events that will follow some actions; call it before they are played.

        Args:
            states: records of all games, shape ``(games,)``.
            indices: indices of the games, int64, shape ``(k,)``.
            actions: the action, a legal one, that is about to be played in each of these games: int64, shape ``(k,)``.
        """
        self._loops.add_variates(
            states, indices, actions, self._words, self._codes, self._evaluator.EFFORT, *self._drawing, self._variates
        )

    def luck(self, game: Game) -> Iterator[Luck]:
        """Yield the luck of each chance event of a recorded game; the playouts use the agents ``players[0]``."""
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
        """Return the variates of the games: float64, shape ``(games, players, variates)``."""
        return self._variates.swapaxes(1, 2)


def luck_of(game: Game, seed: int) -> list[Luck]:
    """Compute the luck of each chance event of a game; in the playouts, the game's default opponent plays all seats.

    Args:
        game: the game with its history.
        seed: the seed of the draws.
    """
    agent = make(spec_of(game.rules.name).default_opponent, game=game.rules.name)
    # Derived from the seed, because a game with the same seed must not have the same draws.
    draws = np.random.SeedSequence([seed, 1])
    variates = ChanceVariates(game.rules, [[agent] * len(game.players)], draws, np.zeros((1, WORDS), dtype=np.int64))
    return list(variates.luck(game))
