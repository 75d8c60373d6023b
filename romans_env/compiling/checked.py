"""The code that the self-check compiles (`self_check`): two units, a function folded into both, and a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from romans_env.compiling.decorators import cached_jit, inlined, jitted
from romans_env.compiling.store import CodeStore
from romans_env.compiling.tables import entry, publish, table_of

_KEY = 7
_STATE = np.dtype([("key", np.int64), ("counts", np.int16, 4)])


@inlined
def _entry_of(state, place):
    return entry(table_of(state.key), place) + state.counts[place]


@jitted
def _sum_of(state):
    total = np.int64(0)
    for place in range(4):
        total += _entry_of(state, place)
    return total


@cached_jit
def _sums(states, sums):
    if len(sums) < len(states):
        raise ValueError("too few sums")
    for i in range(len(states)):
        sums[i] = _sum_of(states[i]) + _entry_of(states[i], 0)


def wrong(run: int) -> Any:
    """Return what is wrong with the compiled functions, or None; from run 1 on everything must come from the cache."""
    publish(_KEY, np.arange(4, dtype=np.int16))
    states, sums = np.ones(2, _STATE), np.zeros(2, np.int64)
    states["key"] = _KEY
    _sums(states, sums)
    if sums.tolist() != [11, 11]:
        return f"wrong results: {sums.tolist()} in place of [11, 11]"
    units: tuple[Any, ...] = (_sum_of, _sums)
    num_compiled = sum(sum(unit.stats.cache_misses.values()) for unit in units)
    return CodeStore.cannot_load or "compiled code is not loaded" if run and num_compiled else None
