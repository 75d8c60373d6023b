"""The deals of measurements: a deal is decided by the seed and its number, so that all agents meet the same ones."""

from __future__ import annotations

import numpy as np

from romans_env import RomansGoHome
from romans_env.engine.random_stream import streams_from_seeds
from romans_env.romans_go_home.state import States


def dealt(rules: RomansGoHome, deals: range, seed: int) -> States:
    """Started games of the deals with these numbers: records, shape (len(deals),)."""
    states = rules.new_states(len(deals))
    streams = streams_from_seeds([np.random.SeedSequence([seed, 0, deal]) for deal in deals])
    for i in range(len(deals)):
        rules.deal(states, i, streams)
    return states
