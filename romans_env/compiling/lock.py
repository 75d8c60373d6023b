"""A lock between processes: one process compiles a function, the others wait and then load it from the cache."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

LOOK_EVERY_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 1200.0
"""After this time a process compiles for itself, because the process that holds the lock may be suspended."""


class CompileLock:
    """A lock for the compilation of a function, shared by all processes.

    It is a file lock of the operating system, so a killed process releases it. On a file system without locks, every
    process compiles for itself.

    Args:
        path: the path of the lock file.
        while_waiting: returns a context manager that is active during a wait.
    """

    def __init__(self, path: str, while_waiting: Callable[[], AbstractContextManager[None]]):
        self._path, self._while_waiting = path, while_waiting
        self._lock: Any = None

    def acquire(self) -> None:
        """Acquire the lock, waiting if necessary; do nothing if this object holds it already."""
        if self._lock is not None:
            return
        # Imported here, because it is only needed to compile.
        from filelock import FileLock, Timeout

        lock = FileLock(self._path, thread_local=False)
        try:
            try:
                lock.acquire(blocking=False)
            except Timeout:
                with self._while_waiting(), contextlib.suppress(Timeout):
                    lock.acquire(timeout=LONGEST_WAIT_SECONDS, poll_interval=LOOK_EVERY_SECONDS)
        except (OSError, NotImplementedError):
            return
        self._lock = lock

    def release(self) -> None:
        """Release the lock; do nothing if this object does not hold it."""
        lock, self._lock = self._lock, None
        if lock is not None:
            with contextlib.suppress(OSError):
                lock.release()
