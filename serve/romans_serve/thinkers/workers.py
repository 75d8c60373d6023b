"""A `Thinker` with worker processes: an agent that hangs or crashes loses only its own decision."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import queue
import re
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import romans_agents
from romans_agents import PolicyFileError, UnknownAgentError
from romans_agents.permission import Files
from romans_env import View
from romans_env.core.games import spec_of
from romans_env.core.protocol import Rules
from romans_env.core.records import Record
from romans_env.errors import error_line
from romans_serve.thinkers.worker import ANSWER, COUNT, ERROR, PART, PREPARED, PREPARING, Job, work
from romans_serve.thinking import Count, Hint, Kind, Reviewed, ReviewPart, ThinkingError
from romans_training.worker_processes import start_process

LARGEST_OPTION = 10_000_000
"""Largest number in an agent spec from a browser, because the memory of searches is proportional to such numbers."""
REVIEW_SECONDS = 600.0
"""Time limit of a review, in seconds."""
_PREPARATION = 1800.0
"""Time limit for compiling an agent, in seconds."""
_LOOK = 0.2
"""Seconds between two checks whether the answer to a question is still wanted."""


class _Worker:
    """A worker process and the connection to it.

    The process is started for the first question, and restarted for the next question after it has ended.
    """

    def __init__(self, gives_way: bool = False) -> None:
        self._gives_way = gives_way
        self._process: Any = None
        self._connection: Any = None

    def ask(self, job: Job, given_up: threading.Event, on_part: Callable[[Any], object]) -> Any:
        """Send a job to the process, and wait for the answer.

        This blocks the calling thread, in which ``on_part`` is called with the parts of the answer.

        Args:
            job: the question.
            given_up: event that is set if the answer is no longer wanted.
            on_part: function that is called with each part of the answer, or with the progress of preparing an agent.

        Raises:
            ThinkingError: if there is no answer in time, or the event ``given_up`` is set.
        """
        # Longer than the time limit of the worker itself, because the worker cannot interrupt compiled code.
        patience = 1.25 * job.seconds + 1.0
        try:
            if self._process is None or not self._process.is_alive():
                self._start()
            self._connection.send(job)
            until = time.monotonic() + patience
            while True:
                if not self._comes(until, given_up):
                    self.end()
                    raise ThinkingError(f"it took more than {job.seconds:g} s, and was stopped")
                kind, value = self._connection.recv()
                if kind == PREPARING:
                    until = time.monotonic() + _PREPARATION
                elif kind == PREPARED:
                    until = time.monotonic() + patience
                elif kind == COUNT:
                    # Progress is reported only for preparation; for an answer, ``on_part`` takes nothing but its parts.
                    if job.seed is None:
                        on_part(value)
                elif kind == PART:
                    on_part(value)
                elif kind == ERROR:
                    raise ThinkingError(value)
                else:
                    assert kind == ANSWER
                    return value
        except ThinkingError:
            raise
        except (EOFError, OSError):
            self.end()
            raise ThinkingError("its process ended") from None
        except Exception as error:  # what an agent of a file has sent may fail in any way when it is read
            self.end()
            raise ThinkingError(error_line(error)) from None

    def _comes(self, until: float, given_up: threading.Event) -> bool:
        """Wait for a message; return False if the time is over, or ``given_up`` is set, before one arrives."""
        while not (is_there := self._connection.poll(_LOOK)) and time.monotonic() < until and not given_up.is_set():
            continue
        return bool(is_there)

    def _start(self) -> None:
        self._connection, other = multiprocessing.Pipe()
        self._process = start_process(work, other, self._gives_way, name="romans agents")
        other.close()
        if not self._connection.poll(_PREPARATION):
            raise OSError("it does not start")
        self._connection.recv()

    def end(self) -> None:
        """Kill the process and close the connection."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
            self._process = None


class Workers:
    """A `romans_serve.thinking.Thinker` that asks agents in worker processes.

    Args:
        number: number of processes for actions and hints; each process answers one question at a time.
        seconds: time limit of a decision, in seconds.
        trusted: agent specs from the command line, which may load files.
    """

    def __init__(self, number: int = 2, seconds: float = 20.0, trusted: Sequence[str] = ()):
        self.seconds, self._trusted = seconds, frozenset(trusted)
        self._is_closed = False
        # Hints, which a client may ask for and then leave, never occupy all processes if there are two or more.
        # Reviews, which anyone may request and which take minutes, have processes of their own with a lower priority.
        aside = max(1, number - 1)
        self._threads = {
            "act": ThreadPoolExecutor(number, thread_name_prefix="agents"),
            "hint": ThreadPoolExecutor(aside, thread_name_prefix="hints"),
            "review": ThreadPoolExecutor(aside, thread_name_prefix="reviews"),
            "ahead": ThreadPoolExecutor(1, thread_name_prefix="ahead"),
        }
        players, reviewers = [_Worker() for _ in range(number)], [_Worker(gives_way=True) for _ in range(aside)]
        self._ahead = _Worker(gives_way=True)
        self._workers = [*players, *reviewers, self._ahead]
        self._idle = {"act": _queue_of(players), "review": _queue_of(reviewers), "ahead": _queue_of([self._ahead])}
        self._idle["hint"] = self._idle["act"]

    def close(self) -> None:
        """End all processes."""
        self._is_closed = True
        for worker in self._workers:
            with contextlib.suppress(Exception):
                worker.end()
        for threads in self._threads.values():
            threads.shutdown(wait=False, cancel_futures=True)

    def check(self, spec: str, game: str) -> None:
        """Check that a spec names an agent of the game; a spec that is not trusted may not load files.

        Raises:
            ValueError: if the spec does not name an agent of the game, or an untrusted spec has a number above
                `LARGEST_OPTION`.
        """
        if spec in self._trusted:
            return
        if any(len(digits) > 9 or int(digits) > LARGEST_OPTION for digits in re.findall(r"\d+", spec)):
            raise UnknownAgentError(f"an option of an agent is at most {LARGEST_OPTION:,} here")
        _check(spec, game)

    async def prepare(self, kind: Kind, spec: str, view: View, told: Callable[[Count], object]) -> None:
        """Compile the functions that an agent needs, in one worker; the other workers then load them from disk."""
        await self._ask(kind, spec, view, None, lambda part: told(Count(*part)))

    async def rest(self) -> None:
        """End the worker process that prepares agents ahead."""
        await asyncio.to_thread(self._ahead.end)

    async def act(self, spec: str, view: View, seed: int) -> int:
        """Return the id of the agent's action; raise `ThinkingError` if the agent chooses no action in time."""
        answer = await self._ask("act", spec, view, seed)
        try:
            return int(answer)
        except (TypeError, ValueError):
            raise ThinkingError(f"it answers with {str(answer)[:40]!r}, which is not an action") from None

    async def hint(self, spec: str, view: View, seed: int) -> Hint:
        """Return the agent's hint; raise `ThinkingError` if the agent gives no hint in time."""
        probabilities, value = await self._ask("hint", spec, view, seed)
        return Hint(spec, probabilities, value)

    async def review(self, rules: Rules, record: Record, on_part: Callable[[ReviewPart], object]) -> Reviewed:
        """Return a review by the game's reviewer; raise `ThinkingError` if it is not done in time."""
        reviewer, setup = spec_of(rules.name).reviewer, json.dumps(rules.setup.as_json())
        job = Job("review", reviewer, "none", rules.name, setup, rules.new_states(1), 0, 0, REVIEW_SECONDS, record)
        return Reviewed(*await self._answer(job, lambda part: on_part(ReviewPart(*part))))

    async def _ask(
        self,
        kind: Kind,
        spec: str,
        view: View,
        seed: int | None,
        on_part: Callable[[Any], object] = lambda part: None,
    ) -> Any:
        files: Files = "code" if spec in self._trusted else "none"
        setup = json.dumps(view.rules.setup.as_json())
        of = view.rules.name, setup, view.states, view.seat
        return await self._answer(Job(kind, spec, files, *of, seed, self.seconds), on_part)

    async def _answer(self, job: Job, on_part: Callable[[Any], object] = lambda part: None) -> Any:
        given_up, loop = threading.Event(), asyncio.get_running_loop()

        def came(part: Any) -> None:
            # The event loop may have been closed meanwhile.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(on_part, part)

        try:
            return await loop.run_in_executor(self._threads[job.kind], self._ask_one, job, given_up, came)
        except asyncio.CancelledError:
            # A hint soon ends by itself; ending its process would make the next question load its agents again.
            if job.kind in ("review", "ahead"):
                given_up.set()
            raise

    def _ask_one(self, job: Job, given_up: threading.Event, on_part: Callable[[Any], object]) -> Any:
        idle = self._idle[job.kind]
        worker = idle.get()
        try:
            if self._is_closed:
                raise ThinkingError("the server is stopping")
            return worker.ask(job, given_up, on_part)
        finally:
            idle.put(worker)


def _queue_of(workers: Sequence[_Worker]) -> queue.SimpleQueue[_Worker]:
    found: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
    for worker in workers:
        found.put(worker)
    return found


@lru_cache(maxsize=256)
def _check(spec: str, game: str) -> None:
    try:
        romans_agents.make(spec, files="none", game=game)
    except PolicyFileError as error:
        raise UnknownAgentError(str(error)) from None
