"""Many games between any agents: scripted ones compiled, learned ones in batches, all others one view at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.base import Agent, BatchAgent
from agents.romans_go_home import inside
from romans_env import IllegalActionError, RomansGoHome, View
from romans_env.romans_go_home.compiled import compiling_notice
from romans_env.romans_go_home.random_stream import streams_from_seeds
from romans_env.romans_go_home.state import PHASE_GAME_OVER, States


class Arena:
    """Games at one table, played to their ends.

    Args:
        rules: the game and its table.
        states: started games, shape (n,); played in place.
        players: for every game the agent of each seat.
        seeds: one for each game, of the chance of its compiled agents.
    """

    def __init__(
        self,
        rules: RomansGoHome,
        states: States,
        players: Sequence[Sequence[Agent]],
        seeds: Sequence[int] | npt.NDArray[np.int64],
    ):
        self.rules, self.states = rules, states
        self._streams = streams_from_seeds(seeds)
        self._scratch = rules.new_states(1)
        agents = {id(agent): agent for seats in players for agent in seats}
        self._agents = list(agents.values())
        number = {key: k for k, key in enumerate(agents)}
        self._who = np.array([[number[id(agent)] for agent in seats] for seats in players])
        codes = np.array([agent.compiled_code or inside.EXTERNAL for agent in self._agents], dtype=np.int8)
        self._controllers = np.zeros((len(states), 4), dtype=np.int8)
        self._controllers[:, : rules.num_players] = codes[self._who]

    def play(self) -> Iterator[int]:
        """Play all games to their ends; gives the number of finished games now and then."""
        with compiling_notice():
            inside.run_all(self.states, self._controllers, self._streams, self._scratch)
        while True:
            running = np.flatnonzero(self.states["phase"] != PHASE_GAME_OVER)
            yield len(self.states) - running.size
            if not running.size:
                return
            who = self._who[running, self.states["seat"][running]]
            for k, agent in enumerate(self._agents):
                indices = running[who == k]
                if indices.size:
                    self._act(indices, agent)

    def _act(self, indices: npt.NDArray[np.int64], agent: Agent) -> None:
        if isinstance(agent, BatchAgent):
            actions = np.asarray(agent.act_batch(*self._observed(indices)), dtype=np.int64)
        else:
            actions = np.array([self._act_from_view(int(i), agent) for i in indices], dtype=np.int64)
        with compiling_notice():
            wrong = inside.act_in(self.states, indices, actions, self._controllers, self._streams, self._scratch)
        if wrong >= 0:
            raise IllegalActionError(f"{agent.name} chose action {actions[wrong]}, which is not legal")

    def _observed(self, indices: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        observations = np.empty((indices.size, self.rules.observation_low.size), dtype=np.int8)
        masks = np.empty((indices.size, self.rules.num_actions), dtype=np.int8)
        with compiling_notice():
            inside.observe_in(self.states, indices, observations, masks)
        return observations, masks

    def _act_from_view(self, i: int, agent: Agent) -> Any:
        seat = int(self.states["seat"][i])
        return agent.act(View(self.rules, self.rules.hidden_from(self.states, i, seat), seat))
