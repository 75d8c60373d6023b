"""A lock between processes: who writes a file or a folder keeps other processes out of it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def alone(lock_file: Path, otherwise: Exception) -> Iterator[None]:
    """Hold a lock while the block runs; its file is removed afterwards.

    The lock is the operating system's: a process that is killed leaves none behind.

    Args:
        lock_file: the path of the file, in a folder that is there.
        otherwise: what is raised where another process holds the lock.

    Raises:
        OSError: the file cannot be made.
    """
    # Imported here: most of what a command does needs no lock.
    from filelock import FileLock, Timeout

    lock = FileLock(lock_file)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise otherwise from None
    try:
        yield
    finally:
        # While it is held, so that nobody else's is removed; Windows does it by itself, once it is released.
        with contextlib.suppress(OSError):
            lock_file.unlink()
        lock.release()
