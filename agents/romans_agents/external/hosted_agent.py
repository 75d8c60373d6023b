"""Agents from users' files, hosted in a separate process that is restarted after an agent has failed to answer."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import threading
import time
from typing import Any

from romans_agents.base import Agent
from romans_agents.errors import AgentError, SlowAgentError, UnknownAgentError
from romans_agents.external.agent_host import command, packed
from romans_agents.external.line_process import LineProcess, LineProcessError, LineProcessTimeout
from romans_agents.permission import require
from romans_env import Game, View
from romans_env.core.files import json_of
from romans_env.core.protocol import Rules

_START_SECONDS = 60.0
"""Seconds that the process has to start and to load a file, which may import a large package such as torch."""
_FIRST_SECONDS = 10.0
"""Seconds that an agent has for a trial decision before it plays, because its first decision may compile code."""


class _HostProcess:
    """The process that hosts agents. All hosted agents share it, so its memory is the sum of what they use."""

    def __init__(self) -> None:
        self._process: LineProcess | None = None
        self._lock = threading.Lock()
        self.number = 1
        """Number of the running process or, if none is running, of the next process."""

    def ask(self, seconds: float, **question: Any) -> dict[str, Any]:
        """Ask the process a question, and return its answer; the process is started if necessary.

        Args:
            seconds: the time limit of the answer.
            question: the keys of the question, with values that can be written as JSON.

        Raises:
            LineProcessTimeout: if there is no answer in time; the process is killed.
            LineProcessError: if the process has ended.
        """
        with self._lock:
            if self._process is None:
                self._process = LineProcess(command())
            try:
                # Paths in the question are relative to the current folder of this process.
                key = secrets.token_hex(8)
                self._process.write(json.dumps({**question, "key": key, "folder": os.getcwd()}))
                answer = _answer(self._process, key, time.monotonic() + seconds)
            except BaseException:
                self.end()
                raise
            if answer.get("is_unusable"):
                self.end()
            return answer

    def end(self) -> None:
        """Kill the process, with all processes that its agents have started."""
        if self._process is not None:
            # In a thread, because killing must not be interrupted, nor count as an agent's time.
            threading.Thread(target=self._process.kill).start()
            self._process = None
            self.number += 1


def _answer(process: LineProcess, key: str, end: float) -> dict[str, Any]:
    """Return the answer that has the given key; other lines, which agents have printed, are skipped."""
    while True:
        line = process.read(end - time.monotonic())
        with contextlib.suppress(ValueError):
            answer = json_of(line)
            if isinstance(answer, dict) and answer.get("key") == key:
                return answer


_host = _HostProcess()


class HostedAgent(Agent):
    """Plays an agent from a user's file in a separate process.

    An agent that exceeds its time limit or ends the process is not asked again until the next `seed`. An agent that
    cannot be loaded, or fails to complete a trial decision in time, is never asked again. In both cases, `act` keeps
    raising the same error.

    Args:
        spec: the agent spec of a class in a Python file, or of a stable-baselines3 model.
        rules: the game with its setup.
        move_time: the time limit of a decision in seconds; None for no limit.

    Raises:
        romans_agents.permission.FileNotAllowedError: if code may not be loaded here.
    """

    def __init__(self, spec: str, rules: Rules, move_time: float | None = None):
        require("code", spec)
        self.name = self.made_from = spec
        self._rules = rules
        self._seconds = float("inf") if move_time is None else move_time
        self._seed, self._is_seeded = 0, False
        self._loaded_in = 0
        self._fault: AgentError | None = None
        self._is_given_up = False

    def seed(self, seed: int) -> None:
        """Seed the agent at its next decision. An agent that had exceeded its time limit is then asked again."""
        self._seed, self._is_seeded = seed, False
        if not self._is_given_up:
            self._fault = None

    def prepare(self) -> None:
        """Load the agent in the hosting process and ask it for a trial decision, unless it is loaded already."""
        if self._fault is not None or self._loaded_in == _host.number:
            return
        game = Game(self._rules, seed=0)
        assert game.seat_to_act is not None
        view = packed(game.view(game.seat_to_act))
        try:
            answer = _host.ask(_START_SECONDS, what="load", spec=self.name, view=view)
            self._loaded_in, self._is_seeded = _host.number, False
            # An error in the trial decision is ignored: if it happens again in a game, it is reported there.
            tried = (
                {} if "error" in answer else _host.ask(_FIRST_SECONDS, what="act", spec=self.name, seed=0, view=view)
            )
            if "error" in answer or tried.get("is_unusable"):
                self._give_up(AgentError(f"the agent {self.name}: {(answer | tried)['error']}"))
        except LineProcessTimeout:
            self._give_up(SlowAgentError(f"the agent {self.name} made no first decision in {_FIRST_SECONDS:g} s"))
        except LineProcessError as error:
            self._give_up(AgentError(f"the agent {self.name}: its process {error}"))

    def act(self, view: View) -> Any:
        """Return the agent's answer: an action id or name, which may be illegal.

        Raises:
            romans_agents.SlowAgentError: if the agent exceeds its time limit, or exceeded it earlier.
            romans_agents.AgentError: if the agent raises an error, or has ended its process.
        """
        self.prepare()
        if self._fault is not None:
            raise type(self._fault)(str(self._fault))
        answer = self._asked(view, None if self._is_seeded else self._seed)
        self._is_seeded = True
        if "error" in answer:
            fault = AgentError(f"the agent {self.name}: {answer['error']}")
            self._fault = fault if answer.get("is_unusable") else None
            raise fault
        return answer["action"] if "action" in answer else _Unusable(answer.get("unusable"))

    def _asked(self, view: View, seed: int | None) -> dict[str, Any]:
        """Ask the process for a decision; remember a timeout or the end of the process as the agent's fault."""
        started = time.monotonic()
        try:
            return _host.ask(self._seconds, what="act", spec=self.name, seed=seed, view=packed(view))
        except LineProcessTimeout:
            self._fault = SlowAgentError(f"the agent {self.name} gave no action in {self._seconds:g} s")
        except LineProcessError as error:
            self._fault = AgentError(f"the agent {self.name}: its process {error}")
        except BaseException:
            # Interrupted from outside, by a caller with its own time limit.
            seconds = time.monotonic() - started
            self._fault = SlowAgentError(f"the agent {self.name} gave no action in {seconds:.3g} s")
            raise
        raise type(self._fault)(str(self._fault)) from None

    def _give_up(self, fault: AgentError) -> None:
        self._fault, self._is_given_up = fault, True


class _Unusable:
    """An answer that names no action; it looks like the object that the agent returned."""

    def __init__(self, shown: Any):
        self._shown = str(shown)

    def __repr__(self) -> str:
        return self._shown


def found_in(file: str, game: str) -> str:
    """Return the spec of the only agent in a user's file; the file is loaded in the hosting process.

    Args:
        file: the path of a Python file or of a stable-baselines3 model.
        game: the name of the game that the agent plays.

    Raises:
        UnknownAgentError: if the file has no usable agent; the message says why in one line.
        romans_agents.permission.FileNotAllowedError: if code may not be loaded here.
    """
    require("code", file)
    try:
        answer = _host.ask(_START_SECONDS, what="find", file=file, game=game)
    except LineProcessTimeout:
        raise UnknownAgentError(f"{file} was not loaded in {_START_SECONDS:g} s") from None
    except LineProcessError as error:
        raise UnknownAgentError(f"{file}: its process {error}") from None
    if "error" in answer:
        raise UnknownAgentError(str(answer["error"]))
    return f"{file}:{answer['name']}" if "name" in answer else file
