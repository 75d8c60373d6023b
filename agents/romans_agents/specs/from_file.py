"""Agents from a user's Python file: ``my_bot.py:MyBot``, ``my_bot.py:MyBot:option=value``, ``my_bot.py:function``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from romans_agents.base import Agent
from romans_agents.errors import UnknownAgentError
from romans_agents.permission import require
from romans_agents.specs.adapted import AdaptedAgent, FunctionAgent
from romans_env.core import python_files
from romans_env.core.python_files import FileText
from romans_env.errors import error_line_with_place


def load_factory(text: FileText) -> Callable[..., Any]:
    """Run the Python file that an agent spec names, and return the class that creates the agent.

    If the spec names a function of a view, the result is a factory without options instead. A file that has run already
    and has not changed is not run again (see `romans_env.core.python_files.module_of`).

    Raises:
        UnknownAgentError: if there is no such file or class, the file cannot be run, the class has no ``act``, or code
            may not be loaded here (`romans_agents.permission`).
    """
    require("code", text.file)
    try:
        module = python_files.module_of(text.file, "the agent's file")
    except python_files.PythonFileError as error:
        raise UnknownAgentError(str(error)) from error.__cause__
    found = getattr(module, text.name, None) if text.name else None
    if isinstance(found, FunctionType):
        factory = functools.partial(FunctionAgent, found)
        factory.__doc__ = found.__doc__ or "A function of a view."
        return factory
    if not isinstance(found, type):
        there = [name for name, value in vars(module).items() if _is_agent_of(module, value)]
        choice = f"it has {', '.join(there)}" if there else "it has no class with an act(self, view), and no function"
        if not text.name:
            raise UnknownAgentError(f"name the agent in {text.file}, as in {text.file}:MyBot; {choice}")
        raise UnknownAgentError(f"{text.file} has no class or function {text.name!r}; {choice}")
    if not _can_act(found):
        raise UnknownAgentError(
            f"{text.file}:{text.name} has no act: it needs act(self, view), which returns a legal action"
        )
    return found


def made(text: FileText, cls: Callable[..., Any], options: dict[str, Any]) -> Agent:
    """Create an agent from a class or factory of a Python file.

    Args:
        text: the path of the file and the name of the class, for error messages.
        cls: the class, or the factory, that `load_factory` returned.
        options: the keyword arguments with which ``cls`` is called.

    Raises:
        UnknownAgentError: if the constructor fails.
    """
    try:
        player = cls(**options)
    except (Exception, SystemExit) as error:
        line = error_line_with_place(error, str(python_files.path_of(text.file)))
        raise UnknownAgentError(f"{text.file}:{text.name} cannot be made: {line}") from error
    return player if isinstance(player, Agent) else AdaptedAgent(player)


def sole_agent_of(file: str) -> str:
    """Run a Python file and return the name of its only agent: a class with ``act`` or, without one, a function.

    Base classes of other classes in the file, and names that begin with ``_``, do not count as agents.

    Raises:
        UnknownAgentError: if the file is missing, cannot be run, or has no agent or several; the message names them.
    """
    require("code", file)
    try:
        module = python_files.module_of(file, "the agent's file")
    except python_files.PythonFileError as error:
        raise UnknownAgentError(str(error)) from error.__cause__
    own = {name: one for name, one in vars(module).items() if name[:1] != "_" and _is_agent_of(module, one)}
    classes = {name: one for name, one in own.items() if isinstance(one, type)}
    bases = {base for one in classes.values() for base in one.__mro__[1:]}
    found = [name for name, one in classes.items() if one not in bases] or [name for name in own if name not in classes]
    if not found:
        raise UnknownAgentError(f"{file} has no agent: it has no class with an act(self, view), and no function")
    if len(found) > 1:
        raise UnknownAgentError(
            f"{file} has several agents, {', '.join(found)}: keep one class with an act(self, view), and prefix the "
            "names of the others with _"
        )
    return found[0]


def _can_act(cls: type[Any]) -> bool:
    act = getattr(cls, "act", None)
    return callable(act) and act is not Agent.act


def _is_agent_of(module: ModuleType, value: Any) -> bool:
    is_own = getattr(value, "__module__", None) == module.__name__
    return is_own and (isinstance(value, FunctionType) or (isinstance(value, type) and _can_act(value)))
