"""What the game-neutral searches share: the loops of a game, scratch for them, and the chance of a decision."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Hashable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from romans_agents.budget import SearchAgent
from romans_agents.loops import search_loops, uniform_guide
from romans_env import View
from romans_env.engine.loops import bound
from romans_env.engine.random_stream import WORDS, streams_from_seeds
from romans_env.games import spec_of
from romans_env.protocol import Rules, States
from romans_env.python_step import step_of


def search_loops_of(rules: Rules) -> Any:
    """`romans_agents.loops.search_loops` for a game: compiled, where its spec names step functions, or over its rules.

    Without a guide of the game's own, rollouts are random.
    """
    return _search_loops(cast(Hashable, rules))


@functools.lru_cache(maxsize=16)
def _search_loops(rules: Any) -> Any:
    game = step_of(rules)
    guide = spec_of(rules.name).part("guide") or bound(uniform_guide, game=game)
    return bound(search_loops, game=game, guide=guide)


class NeutralSearchAgent(SearchAgent):
    """A search that plays every game; its first decision in a game compiles before its time runs."""

    _compiled_for: str | None = None

    def act(self, view: View) -> int:
        if self.seconds is not None and self._compiled_for != view.rules.name:
            self._compiled_for = view.rules.name
            self._compile(view.rules, [self.decide])
        return self.decide(view)

    def decide(self, view: View) -> int:
        """Choose an action."""
        raise NotImplementedError


def streams_for(view: View, seed: int, count: int) -> npt.NDArray[np.int64]:
    """Random streams of a decision, from the seed of the search and the view: int64, shape (count, 4)."""
    content = zlib.crc32(view.states.tobytes())
    return streams_from_seeds([np.random.SeedSequence([seed, content, k]) for k in range(count)])


def scratch_for(states: States) -> tuple[States, npt.NDArray[Any], npt.NDArray[np.int64]]:
    """Scratch records with a view in front, the same memory as integers, and scratch for chance words."""
    records = np.repeat(states, search_loops.NUM_RECORDS)
    size = records.dtype.itemsize
    integer = next(kind for kind in (np.int64, np.int32, np.int16, np.int8) if size % np.dtype(kind).itemsize == 0)
    hashed = records.view(integer).reshape(len(records), -1)
    return records, hashed, np.zeros((len(records), WORDS), dtype=np.int64)
