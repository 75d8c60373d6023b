"""What becomes of an agent that breaks the rules of a contest: it loses the game, and the contest goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from romans_agents.base import Agent, BatchAgent
from romans_agents.batches.batch_with_agents import BatchWithAgents
from romans_agents.batches.game_arrays import Integers
from romans_agents.batches.time_limit import DecisionTimeout, run_with_timeout
from romans_agents.errors import AgentError, NoAnswerError, SlowAgentError, error_line_of
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


class Adjudicator:
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
        """Return the time that an agent took so far."""
        return self._clocks.setdefault(id(agent), Clock())

    def answers(self, batch: BatchWithAgents, indices: Integers, agent: Agent) -> tuple[Integers, Integers]:
        """Ask an agent for an action in every game of ``indices``, and end those games where it is at fault.

        Returns:
            The games that go on, and a legal action for each.
        """
        actions = self._batch_of_actions(batch, indices, agent) if isinstance(agent, BatchAgent) else None
        if actions is None:
            # One by one: where a batch failed, only the games that are to blame are lost.
            actions = np.array([self._action(batch, int(i), agent) for i in indices], dtype=np.int64)
        going_on = actions >= 0
        return indices[going_on], actions[going_on]

    def _batch_of_actions(self, batch: BatchWithAgents, indices: Integers, agent: BatchAgent) -> Integers | None:
        """Return actions, -1 for games that are over; None when the batch failed as a whole."""
        actions, error, seconds = self._timed(lambda: batch.choose_in_batch(indices, agent), indices.size)
        if error is not None:
            return None
        self._count(agent, seconds, indices.size)
        rows = zip(indices.tolist(), actions[:, None], strict=True)
        return np.array([self._judged(batch, i, agent, row, seconds) for i, row in rows], dtype=np.int64)

    def _action(self, batch: BatchWithAgents, i: int, agent: Agent) -> int:
        """Return an action, or -1 when the game is over."""
        try:
            agent.prepare()
        except (Exception, SystemExit) as error:
            return self._end(batch, i, agent, "error", _line_of(error, agent))
        answer, raised, seconds = self._timed(lambda: batch.ask(i, agent), 1)
        self._count(agent, seconds, 1)
        if raised is not None and not isinstance(raised, DecisionTimeout):
            kind = "time" if isinstance(raised, SlowAgentError) else "error"
            return self._end(batch, i, agent, kind, _line_of(raised, agent))
        return self._judged(batch, i, agent, answer, seconds, raised is not None)

    def _judged(
        self, batch: BatchWithAgents, i: int, agent: Agent, answer: Any, seconds: float, is_interrupted: bool = False
    ) -> int:
        """Return the action that an answer names, or -1 when the agent is at fault."""
        if is_interrupted or (self.move_time is not None and seconds > self.move_time):
            end = " before it was interrupted" if is_interrupted else ""
            message = f"a decision took {seconds:.3g} s, where {self.move_time:g} s are allowed{end}"
            return self._end(batch, i, agent, "time", message)
        try:
            action = batch.as_action(answer, agent)
        except IllegalActionError as error:
            return self._end(batch, i, agent, "illegal", str(error).removeprefix(f"the agent {agent.name}"))
        if not batch.rules.is_legal(batch.states, i, action):
            return self._end(batch, i, agent, "illegal", batch.why_illegal(i, action))
        return action

    def _end(self, batch: BatchWithAgents, i: int, agent: Agent, kind: str, message: str) -> int:
        line = message.lstrip(" ,:").partition("\n")[0][:_LONGEST_MESSAGE]
        self.faults.append(Fault(i, batch.rules.seat_to_act(batch.states, i), agent, kind, line))
        batch.rules.end_early(batch.states, i)
        return -1

    def _timed(self, ask: Callable[[], Any], decisions: int) -> tuple[Any, BaseException | None, float]:
        """Return the answer, or None with the error, and the seconds a decision."""
        # Above the limit, so that an agent that keeps its time by itself is not caught on the line.
        patience = None if self.move_time is None else decisions * (1.25 * self.move_time + 0.05)
        answer, error, started = None, None, self._now()
        try:
            answer = run_with_timeout(patience, ask)
        except (Exception, SystemExit, DecisionTimeout) as raised:
            error = raised
        return answer, error, (self._now() - started) / decisions

    def _count(self, agent: Agent, seconds: float, decisions: int) -> None:
        clock = self.clock_of(agent)
        clock.seconds += seconds * decisions
        clock.decisions += decisions


class Forfeits(Adjudicator):
    """Ends games in which an agent gets no answer from those that it asks, and raises all other faults.

    For whoever measures an agent of their own: a fault of its code is to be seen at once, and not to be counted.
    """

    def answers(self, batch: BatchWithAgents, indices: Integers, agent: Agent) -> tuple[Integers, Integers]:
        """See `Adjudicator.answers`.

        Raises:
            IllegalActionError: naming the agent, for an answer that names no action.
            AgentError: for an error in its code.
        """
        if isinstance(agent, BatchAgent):
            return indices, batch.choose(indices, agent)
        going_on, actions = [], []
        for i in indices.tolist():
            try:
                actions.append(int(batch.choose(np.array([i]), agent)[0]))
                going_on.append(i)
            except NoAnswerError as error:
                kind = "time" if isinstance(error, SlowAgentError) else "error"
                self._end(batch, i, agent, kind, _line_of(error, agent))
        return np.array(going_on, dtype=np.int64), np.array(actions, dtype=np.int64)


def _line_of(error: BaseException, agent: Agent) -> str:
    """Return an error as a fault says it; one that names the agent says what it did, not where it was noticed."""
    if isinstance(error, AgentError):
        return str(error).removeprefix(f"the agent {agent.name}")
    return error_line_of(error, agent)
