"""Processes of this machine: started afresh, with nothing of the working directory, ended with the first process.

And what torchrun says to those that it started.
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
"""From Python 3.11 on: nothing is imported from the working directory, where files of a stranger may lie."""


@contextlib.contextmanager
def worker_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of ``jobs`` processes of one thread each, ended with the block, by an exception too.

    A process that died raises `concurrent.futures.process.BrokenProcessPool` where a result is asked for.
    """
    others = set(multiprocessing.active_children())
    # Spawned, not forked: threads of numba and torch do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with _settings(*_THREAD_SETTINGS, _SAFE_PATH) as added:
        pool = ProcessPoolExecutor(jobs, context, initializer=_start_worker, initargs=(_SAFE_PATH in added,))
        try:
            yield pool
        finally:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            # Waited for: the pool's own thread closes the pipe that the interpreter still writes to when it exits.
            pool.shutdown(wait=True, cancel_futures=True)


def start_process(work: Callable[..., None], *args: object, name: str) -> SpawnProcess:
    """Start a process that calls ``work(*args)``, and ends with this one, whatever it does.

    Any thread may call it.
    """
    # A copy of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    with _settings(_SAFE_PATH) as added:
        process = context.Process(target=_run, args=(_SAFE_PATH in added, work, args), daemon=True, name=name)
        process.start()
    return process


def _run(is_path_added: bool, work: Callable[..., None], args: tuple[object, ...]) -> None:
    _start_worker(is_path_added)
    work(*args)


def _start_worker(is_path_added: bool) -> None:
    if is_path_added:  # not for programs that are agents
        del os.environ[_SAFE_PATH]
    # Ctrl-C reaches every process of a terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Place(NamedTuple):
    """This process among those that torchrun started.

    Attributes:
        rank: its number, from 0.
        size: how many there are.
        may_restart: whether they are started anew when one ends.
    """

    rank: int
    size: int
    may_restart: bool


def place_by_torchrun() -> Place | None:
    """Return this process's place among those of torchrun; None where it was not started by torchrun."""
    if "TORCHELASTIC_RUN_ID" not in os.environ:
        return None
    # Whether they were is not said everywhere: an agent counts the restarts that began with its own processes.
    may_restart = os.environ.get("TORCHELASTIC_MAX_RESTARTS", "0") != "0"
    return Place(int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]), may_restart)


_changing = threading.Lock()
_added: Counter[str] = Counter()
"""How many blocks need each environment variable that was set here."""


@contextlib.contextmanager
def _settings(*names: str) -> Iterator[list[str]]:
    """Set environment variables to 1 for processes started meanwhile, but the user's own; yield those set here.

    Blocks of several threads may overlap: a variable is there until the last one of them ends.
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
