"""The base classes of agents."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env import Game, IllegalActionError, View
from romans_env.core.protocol import Rules


class Agent:
    """Base class of agents: maps a `View` (never the full state) to an action id.

    Attributes:
        name: the agent's name in tables and records; usually its agent spec.
        made_from: the agent spec from which `romans_agents.make` created the agent; None if it was created otherwise.
        compiled_code: the number by which compiled loops know the agent
            (`romans_agents.batches.game_arrays.code_of`); None for an agent that plays in Python only.
        compiled_for: the name of the game to which ``compiled_code`` belongs; None if the code is valid in every game.
        searches: whether the agent is slow because it searches. Tournaments play fewer deals with such an agent.
    """

    name: str = "agent"
    made_from: str | None = None
    compiled_code: int | None = None
    compiled_for: str | None = None
    searches: bool = False

    def __init_subclass__(cls, **settings: Any) -> None:
        """Drop an inherited ``compiled_code``, because the compiled agent lacks the changes that the subclass makes."""
        super().__init_subclass__(**settings)
        if "compiled_code" not in cls.__dict__:
            cls.compiled_code = None

    def seed(self, seed: int) -> None:
        """Reseed the agent's random generator. By default this does nothing, as not every agent has a generator."""

    def plays(self, rules: Rules) -> bool:
        """Return whether the agent can play a game with this setup; by default it plays every setup of its game."""
        return True

    def prepare(self) -> None:
        """Prepare for a decision. Called before the clock starts; does nothing by default."""

    def act(self, view: View) -> int:
        """Choose an action for the seat that is to act.

        Args:
            view: the private view of this seat.

        Returns:
            The id of a legal action, one of ``view.legal_actions()``.
        """
        raise NotImplementedError

    def action_probabilities(self, view: View) -> npt.NDArray[np.float64]:
        """Return the probability of each action, for exact computations such as exploitability.

        By default the action that `act` chooses has probability 1. Agents that randomize should override this method.

        Args:
            view: the private view of the seat to act.

        Returns:
            Probabilities, float64, shape ``(num_actions,)``; they sum to 1 and are 0 for illegal actions.

        Raises:
            romans_env.IllegalActionError: if `act` returns an illegal action.
        """
        answer: Any = self.act(view)
        action = view.action_id(answer) if isinstance(answer, str) else answer
        if action not in view.legal_actions():
            why = Game.of_states(view.rules, view.states).why_illegal(action)
            raise IllegalActionError(f"the agent {self.name}: {why}")
        probabilities = np.zeros(view.rules.num_actions)
        probabilities[action] = 1.0
        return probabilities

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


class BatchAgent(Agent):
    """Base class of agents that choose actions for many games at once, from observations alone."""

    def act(self, view: View) -> int:
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Choose an action for each of n decisions.

        Args:
            observations: the observation of the seat to act for each decision: int8 or int16 (the dtype of the game's
                observations), shape ``(n, observation_size)``.
            masks: int8 or bool, shape ``(n, num_actions)``; 1 marks a legal action.

        Returns:
            Ids of legal actions, int64, shape ``(n,)``.
        """
        raise NotImplementedError


def has_action_probabilities(agent: Agent) -> bool:
    """Return whether the agent has its own `Agent.action_probabilities`; the default gives its choice probability 1."""
    return type(agent).action_probabilities is not Agent.action_probabilities
