"""The uniform random agent."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import BatchAgent
from romans_agents.loops.codes import RANDOM
from romans_env import View


class RandomAgent(BatchAgent):
    """Plays a legal action drawn uniformly at random.

    Args:
        seed: seed of the agent's random generator; None for a random seed.
    """

    name = "random"
    compiled_code = RANDOM

    def __init__(self, seed: int | None = None):
        self._rng = np.random.default_rng(seed)

    def seed(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        legal = view.legal_actions()
        return legal[int(self._rng.integers(len(legal)))]

    def action_probabilities(self, view: View) -> npt.NDArray[np.float64]:
        mask = view.action_mask
        return mask / mask.sum()

    def action_probabilities_batch(
        self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]
    ) -> npt.NDArray[np.float64]:
        """Return the probabilities of each of n decisions.

        Args:
            observations: shape ``(n, observation_size)``; not used.
            masks: int8 or bool, shape ``(n, num_actions)``; 1 marks a legal action.

        Returns:
            Probabilities, float64, shape ``(n, num_actions)``; each row sums to 1.
        """
        return masks / masks.sum(axis=1, keepdims=True)

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        ranks = self._rng.random(masks.shape)
        return np.where(masks, ranks, -1.0).argmax(axis=1)
