"""Games between agents, played to their ends: many at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.kernels import EXTERNAL, codes_of
from romans_agents.python_agents import PythonAgents
from romans_agents.referee import Referee
from romans_env.engine.random_stream import WORDS, streams_from_seeds
from romans_env.protocol import Rules, States


class Arena:
    """Games with one setup, played to their ends.

    Args:
        rules: the game.
        states: started games, shape (n,); played in place.
        players: for every game the agent of each seat.
        seeds: one for each game, of the chance of its compiled agents.
        referee: as for `PythonAgents`.
        words: the chance words of each game, int64, shape (n, 4); None for a game without chance in play.
    """

    def __init__(
        self,
        rules: Rules,
        states: States,
        players: Sequence[Sequence[Agent]],
        seeds: Sequence[int | np.random.SeedSequence],
        referee: Referee | None = None,
        words: npt.NDArray[np.int64] | None = None,
    ):
        self.states = states
        self._streams = streams_from_seeds(seeds)
        self._words = np.zeros((len(states), WORDS), dtype=np.int64) if words is None else words
        agents = {id(agent): agent for seats in players for agent in seats}
        number = {key: k for k, key in enumerate(agents)}
        who = np.full((len(states), len(rules.seats)), -1)
        who[:, : rules.num_players] = [[number[id(agent)] for agent in seats] for seats in players]
        self._controllers = np.full(who.shape, EXTERNAL, dtype=np.int8)
        self._players = PythonAgents(
            rules, states, list(agents.values()), who, self._controllers, self._streams, self._words, referee
        )
        codes = codes_of(self._players.kernels, list(agents.values()))
        self._controllers[:] = np.where(who >= 0, codes[who], EXTERNAL)

    def play(self) -> Iterator[int]:
        """Play all games to their ends; gives the number of finished games now and then."""
        self._players.kernels.run(self.states, self._controllers, self._streams, self._words)
        while True:
            waiting = self._players.play_one_each()
            yield len(self.states) - waiting
            if not waiting:
                return
