"""`legate`, the trained policy for all tables: the policy file is `legate.npz`, the model card `legate.md`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.policies.policy import PackagedPolicyAgent
from romans_env.romans_go_home.observation import SLICE_BY_NAME

LEGATE_FILE = Path(__file__).with_suffix(".npz")
CUT_OF_MANY = 0.3
"""The value of ``cut`` on tables with three or four players."""


class LegateAgent(PackagedPolicyAgent):
    """Plays a policy network that was trained by self-play on all tables.

    It samples its actions, because always laying the same plan would be predictable. Against one opponent it samples
    from all actions, which is harder to exploit; against more it leaves out unlikely actions, which wins more.

    Args:
        sample: whether to sample actions from the policy's probabilities; otherwise the most likely action is played.
            None for True.
        cut: leave out actions whose probability is below this fraction of the most likely action's; None for
            `CUT_OF_MANY` with three or more players, and 0 otherwise.
        seed: the seed of the samples; None for a random seed.
    """

    name = "legate"
    file = LEGATE_FILE

    def __init__(self, sample: bool | None = None, cut: float | None = None, seed: int | None = None):
        super().__init__(sample, cut, seed)
        self._cut_of_many = CUT_OF_MANY if cut is None else cut

    def cuts(self, observations: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        has_one_rival = observations[:, SLICE_BY_NAME["num_players"]][:, :2].any(axis=1)
        return np.where(has_one_rival, self.cut, self._cut_of_many)
