"""``process:COMMAND``: an agent that runs as a separate program, in any language.

Messages are JSON objects, one per line: the program reads views and writes actions (docs/agents/process_agents.md
describes the protocol). The program is started for its first decision, restarted after a fault, and ended together with
the agent object.
"""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

from romans_agents.base import Agent
from romans_agents.errors import AgentError, SlowAgentError
from romans_agents.external.line_process import (
    LineProcess,
    LineProcessError,
    LineProcessTimeout,
    can_limit_memory,
    words_of,
)
from romans_agents.permission import require
from romans_env import View
from romans_env.core.files import json_of
from romans_env.errors import in_one_line, shortened

PROTOCOL = "romans-process/1"
"""The protocol and its version. Messages may get new keys without a new version; programs ignore unknown keys."""

_PARTS: dict[str, Callable[[View], Any]] = {
    "position": lambda view: view.position(),
    "observation": lambda view: view.observation.tolist(),
}
"""Parts of a view that a program can request."""


class ProcessAgent(Agent):
    """Plays a program in any language, which reads views and writes actions in JSON (docs/agents/process_agents.md).

    Args:
        command: the command that starts the program, such as ``node my_bot.js``. It is quoted as for a shell, but runs
            without a shell.
        seconds: the number of seconds that every decision adds to the time bank.
        bank: the capacity of the time bank in seconds; the bank is full at the start and after `seed`. A decision may
            use all the time in the bank.
        start: the number of seconds that the program has to start and to answer the first message.
        memory: the limit of the program's data memory in MB, which works on Linux only; None for no limit.
        restarts: the maximum number of restarts after faults, until the next `seed`.

    Raises:
        ValueError: if the command is unusable or a limit is out of range.
        romans_agents.permission.FileNotAllowedError: if code may not be loaded here.
    """

    name = "process"

    def __init__(
        self,
        command: str,
        seconds: float = 1.0,
        bank: float = 10.0,
        start: float = 30.0,
        memory: int | None = None,
        restarts: int = 10,
    ):
        require("code", command, "a program, which would run with your rights")
        self._words = words_of(command)
        for name, value in (("seconds", seconds), ("bank", bank), ("start", start)):
            if not 0.0 < value < math.inf:
                raise ValueError(f"{name} is a number above 0, not {value}")
        if restarts < 0:
            raise ValueError(f"restarts is at least 0, not {restarts}")
        if memory is not None and memory < 1:
            raise ValueError(f"memory is at least 1 (MB), not {memory}")
        if memory is not None and not can_limit_memory():
            raise ValueError("memory can be limited on Linux only; remove the option")
        self.seconds, self.bank, self.start = seconds, bank, start
        self.memory, self.restarts = memory, restarts
        self._seed: int | None = None
        self._left, self._starts_left = bank, restarts + 1
        self._set_up()

    def _set_up(self) -> None:
        self._lock = threading.Lock()
        self._process: LineProcess | None = None
        self._parts: tuple[str, ...] = ()
        self._asked = 0

    def __getstate__(self) -> dict[str, Any]:
        """Leave the running program out of a copy, because the copy starts its own program."""
        own = {"_lock", "_process", "_parts", "_asked"}
        return {name: value for name, value in self.__dict__.items() if name not in own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._set_up()

    def seed(self, seed: int) -> None:
        """Send a seed to the program, refill the time bank, and reset the count of restarts."""
        with self._lock:
            self._seed, self._left, self._starts_left = int(seed), self.bank, self.restarts + 1
            if self._process is not None:
                self._send(type="seed", seed=self._seed)
                self._starts_left -= 1

    def prepare(self) -> None:
        """Start the program if it is not running.

        Raises:
            romans_agents.AgentError: if the program does not start, or has been restarted too often.
        """
        with self._lock:
            self._prepare()

    def act(self, view: View) -> Any:
        """Return the program's answer: an action id or name, which may be illegal.

        Raises:
            romans_agents.SlowAgentError: if the answer takes longer than the time bank holds.
            romans_agents.AgentError: if the program has another fault; it is restarted at the next decision.
        """
        with self._lock:
            self._prepare()
            self._left = min(self.bank, self._left + self.seconds)
            self._asked += 1
            legal = view.legal_actions()
            started = time.monotonic()
            self._send(
                type="act",
                id=self._asked,
                game=view.rules.name,
                setup=view.rules.setup.as_json(),
                seat=view.seat,
                agent=view.agent,
                legal_actions=legal,
                legal_names=[view.action_name(action) for action in legal],
                seconds=round(self._left, 3),
                **{part: _PARTS[part](view) for part in self._parts},
            )
            answer = self._answer(self._left, f"gave no action within the {self._left:.3g} s of its time bank")
            self._left -= time.monotonic() - started
            if answer.get("id") != self._asked:
                self._fail(f"answered with the id {shortened(answer.get('id'))}, not {self._asked}")
            action = answer.get("action")
            if isinstance(action, bool) or not isinstance(action, (int, str)):
                self._fail(f"answered with the action {shortened(action)}, which is neither an id nor a name")
            return action

    def close(self) -> None:
        """End the program; it starts again with the next decision."""
        with self._lock:
            if self._process is not None:
                self._process.close()
                self._process = None

    def _prepare(self) -> None:
        if self._process is not None:
            return
        if self._starts_left < 1:
            raise AgentError(f"the agent {self.name} was started again {self.restarts} times, and failed each time")
        self._starts_left -= 1
        try:
            self._process = LineProcess(self._words, self.memory)
        except LineProcessError as error:
            self._fail(str(error))
        self._send(type="hello", protocol=PROTOCOL)
        answer = self._answer(self.start, f"did not answer the first message in {self.start:g} s")
        if answer.get("protocol") != PROTOCOL:
            self._fail(f"speaks the protocol {shortened(answer.get('protocol'))}, not {PROTOCOL!r}")
        wanted = answer.get("wants", ["position"])
        if not isinstance(wanted, list) or not all(isinstance(part, str) and part in _PARTS for part in wanted):
            self._fail(f"wants {shortened(wanted)}, not a list of some of {', '.join(_PARTS)}")
        self._parts = tuple(wanted)
        if self._seed is not None:
            self._send(type="seed", seed=self._seed)

    def _send(self, **message: Any) -> None:
        assert self._process is not None
        self._process.write(json.dumps(message))

    def _answer(self, seconds: float, too_late: str) -> dict[str, Any]:
        assert self._process is not None
        line = ""
        try:
            line = self._process.read(seconds)
            answer = json_of(line)
        except LineProcessTimeout:
            self._fail(too_late, SlowAgentError)
        except LineProcessError as error:
            self._fail(str(error))
        except ValueError as error:
            self._fail(f"answered with {shortened(line)}, which is not JSON: {in_one_line(error, 100)}")
        except BaseException:
            # After an interruption, a late answer would be taken for the answer to the next question.
            self._drop()
            raise
        if not isinstance(answer, dict):
            self._fail(f"answered with {shortened(line)}, which is not a JSON object")
        return answer

    def _fail(self, message: str, kind: type[AgentError] = AgentError) -> NoReturn:
        self._drop()
        raise kind(f"the agent {self.name} {message}") from None

    def _drop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None
