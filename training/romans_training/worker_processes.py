"""Worker processes on this machine, and the place of this process among torchrun's.

Workers are started afresh, import nothing from the working directory, and end with the process that started them.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.context import SpawnProcess
from typing import NamedTuple

_THREAD_SETTINGS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_SAFE_PATH = "PYTHONSAFEPATH"
"""With this variable, Python 3.11+ imports nothing from the working directory, which may hold a stranger's files."""


@contextlib.contextmanager
def worker_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of ``jobs`` single-threaded processes, which end with the block, also on an exception.

    If a process has died, asking for a result raises `concurrent.futures.process.BrokenProcessPool`.
    """
    others = set(multiprocessing.active_children())
    # Spawned, not forked, because the threads of numba and torch do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with _settings(*_THREAD_SETTINGS, _SAFE_PATH) as added:
        pool = ProcessPoolExecutor(jobs, context, initializer=_start_worker, initargs=(_SAFE_PATH in added,))
        try:
            yield pool
        finally:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            # Wait, because the interpreter writes to a pipe at exit that the pool's own thread closes.
            pool.shutdown(wait=True, cancel_futures=True)


def start_process(work: Callable[..., None], *args: object, name: str) -> SpawnProcess:
    """Start a process that calls ``work(*args)``, and ends when this process ends. Any thread may call this."""
    # Spawned, because a forked copy of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    with _settings(_SAFE_PATH) as added:
        process = context.Process(target=_run, args=(_SAFE_PATH in added, work, args), daemon=True, name=name)
        process.start()
    return process


def _run(is_path_added: bool, work: Callable[..., None], args: tuple[object, ...]) -> None:
    _start_worker(is_path_added)
    work(*args)


def _start_worker(is_path_added: bool) -> None:
    if is_path_added:  # agents that are programs must not inherit it
        del os.environ[_SAFE_PATH]
    # Ctrl-C reaches every process of a terminal; the main process ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Place(NamedTuple):
    """The place of this process among the processes that torchrun started.

    Attributes:
        rank: the index of this process, from 0.
        size: the number of processes.
        may_restart: whether torchrun restarts the processes when one ends.
    """

    rank: int
    size: int
    may_restart: bool


def place_by_torchrun() -> Place | None:
    """Return this process's place among torchrun's processes; None if torchrun did not start it."""
    if "TORCHELASTIC_RUN_ID" not in os.environ:
        return None
    # The count of past restarts is not reliable: each node's agent counts only the restarts that it initiated.
    may_restart = os.environ.get("TORCHELASTIC_MAX_RESTARTS", "0") != "0"
    return Place(int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]), may_restart)


_changing = threading.Lock()
_added: Counter[str] = Counter()
"""The number of blocks that need each environment variable that was set here."""


@contextlib.contextmanager
def _settings(*names: str) -> Iterator[list[str]]:
    """Set environment variables to 1 for processes started in the block, except those that the user has set.

    Yields the names of the variables that were set here. Blocks of several threads may overlap; a variable is removed
    when the last block that needs it ends.
    """
    with _changing:
        added = [name for name in names if _added[name] or name not in os.environ]
        os.environ.update(dict.fromkeys(added, "1"))
        _added.update(added)
    try:
        yield added
    finally:
        with _changing:
            _added.subtract(added)
            for name in added:
                if not _added[name]:
                    os.environ.pop(name, None)
