"""The adjudicator of contests, which times agents and ends the games in which an agent breaks the rules as lost."""

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
"""The kinds of faults: an exception, an illegal answer, and a decision that took too long."""
_LONGEST_MESSAGE = 300


class Fault(NamedTuple):
    """A fault of an agent, for which it lost a game.

    Attributes:
        game: the index of the game in its batch.
        seat: the seat of the agent. It has lost the game; the other players share the win.
        agent: the agent.
        kind: one of `FAULTS`.
        message: one line that describes the fault.
    """

    game: int
    seat: int
    agent: Agent
    kind: str
    message: str


class Clock:
    """The time that an agent has used.

    Attributes:
        seconds: the total time in seconds.
        decisions: the number of decisions.
    """

    def __init__(self) -> None:
        self.seconds, self.decisions = 0.0, 0


class Adjudicator:
    """Asks agents that play in Python for actions, times them, and ends the games in which an agent is at fault.

    Args:
        move_time: the time limit of a decision in seconds; None for no limit. A batch of n decisions may take n times
            as long. An agent that hangs is interrupted soon after the limit (see `romans_agents.batches.time_limit`).
        now: a function that returns the time in seconds.

    Attributes:
        faults: the faults so far, a list of `Fault`.
    """

    def __init__(self, move_time: float | None = None, now: Callable[[], float] = time.perf_counter):
        self.move_time, self._now = move_time, now
        self.faults: list[Fault] = []
        self._clocks: dict[int, Clock] = {}

    def clock_of(self, agent: Agent) -> Clock:
        """Return the time that an agent has used so far."""
        return self._clocks.setdefault(id(agent), Clock())

    def answers(self, batch: BatchWithAgents, indices: Integers, agent: Agent) -> tuple[Integers, Integers]:
        """Ask an agent for an action in each of some games, and end the games in which it is at fault.

        Args:
            batch: the games.
            indices: indices of the games in which the agent is to act, int64, shape ``(n,)``.
            agent: the agent.

        Returns:
            The indices of the games that continue, and a legal action for each of them; both are int64, shape ``(k,)``.
        """
        actions = self._batch_of_actions(batch, indices, agent) if isinstance(agent, BatchAgent) else None
        if actions is None:
            # Ask for one game at a time, so that after a failed batch only the games that cause the fault are lost.
            actions = np.array([self._action(batch, int(i), agent) for i in indices], dtype=np.int64)
        going_on = actions >= 0
        return indices[going_on], actions[going_on]

    def _batch_of_actions(self, batch: BatchWithAgents, indices: Integers, agent: BatchAgent) -> Integers | None:
        """Return an action for each game, or -1 if the agent is at fault in it; None if the whole call failed."""
        actions, error, seconds = self._timed(lambda: batch.choose_in_batch(indices, agent), indices.size)
        if error is not None:
            return None
        self._count(agent, seconds, indices.size)
        rows = zip(indices.tolist(), actions[:, None], strict=True)
        return np.array([self._judged(batch, i, agent, row, seconds) for i, row in rows], dtype=np.int64)

    def _action(self, batch: BatchWithAgents, i: int, agent: Agent) -> int:
        """Return a legal action, or -1 if the agent is at fault and has lost the game."""
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
        """Return the legal action that an answer names, or -1 if the agent is at fault and has lost the game."""
        if is_interrupted or (self.move_time is not None and seconds > self.move_time):
            end = " before it was interrupted" if is_interrupted else ""
            message = f"a decision took {seconds:.3g} s; the limit is {self.move_time:g} s{end}"
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
        """Return the answer (or None), the error (or None), and the seconds per decision."""
        # A little more than the limit, so that an agent that uses exactly its time is not interrupted.
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
    """An adjudicator for users who measure their own agent, in which only a missing answer loses the game.

    A game is lost if a program or language model that the agent asks gives no answer (`NoAnswerError`). All other
    faults are raised, so that errors in the agent's code are seen at once instead of being counted as losses.
    """

    def answers(self, batch: BatchWithAgents, indices: Integers, agent: Agent) -> tuple[Integers, Integers]:
        """Ask an agent for an action in each of some games, and end the games for which the agent gets no answer.

        Args:
            batch: the games.
            indices: indices of the games in which the agent is to act, int64, shape ``(n,)``.
            agent: the agent.

        Returns:
            The indices of the games that continue, and an action for each of them; both are int64, shape ``(k,)``.

        Raises:
            IllegalActionError: if an answer names no action; the message names the agent.
            AgentError: if the agent's code raises an error.
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
    """Return the one-line message of a fault, without the agent's name; an `AgentError` describes itself."""
    if isinstance(error, AgentError):
        return str(error).removeprefix(f"the agent {agent.name}")
    return error_line_of(error, agent)
