"""The main program of the process that hosts agents from users' files.

It reads questions as lines of JSON and answers each question with one line. The standard output of agents is discarded,
and their standard input is empty. An agent that leaves a thread running is reported, because the thread would take time
from the agents that are asked next.
"""

from __future__ import annotations

import base64
import json
import operator
import os
import pickle
import queue
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

import numpy as np

import romans_agents
from romans_agents.base import Agent
from romans_agents.errors import UnknownAgentError, error_line_of
from romans_agents.specs.from_file import sole_agent_of
from romans_env import Game, View
from romans_env.core.protocol import Rules
from romans_env.errors import UserError, error_line_with_place, in_one_line, shortened

_LONGEST_NAME = 200
"""The maximum length of an action's name in characters."""
_LONGEST_LOOK = 5.0
"""Number of seconds after which `_look_around` stops."""


def main() -> None:
    """Answer questions until the input ends."""
    # Duplicates of the streams, which processes that an agent starts do not inherit; agents get the null device.
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w", encoding="ascii")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(questions, lines), daemon=True).start()
    host = _Host()
    own_number = os.getpid()
    while True:
        question = json.loads(lines.get())
        key = question.pop("key")
        answer = {**host.answer(question), "key": key}
        if os.getpid() != own_number:  # an agent has forked, and this is the copy
            os._exit(0)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def packed(view: View) -> str:
    """Return a view in the form in which questions contain it: pickled and base64-encoded."""
    return base64.b64encode(pickle.dumps(view)).decode()


def _unpacked(letters: str) -> View:
    view: View = pickle.loads(base64.b64decode(letters))
    return view


def _look_around(rules: Rules) -> None:
    """Play a random game and compute all parts of its views, to load compiled code before an agent's clock starts."""
    rng, end = np.random.default_rng(0), time.monotonic() + _LONGEST_LOOK
    game = Game(rules, seed=0)
    while (seat := game.seat_to_act) is not None and time.monotonic() < end:
        view = game.view(seat)
        _ = view.position(), view.observation
        game.act(int(rng.choice(view.legal_actions())))


def _read(questions: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    for line in questions:
        lines.put(line)
    # The asking process has ended; do not wait for an agent that still computes.
    os._exit(0)


class _Host:
    """Answers the questions of the main process, and keeps the agents that it has loaded, by spec."""

    def __init__(self) -> None:
        self._agents: dict[str, Agent] = {}
        self._threads = threading.active_count()

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question from `romans_agents.external.hosted_agent`."""
        try:
            os.chdir(question.pop("folder"))
            found: dict[str, Any] = getattr(self, f"_{question.pop('what')}")(**question)
        except UserError as error:
            found = {"error": in_one_line(error)}
        # An agent may raise anything, SystemExit and KeyboardInterrupt included.
        except BaseException as error:
            found = {"error": in_one_line(error_line_with_place(error))}
        if threading.active_count() > self._threads:
            found = {"error": "leaves a thread running, which would take time from other agents", "is_unusable": True}
        return found

    def _find(self, file: str, game: str) -> dict[str, Any]:
        if not file.endswith(".py"):
            romans_agents.make(file, game=game)
            return {}
        name = sole_agent_of(file)
        if not name.isidentifier():
            raise UnknownAgentError(f"{file} has an agent whose name is no identifier: {shortened(name)}")
        romans_agents.make(f"{file}:{name}", game=game)
        return {"name": name}

    def _load(self, spec: str, view: str) -> dict[str, Any]:
        rules = _unpacked(view).rules
        if not self._agents:
            _look_around(rules)
        self._agents[spec] = romans_agents.make(spec, game=rules.name)
        return {}

    def _act(self, spec: str, seed: int | None, view: str) -> dict[str, Any]:
        agent = self._agents[spec]
        try:
            if seed is not None:
                agent.seed(seed)
            action: Any = agent.act(_unpacked(view))
        except UserError:
            raise
        except BaseException as error:
            return {"error": in_one_line(error_line_of(error, agent))}
        if isinstance(action, str):
            return {"action": action[:_LONGEST_NAME]}
        try:
            number = operator.index(action)
        except TypeError:
            return {"unusable": shortened(action)}
        return {"action": number} if number.bit_length() < 64 else {"unusable": shortened(number)}


def command() -> list[str]:
    """Return the command, as a list of words, that starts a hosting process with the import path of this process."""
    # Without the current folder, whose files could shadow modules.
    places = [str(Path(place).absolute()) for place in sys.path if place]
    start = f"import sys; sys.path[:] = {places!r}; from {__name__} import main; main()"
    return [sys.executable, "-c", start]
