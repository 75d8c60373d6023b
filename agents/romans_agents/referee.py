"""What becomes of an agent that breaks the rules of a contest: it loses the game, and the contest goes on."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent, BatchAgent
from romans_agents.questions import Questions
from romans_agents.time_limit import DecisionTimeout, run_with_timeout
from romans_env import IllegalActionError

FAULTS = ("error", "illegal", "time")
"""Kinds of faults: an exception, an answer that is no legal action, a decision that took too long."""
_LONGEST_MESSAGE = 300


class Fault(NamedTuple):
    """Why a game was lost before its end.

    Attributes:
        game: its number among the games played together.
        seat: the seat of the agent, which has lost; the others share the win.
        agent: the agent.
        kind: one of `FAULTS`.
        message: one line.
    """

    game: int
    seat: int
    agent: Agent
    kind: str
    message: str


class Clock:
    """The time that an agent took.

    Attributes:
        seconds: in all.
        decisions: how many.
    """

    def __init__(self) -> None:
        self.seconds, self.decisions = 0.0, 0


class Referee:
    """Takes the answers of agents that play in Python, times them, and ends the games in which one is at fault.

    Args:
        move_time: seconds that a decision may take; None for no limit. A batch of decisions may take as many times
            that. An agent that hangs is interrupted a little after (see `time_limit`).
        now: the clock, in seconds.
    """

    def __init__(self, move_time: float | None = None, now: Callable[[], float] = time.perf_counter):
        self.move_time, self._now = move_time, now
        self.faults: list[Fault] = []
        self._clocks: dict[int, Clock] = {}

    def clock_of(self, agent: Agent) -> Clock:
        """The time an agent took so far."""
        return self._clocks.setdefault(id(agent), Clock())

    def answers(
        self, players: Questions, indices: npt.NDArray[np.int64], agent: Agent
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Ask an agent for an action in every game of ``indices``, and end those games where it is at fault.

        Returns:
            The games that go on, and a legal action for each.
        """
        actions = None
        if isinstance(agent, BatchAgent):
            actions = self._answers_in_batch(players, indices, agent)
        if actions is None:
            # One by one: where a batch failed, only the games that are to blame are lost.
            actions = np.array([self._answer(players, int(i), agent) for i in indices], dtype=np.int64)
        going_on = actions >= 0
        return indices[going_on], actions[going_on]

    def _answers_in_batch(
        self, players: Questions, indices: npt.NDArray[np.int64], agent: BatchAgent
    ) -> npt.NDArray[np.int64] | None:
        """Actions, -1 for games that are over; None when the batch failed as a whole."""
        started = self._now()
        try:
            actions = run_with_timeout(self._patience(indices.size), lambda: players.choose_in_batch(indices, agent))
        except (Exception, SystemExit, DecisionTimeout):
            return None
        seconds = self._count(agent, self._now() - started, indices.size)
        for k, i in enumerate(indices.tolist()):
            if self._took_too_long(seconds):
                actions[k] = self._end(players, i, agent, "time", self._too_long(seconds))
            elif not players.is_legal(i, int(actions[k])):
                actions[k] = self._end(players, i, agent, "illegal", players.why_illegal(i, int(actions[k])))
        return actions

    def _answer(self, players: Questions, i: int, agent: Agent) -> int:
        """An action, or -1 when the game is over."""
        started = self._now()
        interrupted, raised = "", None
        try:
            answer = run_with_timeout(self._patience(1), lambda: players.ask(i, agent))
        except DecisionTimeout:
            interrupted = " before it was interrupted"
        except (Exception, SystemExit) as error:
            raised = error
        seconds = self._count(agent, self._now() - started)
        if raised is not None:
            return self._end(players, i, agent, "error", in_a_line(raised))
        if interrupted or self._took_too_long(seconds):
            return self._end(players, i, agent, "time", self._too_long(seconds) + interrupted)
        try:
            action = players.understood(answer, agent)
        except IllegalActionError as error:
            return self._end(players, i, agent, "illegal", str(error).removeprefix(f"the agent {agent.name}"))
        if not players.is_legal(i, action):
            return self._end(players, i, agent, "illegal", players.why_illegal(i, action))
        return action

    def _end(self, players: Questions, i: int, agent: Agent, kind: str, message: str) -> int:
        line = message.lstrip(" ,:").partition("\n")[0][:_LONGEST_MESSAGE]
        self.faults.append(Fault(i, players.end(i), agent, kind, line))
        return -1

    def _count(self, agent: Agent, seconds: float, decisions: int = 1) -> float:
        """Seconds a decision."""
        clock = self.clock_of(agent)
        clock.seconds += seconds
        clock.decisions += decisions
        return seconds / decisions

    def _patience(self, decisions: int) -> float | None:
        # Above the limit, so that an agent that keeps its time by itself is not caught on the line.
        return None if self.move_time is None else decisions * (1.25 * self.move_time + 0.05)

    def _took_too_long(self, seconds: float) -> bool:
        return self.move_time is not None and seconds > self.move_time

    def _too_long(self, seconds: float) -> str:
        return f"a decision took {seconds:.3g} s, where {self.move_time:g} s are allowed"


def in_a_line(error: BaseException) -> str:
    """An error as ``ValueError: what it says (file.py, line 3)``, the place being where it was raised."""
    said = str(error).partition("\n")[0]
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    return f"{text} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else text
