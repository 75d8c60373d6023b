"""The common base of the environments of many games: a batch with one learner's seat in each game."""

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
    """The base class of `GameVectorEnv` and `RomansVecEnv`, next to Gymnasium's and stable-baselines3's classes.

    A subclass calls `_set_up_batch` in its constructor.
    """

    _batch: LearnerBatch

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the action mask of the learner in each game: bool, shape ``(num_envs, num_actions)``."""
        return self._batch.masks.astype(np.bool_)

    def clone(self: T) -> T:
        """Return an independent copy, including the games in progress and the opponents."""
        return copy.deepcopy(self)

    def _set_up_batch(self, num_envs: int, rules: Rules, *settings: Any) -> tuple[spaces.Box, spaces.Discrete]:
        """Create the games, with the arguments of `SingleAgentBatch`; return the spaces of a single game."""
        # Agents are a higher layer, so they are imported by name, when an environment is created.
        self._batch = imported("romans_agents.batches.single_agent_batch:SingleAgentBatch")(num_envs, rules, *settings)
        return bounded_box(rules.observation_low, rules.observation_high), spaces.Discrete(rules.num_actions)
