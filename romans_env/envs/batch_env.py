"""What the environments of many games share: the batch that they step, one seat of each game for the learner."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from romans_env.core.games import imported
from romans_env.core.parts import LearnerBatch
from romans_env.core.protocol import Rules
from romans_env.envs.bounded_box import bounded_box

T = TypeVar("T")


class BatchEnv:
    """The base of `GameVectorEnv` and `RomansVecEnv`, which put it before Gymnasium's and stable-baselines3's class.

    They call `_set_up_batch` when they are created.
    """

    _batch: LearnerBatch

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions of every game: bool, shape (num_envs, number of actions)."""
        return self._batch.masks.astype(np.bool_)

    def clone(self: T) -> T:
        """Return an independent copy, the games in progress included."""
        return copy.deepcopy(self)

    def _set_up_batch(self, num_envs: int, rules: Rules, *settings: Any) -> tuple[spaces.Box, spaces.Discrete]:
        """Create the games, with settings as for `SingleAgentBatch`; return the spaces of one of them."""
        # Agents are a layer above: named by a string, and looked up when an environment is made.
        self._batch = imported("romans_agents.batches.single_agent_batch:SingleAgentBatch")(num_envs, rules, *settings)
        return bounded_box(rules.observation_low, rules.observation_high), spaces.Discrete(rules.num_actions)
