"""The main function of a worker process, in which agents choose actions, give hints and review games."""

from __future__ import annotations

import contextlib
import json
import operator
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator
from functools import cache
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import romans_agents
from romans_agents import Agent
from romans_agents.batches.time_limit import DecisionTimeout, run_with_timeout
from romans_agents.permission import Files
from romans_agents.warm_up import needed as needed_functions
from romans_agents.warm_up import warm_up
from romans_env import View
from romans_env.compiling.progress import progress
from romans_env.core.games import spec_of
from romans_env.core.protocol import Rules, States
from romans_env.core.records import Record
from romans_env.errors import error_line
from romans_serve.thinkers.reviewing import reviewed
from romans_serve.thinking import Kind
from romans_training.compare.annotations import annotation_of

PREPARING, COUNT, PREPARED, PART, ANSWER, ERROR = "preparing", "count", "prepared", "part", "answer", "error"
"""Kinds of messages from a worker. PREPARING: it begins to compile or load an agent. COUNT: the progress of this.
PREPARED: the agent is ready, and its time starts. PART: a part of the answer. ANSWER: the answer. ERROR: the reason why
there is no answer."""
TOLD_EVERY = 0.4
"""Seconds between messages about the progress of compilation."""
MOST_AGENTS = 16
"""Number of most recently used agents that a worker keeps. A game offers about as many, and each has at most 6 MB."""


class Job(NamedTuple):
    """A question to a worker.

    Attributes:
        kind: purpose of the question, such as an action, a hint or a review.
        spec: the agent spec.
        files: permission of the spec to load files, as for `romans_agents.make`.
        game: name of the game.
        setup: the setup as JSON.
        states: the private view, as an array of state records, shape ``(1,)``.
        seat: the seat to which the private view belongs.
        seed: seed of the agent for this decision; None to prepare the agent without asking it.
        seconds: time limit in seconds.
        record: record of the game to review; None for questions of other kinds.
    """

    kind: Kind
    spec: str
    files: Files
    game: str
    setup: str
    states: States
    seat: int
    seed: int | None
    seconds: float
    record: Record | None = None


def work(connection: Connection, gives_way: bool = False) -> None:
    """Answer jobs until the connection closes: the main function of a worker process.

    Args:
        connection: the connection to the server.
        gives_way: whether the process runs at a lower priority than other processes.
    """
    if gives_way and sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, 0, 10)
    agents = _Agents(connection)
    # If the server was killed, sending raises OSError.
    with contextlib.suppress(OSError):
        connection.send((PREPARED, None))
    while True:
        try:
            job: Job = connection.recv()
        except (EOFError, OSError):
            return
        try:
            agent = agents.of(job)
            answer: tuple[str, Any] = (ANSWER, run_with_timeout(job.seconds, lambda: _answer(job, agent, connection)))  # noqa: B023
        except DecisionTimeout:
            answer = (ERROR, f"it took more than {job.seconds:g} s")
        except (Exception, SystemExit) as error:  # an agent from a file may raise anything
            answer = (ERROR, error_line(error))
        try:
            connection.send(answer)
        except OSError:
            return


def _answer(job: Job, agent: Agent, connection: Connection) -> Any:
    """Return the answer to a job; the parts of a review are sent as soon as they are found.

    Returns:
        For a review, the fields of `Reviewed`. For an action, the action's id, or the agent's invalid answer as a
        string. For a hint, the probabilities by action name, and the value (None if there is no estimate). For a job
        without a seed, None.
    """
    if job.record is not None:
        return tuple(reviewed(job.record, on_part=lambda part: connection.send((PART, tuple(part)))))
    if job.seed is None:
        return None
    view = View(_rules(job.game, job.setup), job.states, job.seat)
    agent.seed(job.seed)
    # Plain numbers, because the server cannot unpickle types that the agent's file defines.
    if job.kind == "act":
        action: Any = agent.act(view)
        try:
            return view.action_id(action) if isinstance(action, str) else operator.index(action)
        except (TypeError, ValueError):
            return str(action)
    opinion = annotation_of(agent, view)
    value = None if opinion.value is None else float(opinion.value)
    return {str(name): float(share) for name, share in opinion.probabilities.items()}, value


class _Agents:
    """Creates and compiles agents, and keeps the most recently used of them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._kept: OrderedDict[tuple[str, str], Agent] = OrderedDict()

    def of(self, job: Job) -> Agent:
        """Return the agent of a job. If it has to be prepared first, this may take long and has no time limit."""
        key = (job.spec, job.game)
        if key not in self._kept:
            self._connection.send((PREPARING, None))
            with _counted(self._connection, job):
                agent = romans_agents.make(job.spec, files=job.files, game=job.game)
                # For an agent from a user's file this loads only the game's code: a time limit that interrupts loading
                # would damage it. Helper processes outlive this one, so there are none if no one waits for the agent.
                warm_up(_rules(job.game, job.setup), [job.spec], helpers=job.kind != "ahead")
            self._kept[key] = agent
            self._connection.send((PREPARED, None))
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_AGENTS:
            self._kept.popitem(last=False)
        return self._kept[key]


@contextlib.contextmanager
def _counted(connection: Connection, job: Job) -> Iterator[None]:
    """Report progress while the block prepares an agent; reports begin once a function has to be compiled."""
    needed, is_over = needed_functions(job.game, job.spec), threading.Event()

    def tell() -> None:
        told, is_compiling = None, False
        while not is_over.wait(TOLD_EVERY):
            is_compiling = is_compiling or progress.is_compiling
            ready = progress.ready()
            count = (len(ready), None) if needed is None else (len(ready & needed), len(needed))
            if is_compiling and count != told:
                told = count
                with contextlib.suppress(OSError):
                    connection.send((COUNT, count))

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        is_over.set()
        # Two threads must not send at the same time.
        teller.join()


@cache
def _rules(game: str, setup: str) -> Rules:
    rules: Rules = spec_of(game).part("rules").from_json(json.loads(setup))
    return rules
