"""Many games between any agents: scripted ones compiled, learned ones in batches, all others one view at a time."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent, BatchAgent
from romans_agents.referee import Referee
from romans_agents.romans_go_home import inside, weighing
from romans_agents.romans_go_home.characters import EXTERNAL, FIRST_WEIGHING
from romans_env import Game, IllegalActionError, RomansGoHome, View
from romans_env.batch import as_actions
from romans_env.engine.random_stream import streams_from_seeds
from romans_env.romans_go_home.state import PHASE_GAME_OVER, States


class PlayersInPython:
    """Plays the decisions that the compiled games leave to Python: of agents that are not compiled, and whole plans.

    Args:
        rules: the game and its table.
        states: started games, shape (n,); played in place.
        agents: the agents that play.
        who: the number of the agent on each seat of each game: integers, shape (n, 4); below 0 for a seat that somebody
            else plays. Read anew at every call.
        controllers: ``codes_of(agents)[who]``, shape (n, 4).
        streams: one for each game, of the chance of its compiled agents.
        referee: takes the agents' answers, and ends games in which one is at fault; without it faults are raised.
    """

    def __init__(
        self,
        rules: RomansGoHome,
        states: States,
        agents: Sequence[Agent],
        who: npt.NDArray[Any],
        controllers: npt.NDArray[np.int8],
        streams: npt.NDArray[np.int64],
        referee: Referee | None = None,
    ):
        self.rules, self.states, self.agents, self.who = rules, states, agents, who
        self.controllers, self.streams, self._referee = controllers, streams, referee

    def play_one_each(self) -> int:
        """One decision in every game that waits for one of the agents; returns how many games did.

        Raises:
            IllegalActionError: naming the agent.
        """
        rows = np.arange(len(self.states))
        who = np.where(self.states["phase"] == PHASE_GAME_OVER, -1, self.who[rows, self.states["seat"]])
        for k in np.unique(who[who >= 0]):
            self._act(np.flatnonzero(who == k), self.agents[k])
        return int(np.count_nonzero(who >= 0))

    def choose_in_batch(self, indices: npt.NDArray[np.int64], agent: BatchAgent) -> npt.NDArray[np.int64]:
        """The agent's actions in some games, by ``act_batch``: one for each game, legal or not.

        Raises:
            IllegalActionError: naming the agent, when the answer is no row of integers.
        """
        return self._checked(agent.act_batch(*self._observed(indices)), agent, indices.size)

    def ask(self, i: int, agent: Agent) -> Any:
        """The agent's answer in game i, whatever it is."""
        if isinstance(agent, BatchAgent):
            return agent.act_batch(*self._observed(np.array([i])))
        seat = int(self.states["seat"][i])
        return agent.act(View(self.rules, self.rules.redacted_for(self.states, i, seat), seat))

    def understood(self, answer: Any, agent: Agent) -> int:
        """The action that an answer of `ask` names, legal or not.

        Raises:
            IllegalActionError: naming the agent, when it is neither the id nor the name of an action.
        """
        if isinstance(agent, BatchAgent):
            return int(self._checked(answer, agent, 1)[0])
        try:
            return self.rules.action_id(answer) if isinstance(answer, str) else operator.index(answer)
        except (TypeError, ValueError):
            raise IllegalActionError(
                f"the agent {agent.name} chose {answer!r}, which is neither the id nor the name of an action"
            ) from None

    def is_legal(self, i: int, action: int) -> bool:
        """Whether an action is legal in game i."""
        return self.rules.is_legal(self.states, i, action)

    def why_illegal(self, i: int, action: int) -> str:
        """One line about an action that is not legal in game i."""
        return Game.of_states(self.rules, self.states[i : i + 1].copy()).why_illegal(action)

    def end(self, i: int) -> int:
        """End game i where it stands; returns the seat that was to decide."""
        seat = int(self.states["seat"][i])
        self.states["phase"][i] = PHASE_GAME_OVER
        return seat

    def _act(self, indices: npt.NDArray[np.int64], agent: Agent) -> None:
        if agent.compiled_code is not None:
            weighing.plan_in(self.states, indices, self.controllers, self.streams)
            return
        if self._referee is not None:
            indices, actions = self._referee.answers(self, indices, agent)
        elif isinstance(agent, BatchAgent):
            actions = self.choose_in_batch(indices, agent)
        else:
            actions = np.array([self.understood(self.ask(int(i), agent), agent) for i in indices], dtype=np.int64)
        wrong = inside.act_in(self.states, indices, actions, self.controllers, self.streams)
        if wrong >= 0:
            why = self.why_illegal(int(indices[wrong]), int(actions[wrong]))
            raise IllegalActionError(f"the agent {agent.name}: {why}")

    def _checked(self, actions: Any, agent: Agent, count: int) -> npt.NDArray[np.int64]:
        try:
            return as_actions(actions, count)
        except (TypeError, ValueError) as error:
            raise IllegalActionError(f"the agent {agent.name}, act_batch: {error}") from None

    def _observed(self, indices: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        observations = np.empty((indices.size, self.rules.observation_low.size), dtype=np.int8)
        masks = np.empty((indices.size, self.rules.num_actions), dtype=np.int8)
        inside.observe_in(self.states, indices, observations, masks)
        return observations, masks


class Arena:
    """Games at one table, played to their ends.

    Args:
        rules: the game and its table.
        states: started games, shape (n,); played in place.
        players: for every game the agent of each seat.
        seeds: one for each game, of the chance of its compiled agents.
        referee: as for `PlayersInPython`.
    """

    def __init__(
        self,
        rules: RomansGoHome,
        states: States,
        players: Sequence[Sequence[Agent]],
        seeds: Sequence[int | np.random.SeedSequence],
        referee: Referee | None = None,
    ):
        self.states = states
        self._streams = streams_from_seeds(seeds)
        agents = {id(agent): agent for seats in players for agent in seats}
        number = {key: k for k, key in enumerate(agents)}
        who = np.full((len(states), 4), -1)
        who[:, : rules.num_players] = [[number[id(agent)] for agent in seats] for seats in players]
        self._controllers = np.where(who >= 0, codes_of(list(agents.values()))[who], EXTERNAL).astype(np.int8)
        self._players = PlayersInPython(
            rules, states, list(agents.values()), who, self._controllers, self._streams, referee
        )

    def play(self) -> Iterator[int]:
        """Play all games to their ends; gives the number of finished games now and then."""
        inside.run_all(self.states, self._controllers, self._streams)
        while True:
            waiting = self._players.play_one_each()
            yield len(self.states) - waiting
            if not waiting:
                return


def all_compiled(codes: npt.NDArray[np.int8]) -> bool:
    """Whether compiled games never stop for one of these agents."""
    return bool(((codes != EXTERNAL) & (codes < FIRST_WEIGHING)).all())


def codes_of(agents: Sequence[Agent]) -> npt.NDArray[np.int8]:
    """The number under which compiled games know each agent; EXTERNAL for those that play in Python."""
    return np.array([agent.compiled_code or EXTERNAL for agent in agents], dtype=np.int8)
