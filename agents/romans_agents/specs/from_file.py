"""Agents from a file of one's own: ``my_bot.py:MyBot``, or ``my_bot.py:MyBot:option=value,option=value``."""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from romans_agents.base import Agent
from romans_agents.errors import UnknownAgentError, error_line_with_place
from romans_agents.permission import require
from romans_agents.specs.needed_files import needed_by
from romans_env import View

# A drive letter's colon stands before ".py": C:\bots\my_bot.py:MyBot.
_TEXT = re.compile(r"(.+?\.py)(?::([^:]*)(?::(.*))?)?", re.DOTALL)
_LOADED: dict[Path, tuple[list[tuple[int, int]], ModuleType]] = {}
"""By path: the times of the last change and the sizes of the file that was run and of those it needs; its module."""


class FileText(NamedTuple):
    """The parts of an agent spec that names a class in a file."""

    file: str
    cls: str
    options: str

    @property
    def name(self) -> str:
        """The agent spec without its options."""
        return f"{self.file}:{self.cls}"


def parts_of(text: str) -> FileText | None:
    """Return the parts of ``file.py:Class:options``; None for an agent spec of another form."""
    found = _TEXT.fullmatch(text)
    return None if found is None else FileText(*found.groups(default=""))


def load_class(text: FileText) -> type[Any]:
    """Return the class that an agent spec names, after running its file, unless it ran and is as it was.

    It runs again when a file has changed that it needs (`romans_agents.specs.needed_files.needed_by`).

    While the file runs, its folder is the first place to import from, as for a script. The neighbours it imports
    are its own: another file may have others of the same names.

    Raises:
        UnknownAgentError: no such file or class, a file that cannot be run, a class without ``act``, or code that may
            not be loaded here (`romans_agents.permission`).
    """
    require("code", text.file)
    module = _module(text.file)
    found = getattr(module, text.cls, None) if text.cls else None
    if not isinstance(found, type):
        there = [name for name, value in vars(module).items() if _is_agent_of(module, value)]
        choice = f"it has {', '.join(there)}" if there else "it has no class with an act(self, view)"
        if not text.cls:
            raise UnknownAgentError(f"say which class of {text.file} plays, as in {text.file}:MyBot; {choice}")
        raise UnknownAgentError(f"{text.file} has no class {text.cls!r}; {choice}")
    if not _can_act(found):
        raise UnknownAgentError(f"{text.name} has no act: it needs act(self, view), which gives a legal action")
    return found


def made(text: FileText, cls: Callable[..., Any], options: dict[str, Any]) -> Agent:
    """Return an object of the class, as an agent.

    Raises:
        UnknownAgentError: its constructor fails.
    """
    try:
        player = cls(**options)
    except (Exception, SystemExit) as error:
        line = error_line_with_place(error, str(_path(text.file)))
        raise UnknownAgentError(f"{text.name} cannot be made: {line}") from error
    return player if isinstance(player, Agent) else _AdaptedAgent(player)


class _AdaptedAgent(Agent):
    """Plays an object that has an ``act`` and is no `Agent`.

    Args:
        player: has ``act(view)``, and optionally ``seed(number)`` and ``searches``, as `Agent` describes them.
    """

    def __init__(self, player: Any):
        self.player = player
        self.searches = bool(getattr(player, "searches", False))

    def seed(self, seed: int) -> None:
        """See `Agent.seed`."""
        if callable(getattr(self.player, "seed", None)):
            self.player.seed(seed)

    def act(self, view: View) -> int:
        """See `Agent.act`."""
        return self.player.act(view)


def _can_act(cls: type[Any]) -> bool:
    act = getattr(cls, "act", None)
    return callable(act) and act is not Agent.act


def _is_agent_of(module: ModuleType, value: Any) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__ and _can_act(value)


def _module(file: str) -> ModuleType:
    try:
        path = _path(file)
        statuses = [file.stat() for file in (path, *needed_by(path))]
        version = [(status.st_mtime_ns, status.st_size) for status in statuses]
        known, module = _LOADED.get(path, (None, None))
        if module is not None and known == version:
            return module
        source = path.read_bytes()
    except (OSError, ValueError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UnknownAgentError(f"cannot read the agent's file {file}: {why}") from None
    _LOADED[path] = version, _run(path, source, file)
    return _LOADED[path][1]


def _path(file: str) -> Path:
    return Path(os.path.expanduser(file)).resolve()


def _run(path: Path, source: bytes, file: str) -> ModuleType:
    # One name a path, the same in every process: agents can be pickled wherever their file has been loaded.
    name = f"agent_file_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    module = ModuleType(name)
    module.__file__ = str(path)
    before = sys.modules.get(name)
    sys.modules[name] = module  # where dataclasses and pickle look
    try:
        with _neighbours_of(path):
            # Not imported: bytecode is kept by the second, and a second edit may come sooner.
            exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before
        raise UnknownAgentError(f"cannot load {file}: {error_line_with_place(error, str(path))}") from error
    return module


@contextmanager
def _neighbours_of(path: Path) -> Iterator[None]:
    """Allow imports from the folder during the block; what was imported from it is forgotten afterwards."""
    folder = path.parent
    if folder in (Path(entry).resolve() for entry in sys.path):  # anybody may import its neighbours, and keeps them
        yield
        return
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        new = set(sys.modules) - before
        neighbours = {name for name in new if "." not in name and _folder_of(sys.modules[name]) == folder}
        for name in new:
            if name.partition(".")[0] in neighbours:
                del sys.modules[name]


def _folder_of(module: ModuleType) -> Path | None:
    """Return the folder that holds a top-level module or package."""
    places = list(getattr(module, "__path__", [])) or [getattr(module, "__file__", None)]
    return Path(places[0]).resolve().parent if places[0] else None
