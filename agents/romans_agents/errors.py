"""Errors of naming an agent, and one-line descriptions of errors in agents' code."""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from romans_env.errors import IllegalActionError, UserError, error_line

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
        AgentError: for any error but those that name an agent already.
    """
    try:
        yield
    except (IllegalActionError, AgentError):
        raise
    except Exception as error:
        raise AgentError(f"the agent {agent.name} raised {error_line_of(error, agent)}") from error


def error_line_of(error: BaseException, agent: Agent) -> str:
    """Return an error of an agent's code as `error_line_with_place` has it, with the place in the agent's own file."""
    player: Any = getattr(agent, "player", agent)
    return error_line_with_place(error, getattr(sys.modules.get(type(player).__module__), "__file__", None))


def error_line_with_place(error: BaseException, file: str | None = None) -> str:
    """Return an error as ``ValueError: its message (my_bot.py, line 3)``.

    Args:
        error: the error; of a syntax error the place is the wrong line.
        file: a path: the place is the last one in this file or a neighbour of it. None, or an error that never was
            there: the place where the error was raised.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        places = [(error.filename, error.lineno)]
    else:
        frames = traceback.extract_tb(error.__traceback__)
        places = [(frame.filename, frame.lineno or 0) for frame in frames]
        own = [place for place in places if file is not None and Path(place[0]).parent == Path(file).parent]
        places = own or places
    # A SyntaxError's text ends with the place.
    error = type(error)(error.msg) if isinstance(error, SyntaxError) else error
    place = f" ({Path(places[-1][0]).name}, line {places[-1][1]})" if places else ""
    return error_line(error) + place
