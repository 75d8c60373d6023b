"""Planning decisions, which may be learned with a lambda and an entropy weight of their own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.protocol import Rules
from romans_training.config import TrainConfig


class Planning(NamedTuple):
    """How planning decisions are estimated.

    Attributes:
        actions: the actions by which they are known: bool, shape (number of actions,).
        gae_lambda: lambda of their advantages and returns.
    """

    actions: npt.NDArray[np.bool_]
    gae_lambda: float


def planning_of(rules: Rules, config: TrainConfig) -> Planning | None:
    """How a run estimates planning decisions; None where it does so as all others."""
    if config.planning_lambda is None:
        return None
    return Planning(rules.planning_actions, config.planning_lambda)
