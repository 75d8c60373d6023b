"""What an agent would do in many views: its probabilities where it gives them, else its choice."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents import Agent, PolicyAgent
from romans_agents.base import has_action_probabilities
from romans_agents.game_batch import GameBatch
from romans_env import View
from romans_env.protocol import Rules, States


class Answers(NamedTuple):
    """An agent's answers.

    Attributes:
        probabilities: of every action; where the agent gives none, 1 for its choice: float64, shape (n, number of
            actions).
        has_probabilities: whether the agent gives them.
    """

    probabilities: npt.NDArray[np.float64]
    has_probabilities: bool

    @property
    def most_likely(self) -> npt.NDArray[np.int64]:
        """The action it is most likely to choose, of equal ones the first: int64, shape (n,)."""
        return self.probabilities.argmax(axis=1)


def answers_of(agent: Agent, rules: Rules, views: States) -> Answers:
    """Ask an agent what it would do.

    Args:
        agent: the agent; seed it before, if it draws.
        rules: the game with its setup.
        views: redacted states of the seats that are to decide, shape (n,).

    Raises:
        romans_env.IllegalActionError: an agent's illegal choice.
    """
    if isinstance(agent, PolicyAgent):
        observed = GameBatch(rules, views).observed(np.arange(len(views)))
        return Answers(agent.action_probabilities_batch(*observed), True)
    probabilities = np.zeros((len(views), rules.num_actions))
    for k, seat in enumerate(rules.seats_to_act(views).tolist()):
        probabilities[k] = agent.action_probabilities(View(rules, views[k : k + 1].copy(), seat))
    return Answers(probabilities, has_action_probabilities(agent))
