"""The engine: games in batches, random legal actions chosen inside or given from outside."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from romans_env import RomansGoHome, Table
from romans_env.batch import Batch, play_out
from romans_training.benchmark import peers
from romans_training.benchmark.contest import Chunk, Contestant

SIZES = (1, 64, 1024, 4096, 16384)
TABLES = ((2, 0), (3, 0), (4, 0))
_STEPS_OF_A_CHUNK = 32_768


def contestants() -> list[Contestant]:
    """Agent steps per second: every player's decision is a step, each with observation and mask unless said."""
    ours = []
    for table in TABLES:
        for size in SIZES:
            if table == (3, 0) and size != 4096:
                continue
            ours.append(_random(table, size))
    ours += [
        Contestant(
            _name((2, 0), 4096, "two threads"), lambda: random_steps((2, 0), 4096, threads=2), _name((2, 0), 4096)
        ),
        Contestant(
            _name((4, 0), 4096, "two threads"), lambda: random_steps((4, 0), 4096, threads=2), _name((4, 0), 4096)
        ),
        Contestant(
            _name((2, 0), 4096, "neither mask nor observation"),
            lambda: random_steps((2, 0), 4096, watches=False),
            _name((2, 0), 4096),
        ),
        Contestant(
            _name((4, 0), 4096, "neither mask nor observation"),
            lambda: random_steps((4, 0), 4096, watches=False),
            _name((4, 0), 4096),
        ),
        Contestant("rollouts 2+0 to the end, as in search, 1024 games", lambda: _rollouts((2, 0), 1024)),
        Contestant("rollouts 4+0 to the end, as in search, 1024 games", lambda: _rollouts((4, 0), 1024)),
        Contestant(
            _name((2, 0), 4096, "actions from outside, checked"),
            lambda: _from_outside((2, 0), 4096),
            _name((2, 0), 4096),
        ),
    ]
    return [*ours, *peers.batches(), *peers.whole_games()]


def _name(table: tuple[int, int], size: int, remark: str = "") -> str:
    return f"batch {table[0]}+{table[1]}, N = {size}" + (f", {remark}" if remark else "")


def _random(table: tuple[int, int], size: int) -> Contestant:
    against = peers.PGX_LEDUC if size == 4096 else None
    return Contestant(_name(table, size), lambda: random_steps(table, size), against)


def random_steps(table: tuple[Any, ...], size: int, threads: int = 1, watches: bool = True) -> Chunk:
    """Random legal actions in a batch; the table as `Table` takes it."""
    batch = Batch(RomansGoHome(Table(*table)), size, threads=threads)
    batch.start(1)
    calls = max(1, _STEPS_OF_A_CHUNK // size)
    for _ in range(60):  # games of a batch start in step; after some turns they are spread over all decisions
        batch.step_randomly()

    def chunk() -> int:
        for _ in range(calls):
            batch.step_randomly(watches)
        return calls * size

    return chunk


def _rollouts(table: tuple[int, int], size: int) -> Chunk:
    batch, rng = Batch(RomansGoHome(Table(*table)), size), np.random.default_rng(1)
    batch.start(1)
    return lambda: int(play_out(batch.rules, batch.states.copy(), rng)[1].sum())


def _from_outside(table: tuple[int, int], size: int) -> Chunk:
    # What is timed is the step, not the choice: the actions are those that a twin with the same seeds has chosen.
    batch, twin = (Batch(RomansGoHome(Table(*table)), size) for _ in range(2))
    batch.start(1)
    twin.start(1)
    chosen = np.array([twin.step_randomly().copy() for _ in range(256)])
    start = copy.deepcopy(batch)

    def chunk() -> int:
        batch = copy.deepcopy(start)
        for actions in chosen:
            batch.step(actions)
        return chosen.size

    return chunk
