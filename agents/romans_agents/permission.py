"""What an agent spec, or a reward, may load: nothing, policy files, or code.

A spec that somebody types is theirs to answer for. One that comes out of a file (a record, a run folder, a page) may be
a stranger's, and a class in a Python file, or a program, runs with all rights of the user. So whoever makes an agent
says what may be loaded, and that holds for every spec within the spec: ``plan-mc:policy=...`` is bound by what binds
``plan-mc``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, get_args

from romans_agents.errors import UnknownAgentError
from romans_env.core.python_files import parts_of
from romans_env.errors import shortened

Files = Literal["none", "policies", "code"]
"""``"none"``: registered names alone; ``"policies"``: policy files, too, which hold numbers and no code; ``"code"``:
Python files, models of stable-baselines3, programs (``process:COMMAND``) and servers (``llm:MODEL``), too."""

_RANKS: dict[str, int] = {name: rank for rank, name in enumerate(get_args(Files))}
_allowed: ContextVar[Files] = ContextVar("allowed_files", default="code")


class FileNotAllowedError(UnknownAgentError):
    """An agent spec that names a file which may not be loaded here."""


@contextmanager
def allowing(files: Files) -> Iterator[None]:
    """Allow no more than ``files`` while the block runs, and no more than was allowed around it.

    Raises:
        ValueError: no such permission.
    """
    if files not in _RANKS:
        raise ValueError(f"files is one of {', '.join(map(repr, _RANKS))}, not {files!r}")
    token = _allowed.set(min(files, _allowed.get(), key=_RANKS.__getitem__))
    try:
        yield
    finally:
        _allowed.reset(token)


def names_code(spec: str) -> bool:
    """Return whether a spec, or one within it, names code (see `Files`), by its text alone: nothing is loaded."""
    return parts_of(spec) is not None or ".zip" in spec or spec.startswith(("process:", "llm:"))


def require(files: Files, path: str, kind: str | None = None, named_by: str = "the agent spec") -> None:
    """Refuse to load a file, or to start a program, that is not allowed.

    Args:
        files: what it takes to load it: ``"policies"`` or ``"code"``.
        path: the path of the file, or the command that starts the program.
        kind: what it is, and why it takes permission, where that is not Python code.
        named_by: the setting that names it.

    Raises:
        FileNotAllowedError: naming the file.
    """
    if _RANKS[files] <= _RANKS[_allowed.get()]:
        return
    what = (kind or "Python code, which would run with your rights") if files == "code" else "a policy file"
    raise FileNotAllowedError(f"{named_by} names {shortened(path)}, {what}: it may not be loaded here")
