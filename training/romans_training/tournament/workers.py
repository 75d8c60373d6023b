"""Where chunks are played: in this process, in others on this machine, or on a Ray cluster. They come out the same."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import romans_agents
import romans_env
import romans_training
from romans_training.tournament.entries import TournamentError
from romans_training.tournament.match import Chunk, Made, Played, play_chunk

Results = Iterator[tuple[Chunk, Played]]
_THREAD_SETTINGS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_PACKAGES = [Path(module.__file__ or "").resolve().parent for module in (romans_env, romans_agents, romans_training)]


def played_here(chunks: Sequence[Chunk]) -> Results:
    """Play chunks in this process, one after the other."""
    made: Made = {}
    for chunk in chunks:
        yield chunk, play_chunk(chunk, made)


def played_in_processes(chunks: Sequence[Chunk], jobs: int) -> Results:
    """Play chunks in ``jobs`` processes on this machine; they come in the order in which they end.

    Raises:
        TournamentError: a process died.
    """
    others = set(multiprocessing.active_children())
    # Spawned, not forked: threads of numba and torch do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with _one_thread_each():
        pool = ProcessPoolExecutor(jobs, context, initializer=_start_worker)
        waiting: dict[Future[Played], Chunk] = {}

        def ended() -> list[tuple[Chunk, Played]]:
            done = wait(waiting, return_when=FIRST_COMPLETED).done
            results = [(waiting[future], future.result()) for future in done]
            for future in done:
                del waiting[future]
            return results

        try:
            yield from _as_they_end(
                chunks, 2 * jobs, lambda chunk: waiting.setdefault(pool.submit(_play_in_worker, chunk), chunk), ended
            )
        except BrokenProcessPool:
            playing = "; ".join(sorted({str(chunk.line_up) for chunk in waiting.values()}))
            raise TournamentError(
                f"a worker process died, killed or out of memory, while these were playing: {playing}. What was played "
                "before is kept; the same command goes on, with --jobs 1 for one at a time"
            ) from None
        finally:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            # Waited for: the pool's own thread closes the pipe that the interpreter still writes to when it exits.
            pool.shutdown(wait=True, cancel_futures=True)


def played_on_ray(chunks: Sequence[Chunk], address: str) -> Results:
    """Play chunks on a Ray cluster; they come in the order in which they end.

    A cluster of other machines gets this package with the tasks when it is run from a checkout. Files that agents name
    must lie at the same place on all machines.

    Args:
        chunks: what to play.
        address: of the cluster; ``local`` starts one on this machine, ``auto`` finds one that runs on it.

    Raises:
        TournamentError: Ray is not installed, or no cluster is there.
    """
    ray = _connected(address)
    play = ray.remote(num_cpus=1)(_play_on_ray)
    waiting: dict[Any, Chunk] = {}
    folder = os.getcwd()

    def ended() -> list[tuple[Chunk, Played]]:
        done, _ = ray.wait(list(waiting), num_returns=1)
        return [(waiting.pop(one), ray.get(one)) for one in done]

    try:
        at_once = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        yield from _as_they_end(
            chunks, at_once, lambda chunk: waiting.setdefault(play.remote(chunk, folder), chunk), ended
        )
    except ray.exceptions.RayTaskError as error:
        cause = error.as_instanceof_cause()
        if isinstance(cause, TournamentError):
            raise TournamentError(str(error.cause)) from None
        raise
    except ray.exceptions.RayError as error:
        said = str(error).strip().partition("\n")[0]
        raise TournamentError(f"Ray failed: {said}. What was played is kept; the same command goes on") from None
    finally:
        for task in waiting:
            with contextlib.suppress(Exception):
                ray.cancel(task, force=True)
        ray.shutdown()


def _as_they_end(
    chunks: Sequence[Chunk],
    at_once: int,
    start: Callable[[Chunk], Any],
    ended: Callable[[], list[tuple[Chunk, Played]]],
) -> Results:
    """Keep ``at_once`` chunks going: enough that nobody waits, and few enough to stop soon."""
    left = iter(chunks)
    going = 0
    while True:
        while going < at_once and (chunk := next(left, None)) is not None:
            start(chunk)
            going += 1
        if not going:
            return
        for result in ended():
            going -= 1
            yield result


# -- in worker processes

_made: Made = {}


def _start_worker() -> None:
    # Ctrl-C reaches every process of a terminal; the first one says what becomes of the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _play_in_worker(chunk: Chunk) -> Played:
    try:
        return play_chunk(chunk, _made)
    except TournamentError as error:
        raise TournamentError(f"{error} (in a worker process; --jobs 1 plays in the first one)") from None


@contextlib.contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes started meanwhile leave the other cores to each other. Settings of the user's own stay."""
    added = [name for name in _THREAD_SETTINGS if name not in os.environ]
    os.environ.update(dict.fromkeys(added, "1"))
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


# -- Ray


def _play_on_ray(chunk: Chunk, folder: str) -> Played:
    # Paths in agents' texts are meant from the folder in which the tournament was called.
    if os.path.isdir(folder):
        os.chdir(folder)
    return play_chunk(chunk, _made)


def _connected(address: str) -> Any:
    """Ray, connected to a cluster."""
    # Ray reports its use to its makers unless told otherwise.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError:
        raise TournamentError("--ray needs Ray; install the extra 'ray', by pip install '.[ray]'") from None
    settings: dict[str, Any] = {"address": address, "log_to_driver": False, "logging_level": "ERROR"}
    if address == "local":
        settings["include_dashboard"] = False
    folders = dict.fromkeys(package.parent for package in _PACKAGES)
    if "site-packages" not in _PACKAGES[0].parts:
        settings["runtime_env"] = (
            {"env_vars": {"PYTHONPATH": os.pathsep.join([*map(str, folders), *filter(None, sys.path)])}}
            if address == "local"
            else {"py_modules": list(map(str, _PACKAGES))}
        )
    try:
        _check_reachable(address)
        with _own_handler_of_sigterm():
            ray.init(**settings)
    except (ConnectionError, OSError, ValueError, RuntimeError) as error:
        said = str(error).strip().partition("\n")[0]
        raise TournamentError(f"cannot use the Ray cluster {address!r}: {said}") from None
    return ray


@contextlib.contextmanager
def _own_handler_of_sigterm() -> Iterator[None]:
    """Ray replaces the handler, and its own one ends the process before anybody can say how to go on."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        # Where nobody handles the signal, Ray's handler is the better one: it ends the cluster.
        if callable(before) and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


def _check_reachable(address: str) -> None:
    """OSError where nobody listens: Ray itself would go on trying for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=10).close()
