"""The exact exploitability of this library's policies in OpenSpiel games."""

from __future__ import annotations

from typing import Any

import numpy as np
from open_spiel.python.policy import TabularPolicy

from benchmarks.openspiel.tabular import exact_response
from romans_agents import Policy


class ExactExploitability:
    """Computes the exploitability of a policy that plays every seat.

    Args:
        game: an OpenSpiel game: two-player, zero-sum, turn-based, and small enough to visit every state.
    """

    def __init__(self, game: Any):
        self._game, self.table = game, TabularPolicy(game)
        seats = [state.current_player() for state in self.table.states]
        pairs = zip(self.table.states, seats, strict=True)
        self._observations = np.array([state.information_state_tensor(seat) for state, seat in pairs], dtype=np.float32)
        self._masks = np.array(self.table.legal_actions_mask, dtype=np.int8)

    def of(self, policy: Policy) -> float:
        """Return the exploitability in OpenSpiel's returns: the mean return of a best response over both seats."""
        self.table.action_probability_array[:] = policy.probabilities(self._observations, self._masks)
        return exact_response(self._game, self.table)
