"""Python files of a user's own, which are run for what they define: agents, games, rewards."""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from romans_env.core.needed_files import needed_by
from romans_env.errors import UserError, error_line_with_place

# A drive letter's colon stands before ".py": C:\bots\my_bot.py:MyBot.
_TEXT = re.compile(r"(.+?\.py)(?::([^:]*)(?::(.*))?)?", re.DOTALL)
_LOADED: dict[Path, tuple[list[tuple[int, int]], ModuleType]] = {}
"""By path: the times of the last change and the sizes of the file that was run and of those it needs; its module."""
_running = threading.RLock()
"""What is imported from, and known, is changed for all threads while a file runs."""


class PythonFileError(UserError, ValueError):
    """A Python file that cannot be read or run."""


class FileText(NamedTuple):
    """The parts of ``file.py:Name:options``, empty where they are missing."""

    file: str
    name: str
    options: str


def parts_of(text: str) -> FileText | None:
    """Return the parts of ``file.py:Name:options``; None for a text of another form."""
    found = _TEXT.fullmatch(text)
    return None if found is None else FileText(*found.groups(default=""))


def path_of(file: str) -> Path:
    """Return the path of a file, as users write it."""
    return Path(os.path.expanduser(file)).resolve()


def module_of(file: str, kind: str) -> ModuleType:
    """Run a Python file, unless it ran and is as it was, and return its module.

    It runs again when a file has changed that it needs (`romans_env.core.needed_files`). While it runs, its folder is
    the first place to import from, as for a script. The neighbours it imports are its own: another file may have others
    of the same names.

    Args:
        file: its path.
        kind: what it is a file of, for the error, such as ``"the agent's file"``.

    Raises:
        PythonFileError: no such file, or one that cannot be run, in one line.
    """
    with _running:
        return _module_of(file, kind)


def _module_of(file: str, kind: str) -> ModuleType:
    try:
        path = path_of(file)
        statuses = [file.stat() for file in (path, *needed_by(path))]
        version = [(status.st_mtime_ns, status.st_size) for status in statuses]
        known, module = _LOADED.get(path, (None, None))
        if module is not None and known == version:
            return module
        source = path.read_bytes()
    except (OSError, ValueError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise PythonFileError(f"cannot read {kind} {file}: {why}") from None
    _LOADED[path] = version, _run(path, source, file)
    return _LOADED[path][1]


def _run(path: Path, source: bytes, file: str) -> ModuleType:
    # One name a path, the same in every process: objects can be pickled wherever their file has been loaded.
    name = f"python_file_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
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
        raise PythonFileError(f"cannot load {file}: {error_line_with_place(error, str(path))}") from error
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
