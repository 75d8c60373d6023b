"""Relative seats, as observations and the ``charm`` actions count them."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.romans_go_home.state import State


@inlined
def seats_on(state: State, seat, k):
    """Return the seat k further on, cyclically, for 0 <= k <= num_clans (a modulo would take 7 ns)."""
    other = np.int64(seat) + np.int64(k)
    return other - np.int64(state.num_clans) if other >= state.num_clans else other
