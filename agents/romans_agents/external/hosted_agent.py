"""Agents of users' files in a process beside this one, which is ended and started again when one does not answer."""

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
"""That the process has to start, and to load a file: some files load torch."""
_FIRST_SECONDS = 10.0
"""That an agent has for a first decision, which is tried before it plays, as it may compile."""


class _HostProcess:
    """The process that hosts agents. All of this process share one, which is as large as they are together."""

    def __init__(self) -> None:
        self._process: LineProcess | None = None
        self._lock = threading.Lock()
        self.number = 1
        """Of the process that runs, or is started next."""

    def ask(self, seconds: float, **question: Any) -> dict[str, Any]:
        """Return the answer to a question.

        Args:
            seconds: that it may take.
            question: plain JSON.

        Raises:
            LineProcessTimeout: no answer came; the process is ended.
            LineProcessError: the process has ended.
        """
        with self._lock:
            if self._process is None:
                self._process = LineProcess(command())
            try:
                # Paths are relative to where this process is now.
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
        """End the process, with all that its agents have started."""
        if self._process is not None:
            # A thread ends it: the time that this takes is no agent's, and must not be interrupted.
            threading.Thread(target=self._process.kill).start()
            self._process = None
            self.number += 1


def _answer(process: LineProcess, key: str, end: float) -> dict[str, Any]:
    """Return the answer with a key; lines that agents have written, whatever they are, are passed over."""
    while True:
        line = process.read(end - time.monotonic())
        with contextlib.suppress(ValueError):
            answer = json_of(line)
            if isinstance(answer, dict) and answer.get("key") == key:
                return answer


_host = _HostProcess()


class HostedAgent(Agent):
    """Plays the agent of a user's file in the process that hosts such agents.

    An agent that takes longer than its time, or ends the process, is not asked again before the next `seed`; one that
    cannot be loaded, or does not come to a first decision, is not asked again at all. What it answers then is an error.

    Args:
        spec: of a Python file, or of a model of stable-baselines3.
        rules: the game with its setup.
        move_time: seconds that a decision may take; None for no limit.

    Raises:
        romans_agents.permission.FileNotAllowedError: code may not be loaded here.
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
        """See `Agent.seed`; an agent that was cut off is asked again."""
        self._seed, self._is_seeded = seed, False
        if not self._is_given_up:
            self._fault = None

    def prepare(self) -> None:
        """Load the agent, unless its process has it, and let it try a first decision."""
        if self._fault is not None or self._loaded_in == _host.number:
            return
        game = Game(self._rules, seed=0)
        assert game.seat_to_act is not None
        view = packed(game.view(game.seat_to_act))
        try:
            answer = _host.ask(_START_SECONDS, what="load", spec=self.name, view=view)
            self._loaded_in, self._is_seeded = _host.number, False
            # An error in a first decision is one of the agent's games, not of its start.
            tried = (
                {} if "error" in answer else _host.ask(_FIRST_SECONDS, what="act", spec=self.name, seed=0, view=view)
            )
            if "error" in answer or tried.get("is_unusable"):
                self._give_up(AgentError(f"the agent {self.name}: {(answer | tried)['error']}"))
        except LineProcessTimeout:
            self._give_up(SlowAgentError(f"the agent {self.name} came to no first decision in {_FIRST_SECONDS:g} s"))
        except LineProcessError as error:
            self._give_up(AgentError(f"the agent {self.name}: its process {error}"))

    def act(self, view: View) -> Any:
        """Return the answer of the agent: an action id or name, which may be illegal.

        Raises:
            romans_agents.SlowAgentError: it takes longer than its time, or did before.
            romans_agents.AgentError: it raises an error, or ended the process that plays it.
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
        """Return what the process answers to a decision."""
        started = time.monotonic()
        try:
            return _host.ask(self._seconds, what="act", spec=self.name, seed=seed, view=packed(view))
        except LineProcessTimeout:
            self._fault = SlowAgentError(f"the agent {self.name} gave no action in {self._seconds:g} s")
        except LineProcessError as error:
            self._fault = AgentError(f"the agent {self.name}: its process {error}")
        except BaseException:
            # Interrupted from outside, by whoever has waited longer than the limit.
            seconds = time.monotonic() - started
            self._fault = SlowAgentError(f"the agent {self.name} gave no action in {seconds:.3g} s")
            raise
        raise type(self._fault)(str(self._fault)) from None

    def _give_up(self, fault: AgentError) -> None:
        self._fault, self._is_given_up = fault, True


class _Unusable:
    """An answer that names no action, as the agent would show it."""

    def __init__(self, shown: Any):
        self._shown = str(shown)

    def __repr__(self) -> str:
        return self._shown


def found_in(file: str, game: str) -> str:
    """Return the spec of the agent in a user's file, which is run in the process that hosts agents.

    Args:
        file: the path of a Python file, whose sole agent it is, or of a model of stable-baselines3.
        game: the name of the game that it shall play.

    Raises:
        UnknownAgentError: in a line, why the file brings no agent.
        romans_agents.permission.FileNotAllowedError: code may not be loaded here.
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
