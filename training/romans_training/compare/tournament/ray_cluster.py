"""Plays chunks on a Ray cluster (optional)."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import romans_agents
import romans_env
import romans_training
from romans_training.compare.tournament.entries import TournamentError
from romans_training.compare.tournament.match import AgentCache, Chunk, Played, play_chunk
from romans_training.compare.tournament.workers import Playing, Results, as_completed

_PACKAGES = [Path(module.__file__ or "").resolve().parent for module in (romans_env, romans_agents, romans_training)]


def played_on_ray(chunks: Sequence[Chunk], address: str) -> Results:
    """Play chunks on a Ray cluster, and yield each result as soon as it is available.

    If this package runs from a checkout, it is sent to the machines of the cluster with the tasks. Files that agents
    name must have the same path on all machines.

    Args:
        chunks: the chunks to play.
        address: the address of the cluster; ``local`` starts one on this machine, ``auto`` finds one that runs on it.

    Raises:
        TournamentError: if Ray is not installed, or the cluster cannot be reached or fails.
    """
    ray = _connected(address)
    play = ray.remote(num_cpus=1)(_play_on_ray)
    folder, playing = os.getcwd(), Playing()
    try:
        at_once = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        yield from as_completed(chunks, at_once, lambda chunk: play.remote(chunk, folder).future(), playing)
    except ray.exceptions.RayTaskError as error:
        cause = error.as_instanceof_cause()
        if isinstance(cause, TournamentError):
            raise TournamentError(str(error.cause)) from None
        raise
    except ray.exceptions.RayError as error:
        reason = str(error).strip().partition("\n")[0]
        raise TournamentError(f"Ray failed: {reason}. Results are kept; repeat the command to continue") from None
    finally:
        for future in playing:
            with contextlib.suppress(Exception):
                ray.cancel(future.object_ref, force=True)  # type: ignore[attr-defined]
        ray.shutdown()


_agents: AgentCache = {}
"""The agents of this worker process."""


def _play_on_ray(chunk: Chunk, folder: str) -> Played:
    # Paths in agent specs are relative to the folder in which the tournament was called.
    if os.path.isdir(folder):
        os.chdir(folder)
    return play_chunk(chunk, _agents)


def _connected(address: str) -> Any:
    """Connect to a cluster and return the ray module."""
    # Ray sends usage statistics unless this is set.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError:
        raise TournamentError("--ray needs Ray; install the extra 'ray' by pip install \"romans-env[ray]\"") from None
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
        reason = str(error).strip().partition("\n")[0]
        raise TournamentError(f"cannot use the Ray cluster {address!r}: {reason}") from None
    return ray


@contextlib.contextmanager
def _own_handler_of_sigterm() -> Iterator[None]:
    """Keep our handler of SIGTERM: Ray's own would end the process before the user is told how to continue."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        # Without a handler of ours, Ray's is kept: it ends the cluster.
        if callable(before) and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


def _check_reachable(address: str) -> None:
    """Raise OSError if the address does not accept connections: Ray itself would retry for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=10).close()
