"""Runs compiled loops over games in several threads; the loops release the GIL, so the threads run in parallel."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

from romans_env.errors import is_integer, shortened

OWN_SHARE = 1.13
"""The calling thread's share of the games, relative to that of each other thread, which starts later (measured with
4096 games and two threads)."""


class Threads:
    """Runs a compiled function over all games, a range of them in each thread.

    Args:
        num_games: number of games.
        threads: number of threads, the calling one included; at most one for each game is used.

    Raises:
        ValueError: if ``threads`` is not an integer of at least 1.
    """

    def __init__(self, num_games: int, threads: int = 1):
        if not is_integer(threads) or threads < 1:
            raise ValueError(f"threads is an integer of at least 1, not {shortened(threads)}")
        threads = min(threads, num_games)
        shares = OWN_SHARE + threads - 1
        bounds = [round(num_games * (OWN_SHARE + k) / shares) for k in range(threads)]
        self.ranges = list(pairwise([0, *bounds]))
        self._workers: list[_Worker] = []
        self._process = -1

    def run(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Call ``function(*arguments, first, last)`` for each range, and wait for all; then raise an error, if any."""
        workers = self._workers_of_this_process() if len(self.ranges) > 1 else []
        for worker, (first, last) in zip(workers, self.ranges[1:], strict=True):
            worker.start(function, *arguments, first, last)
        try:
            function(*arguments, *self.ranges[0])
        finally:
            errors = [worker.wait() for worker in workers]
        for error in errors:
            if error is not None:
                raise error

    def _workers_of_this_process(self) -> list[_Worker]:
        # Threads do not survive a fork.
        if self._process != os.getpid():
            self._workers = [_Worker() for _ in self.ranges[1:]]
            self._process = os.getpid()
        return self._workers

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_workers": [], "_process": -1}


class _Worker:
    """A thread that waits for calls; the futures of a thread pool would take twice as long to start one."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Any, ...] | None] = SimpleQueue()
        self._ends: SimpleQueue[BaseException | None] = SimpleQueue()
        arguments = (self._calls, self._ends)
        threading.Thread(target=_work, args=arguments, daemon=True, name="romans_env").start()
        weakref.finalize(self, self._calls.put, None)

    def start(self, *call: Any) -> None:
        self._calls.put(call)

    def wait(self) -> BaseException | None:
        """Wait for the end of the call; return its error, or None."""
        return self._ends.get()


def _work(calls: SimpleQueue[tuple[Any, ...] | None], ends: SimpleQueue[BaseException | None]) -> None:
    while (call := calls.get()) is not None:
        error: BaseException | None = None
        try:
            function, *arguments = call
            function(*arguments)
        except BaseException as raised:
            error = raised
        call = function = arguments = None  # type: ignore[assignment]
        ends.put(error)
