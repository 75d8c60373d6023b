"""What an agent would do in many views: its probabilities where it says them, else its choice."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents import Agent, PolicyAgent
from romans_agents.base import has_action_probabilities
from romans_agents.romans_go_home import compiled_games
from romans_env import IllegalActionError, RomansGoHome, View
from romans_env.romans_go_home.state import States


class Answers(NamedTuple):
    """An agent's answers.

    Attributes:
        probabilities: of every action; where the agent does not say them, 1 for its choice: float64, shape
            (n, number of actions).
        are_said: whether the agent says them.
    """

    probabilities: npt.NDArray[np.float64]
    are_said: bool

    @property
    def most_likely(self) -> npt.NDArray[np.int64]:
        """The action it is most likely to choose, of equal ones the first: int64, shape (n,)."""
        return self.probabilities.argmax(axis=1)


def answers_of(agent: Agent, rules: RomansGoHome, views: States) -> Answers:
    """Ask an agent what it would do.

    Args:
        agent: the agent; seed it before, if it draws.
        rules: the game and its table.
        views: hidden records of the seats that are to decide, shape (n,).

    Raises:
        romans_env.IllegalActionError: an agent's illegal choice.
    """
    if isinstance(agent, PolicyAgent):
        observations = np.empty((len(views), rules.observation_size), dtype=np.int8)
        masks = np.empty((len(views), rules.num_actions), dtype=np.int8)
        compiled_games.observe_games(views, np.arange(len(views)), observations, masks)
        return Answers(agent.action_probabilities_batch(observations, masks), True)
    are_said = has_action_probabilities(agent)
    probabilities = np.zeros((len(views), rules.num_actions))
    for k, seat in enumerate(views["seat"].tolist()):
        view = View(rules, views[k : k + 1].copy(), seat)
        if are_said:
            probabilities[k] = agent.action_probabilities(view)
        else:
            probabilities[k, _choice(agent, view)] = 1.0
    return Answers(probabilities, are_said)


def _choice(agent: Agent, view: View) -> int:
    answer: Any = agent.act(view)
    try:
        action = view.action_id(answer) if isinstance(answer, str) else operator.index(answer)
    except (TypeError, ValueError):
        action = -1
    if action not in view.legal_actions():
        legal = ", ".join(map(view.action_name, view.legal_actions()))
        raise IllegalActionError(f"the agent {agent.name} chose {answer!r}, which is not legal; legal are {legal}")
    return action
