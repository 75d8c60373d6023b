"""The decisions of many games that are made in Python: of agents that are not compiled, and of compiled planners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.kernels import EXTERNAL
from romans_agents.questions import Questions
from romans_agents.referee import Referee
from romans_env import IllegalActionError
from romans_env.protocol import Rules, States


class PythonAgents(Questions):
    """Plays the decisions that the kernels leave to Python: of agents that are not compiled, and whole plans.

    Args:
        rules: the game.
        states: started games, shape (n,); played in place.
        agents: the agents that play.
        who: the number of the agent on each seat of each game: integers, shape (n, players); below 0 for a seat that
            somebody else plays. Read anew at every call.
        controllers: the codes of these agents, shape (n, players).
        streams: one for each game, of the chance of its compiled agents.
        words: the chance words of each game.
        referee: takes the agents' answers, and ends games in which one is at fault; without it faults are raised.
    """

    def __init__(
        self,
        rules: Rules,
        states: States,
        agents: Sequence[Agent],
        who: npt.NDArray[Any],
        controllers: npt.NDArray[np.int8],
        streams: npt.NDArray[np.int64],
        words: npt.NDArray[np.int64],
        referee: Referee | None = None,
    ):
        super().__init__(rules, states)
        self.agents, self.who = agents, who
        self.controllers, self.streams, self.words, self._referee = controllers, streams, words, referee

    def play_one_each(self) -> int:
        """One decision in every game that waits for one of the agents; returns how many games did.

        Raises:
            IllegalActionError: naming the agent.
        """
        seats = self.rules.seats_to_act(self.states)
        who = np.where(seats < 0, -1, self.who[np.arange(len(self.states)), seats])
        for k in np.unique(who[who >= 0]):
            self._act(np.flatnonzero(who == k), self.agents[k])
        return int(np.count_nonzero(who >= 0))

    def _act(self, indices: npt.NDArray[np.int64], agent: Agent) -> None:
        if self.kernels.code_of(agent) != EXTERNAL:
            self.kernels.plan(self.states, indices, self.controllers, self.streams, self.words)
            return
        if self._referee is not None:
            indices, actions = self._referee.answers(self, indices, agent)
        else:
            actions = self.choose(indices, agent)
        wrong = self.kernels.act(self.states, indices, actions, self.controllers, self.streams, self.words)
        if wrong >= 0:
            why = self.why_illegal(int(indices[wrong]), int(actions[wrong]))
            raise IllegalActionError(f"the agent {agent.name}: {why}")
