"""Workloads that resemble the engine's but use none of its code: units in which its speed is measured.

`yardstick` is a plain loop over small records, with table look-ups, single-byte counters, branches on random numbers,
and a row of bytes written for each record. A machine that runs it twice as fast runs the engine about twice as fast.
`python_yardstick` plays the same role for the environments, which are Python code around small arrays.
"""

from __future__ import annotations

import numba
import numpy as np

from benchmarks.speed.timing import Chunk

RECORD = np.dtype(
    [("word", np.int64), ("counts", np.int8, (64,)), ("place", np.int8, (8,)), ("turn", np.int8)], align=True
)
ROW = 256
_TABLE = np.random.default_rng(1).integers(0, 64, 256).astype(np.int64)


@numba.njit(error_model="numpy", nogil=True)
def yardstick(records, out, rounds):
    """Process all records ``rounds`` times; return a number that depends on everything, so that no work is skipped."""
    seen = np.int64(0)
    for _ in range(rounds):
        for i in range(records.shape[0]):
            record = records[i]
            for k in range(ROW):
                out[i, k] = 0
            word = record.word
            for step in range(12):
                word = (word * np.int64(25214903917) + np.int64(11)) & np.int64(0xFFFFFFFFFFFF)
                place = _TABLE[(word >> np.int64(20)) & np.int64(255)]
                if record.counts[place] < 5:
                    record.counts[place] += 1
                else:
                    record.counts[place] = 0
                    record.place[place & np.int64(7)] = step
                out[i, place * 4 + (step & 3)] = record.counts[place]
            record.word = word
            record.turn = (record.turn + 1) & 15
            seen += record.place[record.turn & 7]
    return seen


def yardstick_steps() -> Chunk:
    """Return the loop over 256 records as a chunk of a benchmark; a step is one record."""
    records, out = np.zeros(256, dtype=RECORD), np.zeros((256, ROW), dtype=np.int8)
    records["word"] = np.arange(256)

    def chunk() -> int:
        yardstick(records, out, 20)
        return 20 * 256

    return chunk


class _Counter:
    """An object with a method, attributes and a dictionary, like an environment."""

    def __init__(self) -> None:
        self.mask = np.arange(56, dtype=np.int8) % 3 == 0
        self.totals = {"player_0": 0.0, "player_1": 0.0}
        self.turn = 0

    def step(self, action: int) -> tuple[str, dict[str, float]]:
        agent = "player_0" if self.turn % 2 else "player_1"
        self.turn += 1
        self.totals[agent] += action
        return agent, {**self.totals}


def python_yardstick(rounds: int) -> float:
    """Do calls, dictionaries and small arrays; return a number that depends on everything."""
    counter, seen = _Counter(), 0.0
    for _ in range(rounds):
        observation = np.empty(393, dtype=np.int8)
        observation[:56] = counter.mask
        legal = counter.mask.nonzero()[0]
        agent, totals = counter.step(int(legal[counter.turn % len(legal)]))
        seen += totals[agent] + observation[0]
    return seen
