"""Games of one setup and the agents that play in them: what every driver of many games is built on."""

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
    """Games, their agents, and the decisions that agents make in Python: one at a time or in batches.

    Compiled loops play the decisions of compiled agents. What they leave to Python, `play_agents` plays.

    Args:
        rules: the game.
        states: records of games, shape (n,); played in place.
        agents: the agents that play, by the numbers in ``arrays.who``.

    Attributes:
        arrays: the games, and who plays on each seat.
        loops: the compiled loops, bound to the game.
        codes: the codes of the agents, EXTERNAL for those that are not compiled: int8, shape (k,).
        restarted: the games that began at a position of an earlier one, not at the start: bool, shape (n,).
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
        """Let an agent take part; return its number."""
        self.agents.append(agent)
        self.codes = np.append(self.codes, np.int8(code_of(self.rules, agent)))
        return len(self.agents) - 1

    def begin_at_positions(self, share: float, seed: int) -> None:
        """Have a share of the games to come begin at positions of recent games, drawn at random.

        A position is a whole record, with the cards that are hidden in it; the chance to come is that of the new game.
        The learner has the seat that decides there, and the line-up follows from it. Only games that began at the start
        give positions. With a share of 0 none are kept.
        """
        self._start_states = StartStateBuffer(self.states, share, seed) if share else None

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Return the state of all games, without the agents: arrays for `restore`."""
        return {name: array.copy() for name, array in self._saved_arrays().items()}

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Go back to where `saved` was called; the agents must be the same ones, in the same order.

        Raises:
            SavedGamesError: arrays that do not fit these games and agents.
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
        """Put a share of games that have just started at positions of earlier ones; return which."""
        if self._start_states is None:
            return games[:0]
        self.restarted[games], positions = self._start_states.draw(games.size)
        games, players = games[self.restarted[games]], self.rules.num_players
        self.states[games] = positions
        # The seats of each game are turned until the learner sits where the position asks for a decision.
        own = (self._line_ups[games, :players] == LEARNER).argmax(axis=1)
        turned = (np.arange(players) - (self.rules.seats_to_act(positions) - own)[:, None]) % players
        by_seat: list[npt.NDArray[Any]] = [self.arrays.who, self.arrays.controllers]
        if self._line_ups is not self.arrays.who:  # of self-play, which has line-ups of its own
            by_seat.append(self._line_ups)
        for array in by_seat:
            array[games, :players] = array[games[:, None], turned]
        return games

    # -- decisions in Python

    def play_agents(self) -> int:
        """Play one decision in every game that waits for one of the agents; return how many games did.

        Raises:
            IllegalActionError: naming the agent.
        """
        seats = self.rules.seats_to_act(self.states)
        who = np.where(seats < 0, LEARNER, self.arrays.who[np.arange(self.num_games), seats])
        for k in np.unique(who[who >= 0]):
            indices = np.flatnonzero(who == k)
            self.act(*self._answers(indices, self.agents[k]))
        return int(np.count_nonzero(who >= 0))

    def act(self, indices: Integers, actions: Integers) -> None:
        """Play an action in some games, and run those on to the next decision that is not compiled.

        Raises:
            IllegalActionError: naming the agent; the games before that one have been played.
        """
        wrong = self.loops.act_in_games(self.arrays, indices, actions)
        if wrong >= 0:
            i = int(indices[wrong])
            k = int(self._line_ups[i, self.rules.seat_to_act(self.states, i)])
            name = "the learner" if k == LEARNER else f"the agent {self.agents[k].name}"
            raise IllegalActionError(f"{name}: {self.why_illegal(i, int(actions[wrong]))}")

    def choose(self, indices: Integers, agent: Agent) -> Integers:
        """Return the agent's actions in some games, however it is asked: one for each game, legal or not.

        Raises:
            IllegalActionError: naming the agent, for an answer that names no action.
            AgentError: naming the agent, for an error in its code.
        """
        with raised_by(agent):
            if isinstance(agent, BatchAgent):
                return self.choose_in_batch(indices, agent)
            return np.array([self.as_action(self.ask(int(i), agent), agent) for i in indices], dtype=np.int64)

    def choose_in_batch(self, indices: Integers, agent: BatchAgent) -> Integers:
        """Return the agent's actions in some games, by ``act_batch``: one for each game, legal or not.

        Raises:
            IllegalActionError: naming the agent, when the answer is no row of integers.
        """
        return _checked(agent.act_batch(*self.observed(indices)), agent, indices.size)

    def ask(self, i: int, agent: Agent) -> Any:
        """Return the agent's answer in game i, whatever it is."""
        if isinstance(agent, BatchAgent):
            return agent.act_batch(*self.observed(np.array([i])))
        seat = self.rules.seat_to_act(self.states, i)
        return agent.act(View(self.rules, self.rules.redacted_for(self.states, i, seat), seat))

    def as_action(self, answer: Any, agent: Agent) -> int:
        """Return the action that an answer of `ask` names, legal or not.

        Raises:
            IllegalActionError: naming the agent, when it is neither the id nor the name of an action.
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
        """Return one line about an action that is not legal in game i."""
        return Game.of_states(self.rules, self.states[i : i + 1].copy()).why_illegal(action)

    def observed(self, indices: Integers) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
        """Return observations and action masks of the seats that must decide in some games."""
        observations = np.empty((indices.size, self.rules.observation_size), dtype=self.rules.observation_low.dtype)
        masks = np.empty((indices.size, self.rules.num_actions), dtype=np.int8)
        self.loops.observe_games(self.states, indices, observations, masks)
        return observations, masks

    def _answers(self, indices: Integers, agent: Agent) -> tuple[Integers, Integers]:
        """Return the games in which the agent acts, and its action in each."""
        return indices, self.choose(indices, agent)


def new_states(rules: Rules, num_games: int) -> States:
    """Return records of games that have not begun.

    Raises:
        ValueError: the number of games is below 1.
    """
    if num_games < 1:
        raise ValueError(f"the number of games is at least 1, not {num_games}")
    return rules.new_states(num_games)


def _checked(actions: Any, agent: Agent, count: int) -> Integers:
    try:
        return as_actions(actions, count)
    except (TypeError, ValueError) as error:
        raise IllegalActionError(f"the agent {agent.name}, act_batch: {error}") from None
