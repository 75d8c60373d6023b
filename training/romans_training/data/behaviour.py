"""Action probabilities of the recorded agents (the behaviour policies), for off-policy evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import romans_agents
from romans_agents import Agent, PolicyFileError, UnknownAgentError
from romans_agents.permission import Files
from romans_training.data.decisions import DecisionTable

Probabilities = npt.NDArray[np.float32]


class BehaviourPolicies:
    """The agents named in records, which can be asked for their action probabilities.

    Probabilities are known for trained policies, for ``random``, and for deterministic agents (1 for the recorded
    action). They are unknown for searches, people, and files that may not be loaded.

    Args:
        game: the name of the game.
        files: what records may load: "none", or "policies" for the policy files that they name.
    """

    def __init__(self, game: str, files: Files = "none"):
        self._game = game
        self._files: Files = files
        self._agents: dict[str, Agent | None] = {}

    def of(self, decisions: DecisionTable) -> tuple[Probabilities, npt.NDArray[np.bool_]]:
        """Return the action probabilities at some decisions, and where they are known.

        Args:
            decisions: n decisions.

        Returns:
            Probabilities (float32, shape ``(n, num_actions)``; 0 where unknown), and which rows are known (bool, shape
            ``(n,)``).
        """
        probabilities = np.zeros(decisions.action_mask.shape, dtype=np.float32)
        known = np.zeros(len(probabilities), dtype=np.bool_)
        for k, spec in enumerate(decisions.agents):
            rows = np.flatnonzero(decisions.agent == k)
            found = self._of_agent(spec, decisions, rows)
            if found is not None:
                probabilities[rows], known[rows] = found, True
        return probabilities, known

    def _of_agent(self, spec: str, decisions: DecisionTable, rows: npt.NDArray[np.int64]) -> npt.NDArray[Any] | None:
        agent = self._agent(spec)
        if agent is None:
            return None
        ask: Any = getattr(agent, "action_probabilities_batch", None)
        if ask is not None:
            return ask(decisions.observation[rows], decisions.action_mask[rows])
        if type(agent).seed is not Agent.seed:  # it has random numbers of its own, so it is not deterministic
            return None
        return np.eye(decisions.action_mask.shape[1], dtype=np.float32)[decisions.action[rows]]

    def _agent(self, spec: str) -> Agent | None:
        if spec not in self._agents:
            try:
                self._agents[spec] = romans_agents.make(spec, self._files, self._game)
            except (UnknownAgentError, PolicyFileError):
                self._agents[spec] = None
        return self._agents[spec]
