"""How the rules are compiled.

`inlined` marks a rule: a small function over one record, folded into whatever calls it. `entry_point` marks the few
functions that Python calls; only these are kept on disk, so that the compiled surface stays small.

Numba notices a change in the file of a cached function, but not in the files that function calls. A stale cache would
mean stale rules, so the cache lies in a folder named after a digest of every source file it can depend on.

With ``NUMBA_DISABLE_JIT=1`` both decorators return the function as it is: the same rules, interpreted.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

RULES_FOLDER = Path(__file__).resolve().parent
NOTICE_AFTER_SECONDS = 1.5

_OPTIONS = {"error_model": "numpy", "nogil": True}


def inlined(function: F) -> F:
    """Compile a rule so that it is folded into its callers."""
    return cast(F, numba.njit(forceinline=True, **_OPTIONS)(function))


def shared(function: F) -> F:
    """Compile a larger function once, to be called (not folded in) by several entry points."""
    return cast(F, numba.njit(**_OPTIONS)(function))


def entry_point(function: F) -> F:
    """Compile a function that Python calls, and keep the result on disk.

    The first call in an installation compiles: make it inside `compiling_notice`.
    """
    if numba.config.DISABLE_JIT:
        return function
    folder = _cache_folder(Path(function.__code__.co_filename).resolve().parent)
    with _numba_cache_in(folder):
        return cast(F, numba.njit(cache=folder is not None, **_OPTIONS)(function))


@contextlib.contextmanager
def compiling_notice() -> Iterator[None]:
    """Around first calls of entry points: a line on standard error when they take longer than a moment."""
    text = "romans_env: compiling the game engine, once per installation (up to a minute) ..."
    timer = threading.Timer(NOTICE_AFTER_SECONDS, print, args=(text,), kwargs={"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextlib.contextmanager
def _numba_cache_in(folder: Path | None) -> Iterator[None]:
    """Numba reads its cache directory while decorating, so it is ours for that moment only."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


@functools.cache
def _cache_folder(function_folder: Path) -> Path | None:
    """The cache folder for functions defined in ``function_folder``; None where nothing can be written."""
    digest = hashlib.sha256(numba.__version__.encode())
    for folder in sorted({RULES_FOLDER, function_folder}):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.name.encode())
            digest.update(source.read_bytes())
    name = f"compiled-{digest.hexdigest()[:16]}"
    places = [function_folder / "__pycache__", _user_cache_folder()]
    if os.environ.get("NUMBA_CACHE_DIR"):
        places.insert(0, Path(os.environ["NUMBA_CACHE_DIR"]) / "romans_env")
    for place in places:
        folder = place / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        _remove_older(folder)
        return folder
    return None


def _remove_older(folder: Path) -> None:
    if folder.parent.name != "__pycache__":
        return
    for other in folder.parent.glob("compiled-*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)


def _user_cache_folder() -> Path:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return Path(base) / "romans_env" if base else Path.home() / "AppData/Local/romans_env"
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base) / "romans_env" if base else Path.home() / ".cache/romans_env"
