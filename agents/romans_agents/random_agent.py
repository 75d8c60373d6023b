"""The agent that plays any legal action with equal chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.base import BatchAgent
from romans_agents.loops.codes import RANDOM
from romans_env import View


class RandomAgent(BatchAgent):
    """Uniform over the legal actions.

    Args:
        seed: the seed of its own generator; None for a fresh one.
    """

    name = "random"
    compiled_code = RANDOM

    def __init__(self, seed: int | None = None):
        self._rng = np.random.default_rng(seed)

    def seed(self, seed: int) -> None:
        """See `Agent.seed`."""
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """See `Agent.act`."""
        legal = view.legal_actions()
        return legal[int(self._rng.integers(len(legal)))]

    def action_probabilities(self, view: View) -> npt.NDArray[np.float64]:
        """See `Agent.action_probabilities`."""
        mask = view.action_mask
        return mask / mask.sum()

    def action_probabilities_batch(
        self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]
    ) -> npt.NDArray[np.float64]:
        """Return `action_probabilities` of many views: float64, shape (n, actions); arguments as of `act_batch`."""
        return masks / masks.sum(axis=1, keepdims=True)

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """See `BatchAgent.act_batch`."""
        ranks = self._rng.random(masks.shape)
        return np.where(masks, ranks, -1.0).argmax(axis=1)
