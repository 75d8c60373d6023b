"""The search budget of a decision, in iterations or seconds, and the base class of agents with such a budget."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from romans_agents.base import Agent
from romans_env import Game, View
from romans_env.core.protocol import Rules

LOOKS = 50
"""Approximate number of times that a search checks the clock within its time limit."""
AIM = 0.97
"""Share of the time limit that a search plans to use; the rest is for the work before and after it."""


class Budget:
    """The search budget of one decision: a number of iterations, or a time limit that starts when the object is made.

    Args:
        iterations: the number of iterations if there is no time limit.
        seconds: the time limit in seconds, which replaces ``iterations``; None for no limit.
    """

    def __init__(self, iterations: int, seconds: float | None):
        self._iterations, self.seconds = iterations, seconds
        self._start = time.perf_counter()

    def spend(self, share: float, run: Callable[[int], None], cost: int = 1) -> int:
        """Spend a share of the budget on one or more calls of ``run(n)``.

        Args:
            share: the share of the whole budget, from 0 to 1.
            run: a function that does n rounds of work.
            cost: the number of iterations that one round counts as.

        Returns:
            The number of rounds done, which is the sum of n over all calls.
        """
        if self.seconds is None:
            count = max(1, round(self._iterations * share / cost))
            run(count)
            return count
        start = time.perf_counter()
        # A late start, for instance after compiling, must not move the end: no round may begin after the limit.
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
    """Base class of agents that have a search budget for each decision.

    Args:
        iterations: the number of iterations per decision if there is no time limit; at least 1.
        seconds: the time limit of a decision in seconds, which replaces ``iterations``; None for no limit.
        seed: the seed of the search's random numbers; at least 0.

    Raises:
        ValueError: if the budget or the seed is out of range.
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
        self._seed = seed

    def _compile(self, rules: Rules, functions: Sequence[Callable[[View], object]]) -> None:
        """Compile by calling functions with the smallest budget, so that the first decision has its full time."""
        iterations, seconds = self.iterations, self.seconds
        self.iterations, self.seconds = 1, None
        view = Game(rules, seed=0).view(0)
        for function in functions:
            function(view)
        self.iterations, self.seconds = iterations, seconds
