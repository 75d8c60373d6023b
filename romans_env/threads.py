"""Ranges of games shared among threads. The compiled functions hold no lock, so that they truly run side by side."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any


class Threads:
    """Runs a compiled function over all games, a range of them in each thread.

    Args:
        num_games: how many games there are.
        threads: how many threads, this one included; never more than games.

    Raises:
        ValueError: fewer than one thread.
    """

    def __init__(self, num_games: int, threads: int = 1):
        if threads < 1:
            raise ValueError(f"threads is at least 1, not {threads}")
        threads = min(threads, num_games)
        bounds = [num_games * k // threads for k in range(threads + 1)]
        self.ranges = list(pairwise(bounds))
        self._pool: ThreadPoolExecutor | None = None
        self._process = -1

    def run(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Call ``function(*arguments, first, last)`` for every range."""
        if len(self.ranges) == 1:
            function(*arguments, *self.ranges[0])
            return
        pool = self._threads_of_this_process()
        others = [pool.submit(function, *arguments, first, last) for first, last in self.ranges[1:]]
        function(*arguments, *self.ranges[0])
        for other in others:
            other.result()

    def _threads_of_this_process(self) -> ThreadPoolExecutor:
        # Threads do not survive a fork.
        if self._pool is None or self._process != os.getpid():
            self._pool = ThreadPoolExecutor(len(self.ranges) - 1, thread_name_prefix="romans_env")
            self._process = os.getpid()
        return self._pool

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}
