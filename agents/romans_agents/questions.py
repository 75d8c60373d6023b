"""Questions to agents that play in Python: what they answer, and whether that is legal."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent, BatchAgent
from romans_agents.kernels import kernels_of
from romans_env import Game, IllegalActionError, View
from romans_env.engine.action_arrays import as_actions
from romans_env.protocol import Rules, States


class Questions:
    """Asks agents for actions in games, one at a time or in batches.

    Args:
        rules: the game.
        states: started games, shape (n,).
    """

    def __init__(self, rules: Rules, states: States):
        self.rules, self.states, self.kernels = rules, states, kernels_of(rules)

    def choose(self, indices: npt.NDArray[np.int64], agent: Agent) -> npt.NDArray[np.int64]:
        """The agent's actions in some games, however it is asked: one for each game, legal or not.

        Raises:
            IllegalActionError: naming the agent, for an answer that names no action.
        """
        if isinstance(agent, BatchAgent):
            return self.choose_in_batch(indices, agent)
        return np.array([self.understood(self.ask(int(i), agent), agent) for i in indices], dtype=np.int64)

    def choose_in_batch(self, indices: npt.NDArray[np.int64], agent: BatchAgent) -> npt.NDArray[np.int64]:
        """The agent's actions in some games, by ``act_batch``: one for each game, legal or not.

        Raises:
            IllegalActionError: naming the agent, when the answer is no row of integers.
        """
        return self._checked(agent.act_batch(*self.observed(indices)), agent, indices.size)

    def ask(self, i: int, agent: Agent) -> Any:
        """The agent's answer in game i, whatever it is."""
        if isinstance(agent, BatchAgent):
            return agent.act_batch(*self.observed(np.array([i])))
        seat = self.rules.seat_to_act(self.states, i)
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
        seat = self.rules.seat_to_act(self.states, i)
        self.rules.end_early(self.states, i)
        return seat

    def observed(self, indices: npt.NDArray[np.int64]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
        """Observations and masks of the seats that must decide in some games."""
        observations = np.empty((indices.size, self.rules.observation_size), dtype=self.rules.observation_low.dtype)
        masks = np.empty((indices.size, self.rules.num_actions), dtype=np.int8)
        self.kernels.observe(self.states, indices, observations, masks)
        return observations, masks

    def _checked(self, actions: Any, agent: Agent, count: int) -> npt.NDArray[np.int64]:
        try:
            return as_actions(actions, count)
        except (TypeError, ValueError) as error:
            raise IllegalActionError(f"the agent {agent.name}, act_batch: {error}") from None
