"""Permissions: whether an agent spec, or a reward, may load no files, only policy files, or code as well.

Users are responsible for a spec that they type themselves. A spec that is read from a file (a record, a run folder, a
page) may come from a stranger, and a class in a Python file, or a program, runs with all rights of the user. Therefore
the caller that creates an agent states which files the spec may load. The permission also holds for every spec inside
the spec, such as the policy in ``plan-mc:policy=...``.
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
"""``"none"`` allows registered names only. ``"policies"`` also allows policy files, which hold numbers and no code.
``"code"`` also allows Python files, stable-baselines3 models, programs (``process:COMMAND``) and servers
(``llm:MODEL``)."""

_RANKS: dict[str, int] = {name: rank for rank, name in enumerate(get_args(Files))}
_allowed: ContextVar[Files] = ContextVar("allowed_files", default="code")


class FileNotAllowedError(UnknownAgentError):
    """An agent spec names a file that may not be loaded here."""


@contextmanager
def allowing(files: Files) -> Iterator[None]:
    """Restrict what agent specs may load while the block runs; a nested block can only restrict further.

    Args:
        files: the permission; see `Files`.

    Raises:
        ValueError: if there is no such permission.
    """
    if files not in _RANKS:
        raise ValueError(f"files is one of {', '.join(map(repr, _RANKS))}, not {files!r}")
    token = _allowed.set(min(files, _allowed.get(), key=_RANKS.__getitem__))
    try:
        yield
    finally:
        _allowed.reset(token)


def names_code(spec: str) -> bool:
    """Return whether a spec, or a spec inside it, names code (see `Files`). It looks at the text and loads no file."""
    return parts_of(spec) is not None or ".zip" in spec or spec.startswith(("process:", "llm:"))


def require(files: Files, path: str, kind: str | None = None, named_by: str = "the agent spec") -> None:
    """Raise an error if a file may not be loaded here, or a program may not be started.

    Args:
        files: the permission that the file needs: ``"policies"`` or ``"code"``.
        path: the path of the file, or the command that starts the program.
        kind: a description of the file and the reason why it needs permission, for the error message; None for Python
            code.
        named_by: the setting that names the file, for the error message.

    Raises:
        FileNotAllowedError: if the file is not allowed; the message names it.
    """
    if _RANKS[files] <= _RANKS[_allowed.get()]:
        return
    what = (kind or "Python code, which would run with your rights") if files == "code" else "a policy file"
    raise FileNotAllowedError(f"{named_by} names {shortened(path)}, {what}: it may not be loaded here")
