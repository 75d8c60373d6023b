"""The base class of all batches, which play many games of one setup at once, with their agents."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent, BatchAgent
from romans_agents.batches.game_arrays import GameArrays, Integers, code_of, loops_of
from romans_agents.batches.start_state_buffer import StartStateBuffer
from romans_agents.errors import raised_by
from romans_agents.loops import agent_loops
from romans_agents.loops.codes import LEARNER
from romans_env import Game, IllegalActionError, View
from romans_env.core.protocol import Rules, States
from romans_env.engine.action_arrays import as_actions
from romans_env.engine.saved_games import SavedGamesError, restore_arrays


class BatchWithAgents:
    """Games of one setup and the agents that play in them.

    Compiled loops make the decisions of compiled agents. `play_agents` asks all other agents, one at a time or in
    batches.

    Args:
        rules: the game with its setup.
        states: records of games, shape ``(n,)``; played in place.
        agents: the agents that play; ``arrays.who`` contains indices into this list.

    Attributes:
        arrays: the arrays of the games, which include the agent on each seat (`GameArrays`).
        loops: the compiled loops, bound to the game.
        codes: the codes of the agents, EXTERNAL for agents that are not compiled: int8, shape ``(num_agents,)``.
        restarted: True for games that began at a position of an earlier game: bool, shape ``(n,)``.
    """

    loops = agent_loops

    def __init__(self, rules: Rules, states: States, agents: Sequence[Agent] = ()):
        self.rules, self.states, self.num_games = rules, states, len(states)
        self.loops = loops_of(rules)
        self.arrays = GameArrays.new(rules, states)
        self._line_ups = self.arrays.who
        self.restarted = np.zeros(self.num_games, dtype=np.bool_)
        self._start_states: StartStateBuffer | None = None
        self.agents: list[Agent] = []
        self.codes = np.empty(0, dtype=np.int8)
        for agent in agents:
            self.add_agent(agent)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "loops": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= {**state, "loops": loops_of(state["rules"])}

    def add_agent(self, agent: Agent) -> int:
        """Add an agent to the batch, and return its number for ``arrays.who``."""
        self.agents.append(agent)
        self.codes = np.append(self.codes, np.int8(code_of(self.rules, agent)))
        return len(self.agents) - 1

    def begin_at_positions(self, share: float, seed: int) -> None:
        """Let a share of the future games begin at random positions of recent games.

        A position is a full state, hidden cards included; later chance events are drawn for the new game. The learner
        gets the seat that is to act in the position, and the other agents keep their places relative to the learner.
        Positions are collected only from games that did not begin at a position themselves.

        Args:
            share: the share of games that begin at a position, at least 0 and below 1; with 0, no positions are
                collected.
            seed: the seed that decides which games begin at a position, and which positions are collected and drawn.
        """
        self._start_states = StartStateBuffer(self.states, share, seed) if share else None

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Return copies of the arrays that hold the state of all games, for `restore`; the agents are not saved."""
        return {name: array.copy() for name, array in self._saved_arrays().items()}

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Restore the state that `saved` returned; the batch must have the same agents in the same order.

        Raises:
            SavedGamesError: if the arrays do not fit these games and agents.
        """
        who = saved.get("who", LEARNER)
        if np.any(who < LEARNER) or np.any(who >= len(self.agents)):
            raise SavedGamesError(f"the saved games have other agents than the {len(self.agents)} of this batch")
        restore_arrays(self._saved_arrays(), saved)

    def _saved_arrays(self) -> dict[str, npt.NDArray[Any]]:
        begun = {} if self._start_states is None else {"restarted": self.restarted, **self._start_states.arrays()}
        return {**self.arrays._asdict(), **begun}

    def _keep_positions(self) -> None:
        if self._start_states is not None:
            games = self._start_states.some_games()
            games = games[(self.rules.seats_to_act(self.states[games]) >= 0) & ~self.restarted[games]]
            self._start_states.keep(self.states[games])

    def _restart(self, games: Integers) -> Integers:
        """Move a share of games that have just started to positions of earlier games; return the moved games."""
        if self._start_states is None:
            return games[:0]
        self.restarted[games], positions = self._start_states.draw(games.size)
        games, players = games[self.restarted[games]], self.rules.num_players
        self.states[games] = positions
        # Rotate the seats of each game until the learner has the seat that is to act in the position.
        own = (self._line_ups[games, :players] == LEARNER).argmax(axis=1)
        turned = (np.arange(players) - (self.rules.seats_to_act(positions) - own)[:, None]) % players
        by_seat: list[npt.NDArray[Any]] = [self.arrays.who, self.arrays.controllers]
        if self._line_ups is not self.arrays.who:  # only self-play has separate line-ups
            by_seat.append(self._line_ups)
        for array in by_seat:
            array[games, :players] = array[games[:, None], turned]
        return games

    # -- decisions in Python

    def play_agents(self) -> int:
        """Play one decision in every game in which one of the agents is to act.

        Returns:
            The number of games in which an agent was to act.

        Raises:
            IllegalActionError: if an agent chooses an illegal action; the message names the agent.
        """
        seats = self.rules.seats_to_act(self.states)
        who = np.where(seats < 0, LEARNER, self.arrays.who[np.arange(self.num_games), seats])
        for k in np.unique(who[who >= 0]):
            indices = np.flatnonzero(who == k)
            self.act(*self._answers(indices, self.agents[k]))
        return int(np.count_nonzero(who >= 0))

    def act(self, indices: Integers, actions: Integers) -> None:
        """Play an action in each of some games, and run each game until an agent that is not compiled is to act.

        Args:
            indices: indices of the games, int64, shape ``(k,)``.
            actions: the action to play in each of these games, int64, shape ``(k,)``.

        Raises:
            IllegalActionError: if an action is illegal; the message names the agent. The games before this one have
                been played.
        """
        wrong = self.loops.act_in_games(self.arrays, indices, actions)
        if wrong >= 0:
            i = int(indices[wrong])
            k = int(self._line_ups[i, self.rules.seat_to_act(self.states, i)])
            name = "the learner" if k == LEARNER else f"the agent {self.agents[k].name}"
            raise IllegalActionError(f"{name}: {self.why_illegal(i, int(actions[wrong]))}")

    def choose(self, indices: Integers, agent: Agent) -> Integers:
        """Ask an agent for an action in each of some games, with one call if the agent can choose in batches.

        Args:
            indices: indices of the games, int64, shape ``(k,)``.
            agent: the agent.

        Returns:
            Action ids, legal or not, int64, shape ``(k,)``.

        Raises:
            IllegalActionError: if an answer names no action; the message names the agent.
            AgentError: if the agent's code raises an error; the message names the agent.
        """
        with raised_by(agent):
            if isinstance(agent, BatchAgent):
                return self.choose_in_batch(indices, agent)
            return np.array([self.as_action(self.ask(int(i), agent), agent) for i in indices], dtype=np.int64)

    def choose_in_batch(self, indices: Integers, agent: BatchAgent) -> Integers:
        """Ask an agent for an action in each of some games, with one call of ``act_batch``.

        Args:
            indices: indices of the games, int64, shape ``(k,)``.
            agent: the agent.

        Returns:
            Action ids, legal or not, int64, shape ``(k,)``.

        Raises:
            IllegalActionError: if the answer is not an array of k integers; the message names the agent.
        """
        return _checked(agent.act_batch(*self.observed(indices)), agent, indices.size)

    def ask(self, i: int, agent: Agent) -> Any:
        """Ask an agent for its decision in game ``i``, and return the answer unchecked."""
        if isinstance(agent, BatchAgent):
            return agent.act_batch(*self.observed(np.array([i])))
        seat = self.rules.seat_to_act(self.states, i)
        return agent.act(View(self.rules, self.rules.redacted_for(self.states, i, seat), seat))

    def as_action(self, answer: Any, agent: Agent) -> int:
        """Convert an answer of `ask` into an action id, legal or not.

        Raises:
            IllegalActionError: if the answer is neither the id nor the name of an action; the message names the agent.
        """
        if isinstance(agent, BatchAgent):
            return int(_checked(answer, agent, 1)[0])
        try:
            return self.rules.action_id(answer) if isinstance(answer, str) else operator.index(answer)
        except (TypeError, ValueError):
            raise IllegalActionError(
                f"the agent {agent.name} chose {answer!r}, which is neither the id nor the name of an action"
            ) from None

    def why_illegal(self, i: int, action: int) -> str:
        """Return one line that explains why an action is illegal in game ``i``."""
        return Game.of_states(self.rules, self.states[i : i + 1].copy()).why_illegal(action)

    def observed(self, indices: Integers) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
        """Return the observations and action masks of the seats to act in some games.

        Args:
            indices: indices of the games, int64, shape ``(k,)``.

        Returns:
            Observations, in the dtype of the game's observations (int8 or int16), shape ``(k, observation_size)``, and
            action masks, int8, shape ``(k, num_actions)``; 1 marks a legal action.
        """
        observations = np.empty((indices.size, self.rules.observation_size), dtype=self.rules.observation_low.dtype)
        masks = np.empty((indices.size, self.rules.num_actions), dtype=np.int8)
        self.loops.observe_games(self.states, indices, observations, masks)
        return observations, masks

    def _answers(self, indices: Integers, agent: Agent) -> tuple[Integers, Integers]:
        """Return the games that continue and the agent's action in each of them; a subclass may end games."""
        return indices, self.choose(indices, agent)


def new_states(rules: Rules, num_games: int) -> States:
    """Return records of games that have not begun, shape ``(num_games,)``.

    Raises:
        ValueError: if ``num_games`` is below 1.
    """
    if num_games < 1:
        raise ValueError(f"the number of games is at least 1, not {num_games}")
    return rules.new_states(num_games)


def _checked(actions: Any, agent: Agent, count: int) -> Integers:
    try:
        return as_actions(actions, count)
    except (TypeError, ValueError) as error:
        raise IllegalActionError(f"the agent {agent.name}, act_batch: {error}") from None
