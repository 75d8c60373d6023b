"""The trained policy that comes with the package: `legate.npz`; `legate.md` says what it is and how strong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.policies.policy import PackagedPolicyAgent
from romans_env.romans_go_home.observation import SLICE_BY_NAME

LEGATE_FILE = Path(__file__).with_suffix(".npz")
CUT_OF_MANY = 0.3
"""The cut at tables for three players or four."""


class LegateAgent(PackagedPolicyAgent):
    """Plays by a network that learned in self-play at all tables.

    It draws its actions: one who always lays the same plan is predictable. With one rival it draws from all of them,
    which is harder to exploit; with more it leaves out those that are unlikely, which wins more.

    Args:
        sample: draw actions from the policy's probabilities, or take the most likely one; None: draw.
        cut: actions less likely than this part of the most likely one are not drawn; None: `CUT_OF_MANY` with three
            players or more, else 0.
        seed: of the draws; None for a fresh generator.
    """

    name = "legate"
    file = LEGATE_FILE

    def __init__(self, sample: bool | None = None, cut: float | None = None, seed: int | None = None):
        super().__init__(sample, cut, seed)
        self._cut_of_many = CUT_OF_MANY if cut is None else cut

    def cuts(self, observations: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        has_one_rival = observations[:, SLICE_BY_NAME["num_players"]][:, :2].any(axis=1)
        return np.where(has_one_rival, self.cut, self._cut_of_many)
