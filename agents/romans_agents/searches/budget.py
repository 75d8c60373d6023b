"""The budget of a search for a decision, a number of iterations or seconds, and agents that have one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from romans_agents.base import Agent
from romans_env import Game, View
from romans_env.core.protocol import Rules

LOOKS = 50
"""How often in its time a search looks at the clock, about."""
AIM = 0.97
"""Share of a time limit that is planned with; the rest is for what is around a search."""


class Budget:
    """The budget of a decision, which runs from the moment it is made.

    Args:
        iterations: how many, where there is no time limit.
        seconds: the time limit, in place of ``iterations``.
    """

    def __init__(self, iterations: int, seconds: float | None):
        self._iterations, self.seconds = iterations, seconds
        self._start = time.perf_counter()

    def spend(self, share: float, run: Callable[[int], None], cost: int = 1) -> int:
        """Call ``run(n)`` until a share of the budget is used up, at least once; return the sum of n.

        Args:
            share: the part of the budget, from 0 to 1.
            run: does n rounds of work.
            cost: iterations in one of them.
        """
        if self.seconds is None:
            count = max(1, round(self._iterations * share / cost))
            run(count)
            return count
        start = time.perf_counter()
        # A late start, say by compiling, must not push the end back: nothing may begin after the limit.
        seconds = AIM * self.seconds
        end = min(start + seconds * share, self._start + seconds)
        done, now, count = 0, start, 1
        while done == 0 or now < end:
            run(count)
            done += count
            now = time.perf_counter()
            pace = done / max(now - start, 1e-9)
            count = max(1, int(pace * min(seconds / LOOKS, max(end - now, 0.0))))
        return done


class SearchAgent(Agent):
    """An agent whose decisions have a budget.

    Args:
        iterations: for a decision, where there is no time limit.
        seconds: the time limit of a decision, or None.
        seed: the seed of the search's chance, at least 0.

    Raises:
        ValueError: a budget or a seed out of range.
    """

    searches = True

    def __init__(self, iterations: int, seconds: float | None, seed: int):
        if iterations < 1:
            raise ValueError(f"iterations is at least 1, not {iterations}")
        if seconds is not None and not 0.0 < seconds < math.inf:
            raise ValueError(f"seconds is a number above 0, not {seconds}")
        if seed < 0:
            raise ValueError(f"seed is at least 0, not {seed}")
        self.iterations, self.seconds = iterations, seconds
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """See `Agent.seed`."""
        self._seed = seed

    def _compile(self, rules: Rules, functions: Sequence[Callable[[View], object]]) -> None:
        """Call functions with the least budget, so that compiling does not use up the time of the first decision."""
        iterations, seconds = self.iterations, self.seconds
        self.iterations, self.seconds = 1, None
        view = Game(rules, seed=0).view(0)
        for function in functions:
            function(view)
        self.iterations, self.seconds = iterations, seconds
