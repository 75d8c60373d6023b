"""The exact exploitability of a policy of this library in a game of OpenSpiel."""

from __future__ import annotations

from typing import Any

import numpy as np
from open_spiel.python.policy import TabularPolicy

from benchmarks.openspiel.tabular import exact_response
from romans_agents import Policy


class ExactExploitability:
    """Computes what best responses win against a policy that plays every seat.

    Args:
        game: a game of OpenSpiel for two players, zero-sum and turn-based, small enough to visit every state.
    """

    def __init__(self, game: Any):
        self._game, self.table = game, TabularPolicy(game)
        seats = [state.current_player() for state in self.table.states]
        pairs = zip(self.table.states, seats, strict=True)
        self._observations = np.array([state.information_state_tensor(seat) for state, seat in pairs], dtype=np.float32)
        self._masks = np.array(self.table.legal_actions_mask, dtype=np.int8)

    def of(self, policy: Policy) -> float:
        """Return the exploitability in OpenSpiel's returns: the mean of what a best response wins from each seat."""
        self.table.action_probability_array[:] = policy.probabilities(self._observations, self._masks)
        return exact_response(self._game, self.table)
