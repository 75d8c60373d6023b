"""What a search may spend on a decision: a number of iterations, or seconds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

LOOKS = 50
"""How often in its time a search looks at the clock, about."""
AIM = 0.97
"""Share of a time limit that is planned with; the rest is for what is around a search."""


def check_budget(iterations: int, seconds: float | None) -> None:
    """ValueError for an invalid budget."""
    if iterations < 1:
        raise ValueError(f"iterations is at least 1, not {iterations}")
    if seconds is not None and not 0.0 < seconds < math.inf:
        raise ValueError(f"seconds is a number above 0, not {seconds}")


class Budget:
    """A decision's allowance, which runs from the moment it is made.

    Args:
        iterations: how many, where there is no time limit.
        seconds: the time limit; it stands in place of ``iterations``.
    """

    def __init__(self, iterations: int, seconds: float | None):
        self._iterations, self.seconds = iterations, seconds
        self._start = time.perf_counter()

    def spend(self, share: float, run: Callable[[int], None], cost: int = 1) -> int:
        """Call ``run(n)`` until a share of the whole allowance is used up, at least once; how many times n in all.

        Args:
            share: the part of the whole allowance, from 0 to 1.
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
