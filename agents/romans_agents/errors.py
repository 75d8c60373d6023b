"""Errors of naming an agent, and of agents' code."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from romans_env.errors import CannotSampleError, IllegalActionError, UserError, error_line_with_place

if TYPE_CHECKING:
    from romans_agents.base import Agent


class UnknownAgentError(UserError, ValueError):
    """An agent spec that names no agent, options the agent does not have, or an agent's file that cannot be used."""


class AgentError(UserError, RuntimeError):
    """An error that an agent's own code raised, in one line; the error itself is its cause."""


class NoAnswerError(AgentError):
    """An agent that asks others, such as a language model, got no legal action from them: its own code is sound."""


class SlowAgentError(NoAnswerError):
    """An agent took longer over a decision than its own time limit allows."""


@contextlib.contextmanager
def raised_by(agent: Agent) -> Iterator[None]:
    """Name the agent in an error that its code raises, however deep in the search or the game that asks it.

    Raises:
        AgentError: for any error but those that name an agent already, and that of a game that cannot be sampled.
    """
    try:
        yield
    except (IllegalActionError, AgentError, CannotSampleError):
        raise
    except Exception as error:
        raise AgentError(f"the agent {agent.name} raised {error_line_of(error, agent)}") from error


def error_line_of(error: BaseException, agent: Agent) -> str:
    """Return an error of an agent's code as `error_line_with_place` has it, with the place in the agent's own file."""
    player: Any = getattr(agent, "player", agent)
    return error_line_with_place(error, getattr(sys.modules.get(type(player).__module__), "__file__", None))
