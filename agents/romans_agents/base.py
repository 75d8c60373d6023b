"""What an agent is."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env import Game, IllegalActionError, View
from romans_env.core.protocol import Rules


class Agent:
    """An agent: it maps a `View`, never the full state, to an action id.

    Attributes:
        name: its agent spec, shown in tables and records.
        made_from: the agent spec that `romans_agents.make` made it from; None: it was made otherwise.
        compiled_code: its code in the compiled games of its game (`romans_agents.batches.game_arrays.code_of`);
            None for an agent that plays in Python only.
        compiled_for: the name of that game; None: every game.
        searches: whether a decision takes so long that tournaments play fewer deals with the agent.
    """

    name: str = "agent"
    made_from: str | None = None
    compiled_code: int | None = None
    compiled_for: str | None = None
    searches: bool = False

    def __init_subclass__(cls, **settings: Any) -> None:
        """Make a class that changes a compiled agent another agent: the compiled one must not play in its place."""
        super().__init_subclass__(**settings)
        if "compiled_code" not in cls.__dict__:
            cls.compiled_code = None

    def seed(self, seed: int) -> None:
        """Start the agent's own chance anew; an agent without any does nothing."""

    def plays(self, rules: Rules) -> bool:
        """Return whether it plays a game with this setup; most agents play every setup of their game."""
        return True

    def prepare(self) -> None:
        """Get ready for a decision; an adjudicator calls it before the decision's time begins. Most are ready."""

    def act(self, view: View) -> int:
        """Choose one of ``view.legal_actions()``."""
        raise NotImplementedError

    def action_probabilities(self, view: View) -> npt.NDArray[np.float64]:
        """Return how likely it is to choose each action: float64, shape (number of actions,), for exact computations.

        As it stands, the action of `act` is certain. Agents with chance of their own override this, where they can.

        Raises:
            romans_env.IllegalActionError: an action that is not legal.
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
    """An agent that can also choose for many games at once from their observations."""

    def act(self, view: View) -> int:
        """Return the id of a legal action for the seat of a private view, which has to decide."""
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Choose an action for every row.

        Args:
            observations: int8, shape (n, observation size).
            masks: 1 for legal actions, int8 or bool, shape (n, number of actions).

        Returns:
            Action ids: int64, shape (n,).
        """
        raise NotImplementedError


def has_action_probabilities(agent: Agent) -> bool:
    """Return whether the agent gives probabilities, not its choice alone."""
    return type(agent).action_probabilities is not Agent.action_probabilities
