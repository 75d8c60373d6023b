"""What the game-neutral searches share: the loops of a game, and the chance of a decision."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Hashable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.budget import Budget, check_budget
from romans_agents.loops import search_loops, uniform_guide
from romans_env import View
from romans_env.engine.loops import interpret_for
from romans_env.engine.random_stream import WORDS, streams_from_seeds
from romans_env.games import spec_of
from romans_env.protocol import Rules, States
from romans_env.python_step import PythonStep


def search_kernels_of(rules: Rules) -> Any:
    """The search loops of a game: compiled, where its spec names a module of them, else over its rules."""
    own = spec_of(rules.name).part("search_kernels")
    return _interpreted(cast(Hashable, rules)) if own is None else own


@functools.lru_cache(maxsize=16)
def _interpreted(rules: Any) -> Any:
    game = PythonStep(rules)
    guide = SimpleNamespace(**interpret_for(uniform_guide, game=game))
    return SimpleNamespace(**interpret_for(search_loops, game=game, guide=guide))


class SearchAgent(Agent):
    """An agent that spends a budget on every decision.

    Args:
        iterations: of the search, for a decision.
        seconds: time for a decision, in place of ``iterations``; choices then depend on the machine, too.
        seed: of the search's chance. A choice is a function of it and of the view.

    Raises:
        ValueError: options out of range.
    """

    searches = True

    def __init__(self, iterations: int, seconds: float | None, seed: int):
        check_budget(iterations, seconds)
        self.iterations, self.seconds = iterations, seconds
        self._compiled_for: str | None = None
        self.seed(seed)

    def seed(self, seed: int) -> None:
        self._seed = seed

    def act(self, view: View) -> int:
        self.compile_for(view)
        return self.decide(view, Budget(self.iterations, self.seconds))

    def compile_for(self, view: View) -> None:
        """Compile before the clock runs, with the least search."""
        if self._compiled_for != view.rules.name:
            self._compiled_for = view.rules.name
            self.decide(view, Budget(1, None))

    def decide(self, view: View, budget: Budget) -> int:
        """Choose an action within a budget."""
        raise NotImplementedError

    def streams(self, view: View, count: int) -> npt.NDArray[np.int64]:
        """Random streams of a decision: int64, shape (count, 4)."""
        content = zlib.crc32(view.states.tobytes())
        return streams_from_seeds([np.random.SeedSequence([self._seed, content, k]) for k in range(count)])


def scratch_for(states: States) -> tuple[States, npt.NDArray[Any], npt.NDArray[np.int64]]:
    """Scratch records with a view in front, the same memory as integers, and scratch for chance words."""
    records = np.repeat(states, search_loops.NUM_RECORDS)
    size = records.dtype.itemsize
    integer = next(kind for kind in (np.int64, np.int32, np.int16, np.int8) if size % np.dtype(kind).itemsize == 0)
    hashed = records.view(integer).reshape(len(records), -1)
    return records, hashed, np.zeros((len(records), WORDS), dtype=np.int64)
