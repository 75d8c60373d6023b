"""How the rules are compiled.

`inlined` marks a rule: a small function over one record, folded into whatever calls it. `entry_point` marks the few
functions that Python calls; only these are kept on disk, so that the compiled surface stays small.

Numba notices a change in the file of a cached function, but not in the files that function calls. A stale cache would
mean stale rules, so the cache lies in a folder named after a digest of every source file it can depend on. Its files
are checked when they are read (`code_cache`).

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
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast, overload

import numba
from numba.core.event import Event, Listener, register

try:
    from romans_env.romans_go_home.code_cache import check_files_of
except ImportError:  # a release of numba that keeps its files in another way

    def check_files_of(dispatcher: Any, folder: Path) -> bool:
        return False


F = TypeVar("F", bound=Callable[..., Any])

RULES_FOLDER = Path(__file__).resolve().parent
NOTICE_AFTER_SECONDS = 1.5
NOTICE_AT_MOST_EVERY_SECONDS = 60.0

_OPTIONS: dict[str, Any] = {"error_model": "numpy"}


def inlined(function: F) -> F:
    """Compile a rule so that it is folded into its callers."""
    return cast(F, numba.njit(forceinline=True, **_OPTIONS)(function))


def spliced(function: F) -> F:
    """Put the source of a thin function into its callers before they are compiled.

    For a step around something large: `inlined` would compile, with all it calls, once more for every such step.
    """
    return cast(F, numba.njit(inline="always", **_OPTIONS)(function))


def shared(function: F) -> F:
    """Compile a larger function once, to be called (not folded in) by several entry points."""
    return cast(F, numba.njit(**_OPTIONS)(function))


@overload
def entry_point(function: F) -> F: ...


@overload
def entry_point(*, nogil: bool) -> Callable[[F], F]: ...


def entry_point(function: Any = None, *, nogil: bool = False) -> Any:
    """Compile a function that Python calls, and keep the result on disk.

    The first call in an installation compiles; when that takes longer than a moment, a line on standard error says so.

    Args:
        function: what to compile.
        nogil: release the GIL during a call, so that threads run side by side: for functions over many games, each
            thread having its own. A function over one game keeps it, because two calls at once on one record could
            leave a state from which the compiled rules never return. What a function calls has no say in this.
    """
    if function is None:
        return functools.partial(entry_point, nogil=nogil)
    if numba.config.DISABLE_JIT:
        return function
    folder = _cache_folder(Path(function.__code__.co_filename).resolve().parent)
    with _numba_cache_in(folder):
        compiled = numba.njit(cache=folder is not None, nogil=nogil, **_OPTIONS)(function)
    if folder is not None and not check_files_of(compiled, folder):
        _warn_of_unchecked_files(folder)
    _notice.entry_points.add(compiled)
    return compiled


@functools.cache
def _warn_of_unchecked_files(folder: Path) -> None:
    text = f"numba {numba.__version__} keeps compiled code in a way that romans_env cannot check; should a start fail "
    warnings.warn(f"{text}with an error of pickle or LLVM, delete {folder}", RuntimeWarning, stacklevel=3)


class _Notice(Listener):
    """A line on standard error while an entry point compiles, when that takes longer than a moment.

    It listens to the compiler itself, so that calls of what is compiled (or lies on disk) cost nothing. Numba compiles
    one function at a time; an entry point that another one calls is compiled within it.
    """

    def __init__(self) -> None:
        self.entry_points: set[Any] = set()
        self._timers: list[threading.Timer] = []
        self._told_at = -NOTICE_AT_MOST_EVERY_SECONDS

    def on_start(self, event: Event) -> None:
        if event.data["dispatcher"] in self.entry_points:
            timer = threading.Timer(NOTICE_AFTER_SECONDS, self._tell)
            timer.daemon = True
            timer.start()
            self._timers.append(timer)

    def on_end(self, event: Event) -> None:
        if event.data["dispatcher"] in self.entry_points:
            self._timers.pop().cancel()

    def _tell(self) -> None:
        now = time.monotonic()
        if now - self._told_at >= NOTICE_AT_MOST_EVERY_SECONDS:
            self._told_at = now
            text = "romans_env: compiling (up to a minute in all; the result is kept for later runs) ..."
            print(text, file=sys.stderr, flush=True)


_notice = _Notice()
register("numba:compile", _notice)


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
    beside_the_sources = function_folder / "__pycache__"
    places = [beside_the_sources, _user_cache_folder()]
    if os.environ.get("NUMBA_CACHE_DIR"):
        places.insert(0, Path(os.environ["NUMBA_CACHE_DIR"]) / "romans_env")
    for place in places:
        folder = place / name
        is_shared = place == beside_the_sources
        try:
            folder.mkdir(mode=0o777 if is_shared else 0o700, parents=True, exist_ok=True)
            if not is_shared and not _is_ours(folder):
                continue
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        _remove_older(folder)
        return folder
    return None


def _is_ours(folder: Path) -> bool:
    """Whether the user owns a folder: what lies in it is run, and others may put folders in a place such as /tmp.

    Beside the sources that is not asked: who can write there can change the sources, too.
    """
    return not hasattr(os, "geteuid") or folder.stat().st_uid == os.geteuid()


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
