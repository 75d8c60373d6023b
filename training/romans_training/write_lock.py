"""A lock between processes that keeps others from writing the same file or folder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def alone(lock_file: Path, otherwise: Exception) -> Iterator[None]:
    """Hold a lock while the block runs; the lock file is removed afterwards.

    The lock is the operating system's, so a process that is killed leaves none behind.

    Args:
        lock_file: the path of the lock file, in an existing folder.
        otherwise: the exception to raise if another process holds the lock.

    Raises:
        OSError: if the lock file cannot be created.
    """
    # Imported here because most commands need no lock.
    from filelock import FileLock, Timeout

    lock = FileLock(lock_file)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise otherwise from None
    try:
        yield
    finally:
        # Removed while it is held, so that no other process's lock is removed. Windows removes it on release.
        with contextlib.suppress(OSError):
            lock_file.unlink()
        lock.release()
