"""Errors in agent specs, and errors raised by the code of agents."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from romans_env.errors import CannotSampleError, IllegalActionError, UserError, error_line_with_place

if TYPE_CHECKING:
    from romans_agents.base import Agent


class UnknownAgentError(UserError, ValueError):
    """An agent spec with an unknown name, a wrong option, or a file that cannot be used."""


class AgentError(UserError, RuntimeError):
    """An error raised by an agent's own code, summarised in one line; ``__cause__`` is the original error."""


class NoAnswerError(AgentError):
    """The program or language model that an agent asks gave no legal action; the agent's own code did not fail."""


class SlowAgentError(NoAnswerError):
    """An agent exceeded its own time limit for a decision."""


@contextlib.contextmanager
def raised_by(agent: Agent) -> Iterator[None]:
    """Turn an error from the agent's code into an `AgentError` that names the agent.

    Raises:
        AgentError: if the block raises an error, except `romans_env.errors.CannotSampleError` and errors that name the
            agent already (`AgentError`, `romans_env.IllegalActionError`). These errors pass unchanged.
    """
    try:
        yield
    except (IllegalActionError, AgentError, CannotSampleError):
        raise
    except Exception as error:
        raise AgentError(f"the agent {agent.name} raised {error_line_of(error, agent)}") from error


def error_line_of(error: BaseException, agent: Agent) -> str:
    """Return one line that describes an error of an agent's code, with the line number in the agent's own file."""
    player: Any = getattr(agent, "player", agent)
    return error_line_with_place(error, getattr(sys.modules.get(type(player).__module__), "__file__", None))
