"""The process that hosts agents of users' files: what it runs, and what it answers.

It is asked by lines of JSON, and answers with one. What an agent prints goes nowhere, and its input is empty. A thread
that it leaves running is told, as it would take time from the agents that are asked next.
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
"""Letters of an action's name."""
_LONGEST_LOOK = 5.0
"""Seconds."""


def main() -> None:
    """Answer questions until the input ends."""
    # Copies, which nothing that an agent starts inherits; agents get the null device in their place.
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
        if os.getpid() != own_number:  # a copy that an agent made of the process
            os._exit(0)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def packed(view: View) -> str:
    """Return a view as letters of a question."""
    return base64.b64encode(pickle.dumps(view)).decode()


def _unpacked(letters: str) -> View:
    view: View = pickle.loads(base64.b64decode(letters))
    return view


def _look_around(rules: Rules) -> None:
    """Play a game at random and look at all of it, so that no agent's time is spent on loading compiled code."""
    rng, end = np.random.default_rng(0), time.monotonic() + _LONGEST_LOOK
    game = Game(rules, seed=0)
    while (seat := game.seat_to_act) is not None and time.monotonic() < end:
        view = game.view(seat)
        _ = view.position(), view.observation
        game.act(int(rng.choice(view.legal_actions())))


def _read(questions: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    for line in questions:
        lines.put(line)
    # The process that asked has ended: do not wait for an agent that still computes.
    os._exit(0)


class _Host:
    """The agents that have been asked, by spec."""

    def __init__(self) -> None:
        self._agents: dict[str, Agent] = {}
        self._threads = threading.active_count()

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question of `romans_agents.external.hosted_agent`."""
        try:
            os.chdir(question.pop("folder"))
            found: dict[str, Any] = getattr(self, f"_{question.pop('what')}")(**question)
        except UserError as error:
            found = {"error": in_one_line(error)}
        # A bot may raise whatever there is, SystemExit and KeyboardInterrupt too.
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
            raise UnknownAgentError(f"{file} has an agent that cannot be named: {shortened(name)}")
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
    """Return the words of the command that starts a host; it imports from where this process does."""
    # Nothing of the folder in which a user happens to be.
    places = [str(Path(place).absolute()) for place in sys.path if place]
    start = f"import sys; sys.path[:] = {places!r}; from {__name__} import main; main()"
    return [sys.executable, "-c", start]
