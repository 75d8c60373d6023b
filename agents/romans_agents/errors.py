"""Errors of naming an agent, and one-line descriptions of errors in agents' code."""

from __future__ import annotations

import traceback
from pathlib import Path

from romans_env.errors import error_line


class UnknownAgentError(ValueError):
    """An agent spec that names no agent, options the agent does not have, or an agent's file that cannot be used."""


class AgentError(RuntimeError):
    """An error that an agent's own code raised, in one line; the error itself is its cause."""


class SlowAgentError(AgentError):
    """An agent took longer over a decision than its own time limit allows."""


def error_line_with_place(error: BaseException, file: str | None = None) -> str:
    """An error as ``ValueError: its message (my_bot.py, line 3)``.

    Args:
        error: the error; of a syntax error the place is the wrong line.
        file: the path of the file in which the place is searched for; None for the place where the error was raised.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        places = [(error.filename, error.lineno)]
    else:
        frames = traceback.extract_tb(error.__traceback__)
        places = [(frame.filename, frame.lineno or 0) for frame in frames if file in (None, frame.filename)]
    # A SyntaxError's text ends with the place.
    error = type(error)(error.msg) if isinstance(error, SyntaxError) else error
    place = f" ({Path(places[-1][0]).name}, line {places[-1][1]})" if places else ""
    return error_line(error) + place
