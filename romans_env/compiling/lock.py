"""One process at a time compiles a function; others that need it wait, and then load what it has kept."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

LOOK_EVERY_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 1200.0
"""After so long a process compiles for itself: the one that it waits for may be stopped, not dead."""


class CompileLock:
    """The right to compile a function, between processes.

    The lock is the operating system's, of a file: a process that is killed leaves none behind. Where the file system
    has no locks, every process compiles for itself.

    Args:
        path: the file.
        while_waiting: makes a context in which the wait takes place.
    """

    def __init__(self, path: str, while_waiting: Callable[[], AbstractContextManager[None]]):
        self._path, self._while_waiting = path, while_waiting
        self._lock: Any = None

    def acquire(self) -> None:
        """Wait for the lock; nothing happens where this object has it."""
        if self._lock is not None:
            return
        # Imported here: only what compiles needs it.
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
        """Let another process have the lock."""
        lock, self._lock = self._lock, None
        if lock is not None:
            with contextlib.suppress(OSError):
                lock.release()
