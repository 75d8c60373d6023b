"""A process in which agents decide."""

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
"""Kinds of messages of a worker: it compiles or loads an agent; how much of that is done; it is ready, so that its
clock starts; a part of its answer; its answer; why there is none."""
TOLD_EVERY = 0.4
"""Seconds between messages about how much is compiled."""
MOST_AGENTS = 16
"""That a worker keeps, the latest asked: the agents that a game offers, of which one holds 6 MB at most."""


class Job(NamedTuple):
    """A question.

    Attributes:
        kind: an action, a hint, or a review.
        spec: the agent spec.
        files: what the spec may load.
        game: name of the game.
        setup: the setup as JSON.
        states: the private view as a record, shape (1,).
        seat: whose view it is.
        seed: of the agent's chance in this decision; None: it is made ready alone.
        seconds: that it may take.
        record: of the game that is reviewed.
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
    """Answer jobs until the connection ends; at a lower priority than other processes where it gives way to them."""
    if gives_way and sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, 0, 10)
    agents = _Agents(connection)
    # A server that was killed leaves an OSError to whatever is sent.
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
        except (Exception, SystemExit) as error:  # an agent of a file may fail in any way
            answer = (ERROR, error_line(error))
        try:
            connection.send(answer)
        except OSError:
            return


def _answer(job: Job, agent: Agent, connection: Connection) -> Any:
    """Return the answer to a job; parts of it that are there sooner are sent.

    Returns:
        For a review the fields of `Reviewed`; for an action its id, or whatever else the agent gave as text; for a hint
        the probabilities by name, and the value or None. A job without a seed only makes the agent ready: None.
    """
    if job.record is not None:
        return tuple(reviewed(job.record, on_part=lambda part: connection.send((PART, tuple(part)))))
    if job.seed is None:
        return None
    view = View(_rules(job.game, job.setup), job.states, job.seat)
    agent.seed(job.seed)
    # Plain numbers: the reading process cannot unpickle types from the agent's own file.
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
    """The agents that were asked latest, compiled."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._kept: OrderedDict[tuple[str, str], Agent] = OrderedDict()

    def of(self, job: Job) -> Agent:
        """Return the agent of a job; to make one ready may take long, and no clock runs meanwhile."""
        key = (job.spec, job.game)
        if key not in self._kept:
            self._connection.send((PREPARING, None))
            with _counted(self._connection, job):
                agent = romans_agents.make(job.spec, files=job.files, game=job.game)
                # Of a file of the user, the game alone is loaded: a limit that comes while code is loaded would damage
                # it. Processes that help go on when this one is ended, so where nobody waits there are none.
                warm_up(_rules(job.game, job.setup), [job.spec], helpers=job.kind != "ahead")
            self._kept[key] = agent
            self._connection.send((PREPARED, None))
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_AGENTS:
            self._kept.popitem(last=False)
        return self._kept[key]


@contextlib.contextmanager
def _counted(connection: Connection, job: Job) -> Iterator[None]:
    """Tell how much of an agent's code is ready while the block runs, from the first function on that is compiled."""
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
        # Two threads would mix their messages.
        teller.join()


@cache
def _rules(game: str, setup: str) -> Rules:
    rules: Rules = spec_of(game).part("rules").from_json(json.loads(setup))
    return rules
