"""Speed of the engine: games in batches, with random legal actions drawn in the batch or given by the caller."""

from __future__ import annotations

import copy
from functools import partial

import numpy as np

from benchmarks.speed import baselines
from benchmarks.speed.setups import rules_by_players
from benchmarks.speed.timing import Case, Chunk
from romans_env.core.batch import Batch, play_out
from romans_env.core.games import GameSpec
from romans_env.core.protocol import Rules

SIZES = (1, 64, 1024, 4096, 16384)
_STEPS_OF_A_CHUNK = 32_768


def cases(spec: GameSpec) -> list[Case]:
    """Return the cases of agent steps per second.

    Every player's decision is a step, with observation and mask unless the name says otherwise. A game without compiled
    loops is measured in smaller batches.
    """
    sizes, usual, rollouts = (SIZES, 4096, 1024) if spec.step else ((1, 64), 64, 64)
    every = rules_by_players(spec)
    found = []
    for rules in every:
        for size in sizes if rules in (every[0], every[-1]) else (usual,):
            compared_with = baselines.PGX_LEDUC if size == 4096 else None
            found.append(Case(_name(rules, size), partial(random_steps, rules, size), compared_with))
    ends = dict.fromkeys((every[0], every[-1]))
    for remark, settings in (("two threads", {"threads": 2}), ("neither mask nor observation", {"watches": False})):
        for rules in ends:
            steps = partial(random_steps, rules, usual, **settings)
            found.append(Case(_name(rules, usual, remark), steps, _name(rules, usual)))
    for rules in ends:
        name = f"rollouts {rules.setup} to the end, as in search, {rollouts} games"
        found.append(Case(name, partial(_rollouts, rules, rollouts)))
    given = partial(_given_actions, every[0], usual)
    found.append(Case(_name(every[0], usual, "actions from outside, checked"), given, _name(every[0], usual)))
    return [*found, *baselines.batches(), *baselines.whole_games()]


def _name(rules: Rules, size: int, remark: str = "") -> str:
    return f"batch {rules.setup}, N = {size}" + (f", {remark}" if remark else "")


def random_steps(rules: Rules, size: int, threads: int = 1, watches: bool = True) -> Chunk:
    """Return random legal steps in a batch of games; arguments as for `Batch` and `Batch.step_randomly`."""
    batch = Batch(rules, size, threads=threads)
    batch.start(1)
    calls = max(1, _STEPS_OF_A_CHUNK // size)
    for _ in range(60):  # games of a batch start in step; after some turns they are spread over all decisions
        batch.step_randomly()

    def chunk() -> int:
        for _ in range(calls):
            batch.step_randomly(watches)
        return calls * size

    return chunk


def _rollouts(rules: Rules, size: int) -> Chunk:
    batch, rng = Batch(rules, size), np.random.default_rng(1)
    batch.start(1)
    return lambda: int(play_out(rules, batch.states.copy(), rng)[1].sum())


def _given_actions(rules: Rules, size: int) -> Chunk:
    # Only the step is timed: the actions are drawn beforehand by a twin batch with the same seeds.
    batch, twin = Batch(rules, size), Batch(rules, size)
    batch.start(1)
    twin.start(1)
    drawn = np.array([twin.step_randomly().copy() for _ in range(256)])

    def chunk() -> int:
        again = copy.deepcopy(batch)
        for actions in drawn:
            again.step(actions)
        return drawn.size

    return chunk
