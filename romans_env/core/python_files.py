"""Runs Python files of users, which define agents, games or rewards."""

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

# On Windows a colon may also follow the drive letter, before ".py": C:\bots\my_bot.py:MyBot.
_TEXT = re.compile(r"(.+?\.py)(?::([^:]*)(?::(.*))?)?", re.DOTALL)
_LOADED: dict[Path, tuple[list[tuple[int, int]], ModuleType]] = {}
"""By path: the modification times and sizes of the file and of the files that it needs, when it ran; its module."""
_running = threading.RLock()
"""Held while a file runs, because ``sys.path`` and ``sys.modules`` change for all threads meanwhile."""


class PythonFileError(UserError, ValueError):
    """A Python file cannot be read or run."""


class FileText(NamedTuple):
    """The parts of ``file.py:Name:options``; missing parts are empty."""

    file: str
    name: str
    options: str


def parts_of(text: str) -> FileText | None:
    """Split ``file.py:Name:options`` into its parts; None if the text has another form."""
    found = _TEXT.fullmatch(text)
    return None if found is None else FileText(*found.groups(default=""))


def path_of(file: str) -> Path:
    """Return the absolute path of a file that a user has named, with ``~`` expanded."""
    return Path(os.path.expanduser(file)).resolve()


def module_of(file: str, kind: str) -> ModuleType:
    """Return the module of a Python file, running the file if it has changed since it last ran.

    It also runs again if a file that it needs has changed (`romans_env.core.needed_files`). While it runs, its folder
    is first in ``sys.path``, as for a script. Modules that it imports from its folder are not shared with other files,
    so files in different folders may have neighbours of the same name.

    Args:
        file: the path of the file.
        kind: how an error calls the file, such as ``"the agent's file"``.

    Raises:
        PythonFileError: if the file does not exist or cannot be run; the message is one line.
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
    # The name depends on the path alone, so that objects can be unpickled in every process that has loaded the file.
    name = f"python_file_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    module = ModuleType(name)
    module.__file__ = str(path)
    before = sys.modules.get(name)
    sys.modules[name] = module  # dataclasses and pickle look it up there
    try:
        with _neighbours_of(path):
            # Not imported: cached bytecode is compared by the second, and the file may be edited twice in a second.
            exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before
        raise PythonFileError(f"cannot load {file}: {error_line_with_place(error, str(path))}") from error
    return module


@contextmanager
def _neighbours_of(path: Path) -> Iterator[None]:
    """Allow imports from the file's folder during the block; forget the modules imported from it afterwards."""
    folder = path.parent
    if folder in (Path(entry).resolve() for entry in sys.path):  # the neighbours are ordinary modules then
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
