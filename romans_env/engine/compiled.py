"""How the rules are compiled.

`inlined` marks a rule: a small function over one record, which LLVM folds into whatever calls it. `cached_jit` marks
the few functions that Python calls; only these are kept on disk, so that the compiled surface stays small.

Numba notices a change in the file of a cached function, but not in the files that function calls. A stale cache would
mean stale rules, so the cache is in a folder named after a digest of all sources that it can depend on
(`cache_folder`). Its files are checked when they are read (`code_cache`).

With ``NUMBA_DISABLE_JIT=1`` both decorators return the function as it is: the same rules, interpreted.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast, overload

import numba
from numba.core.event import Event, Listener, register

from romans_env.engine.cache_folder import cache_folder
from romans_env.engine.compile_lock import CompileLock
from romans_env.engine.compile_progress import CachedFunction, CompileProgress
from romans_env.engine.loops import SOURCES, title_of

try:
    from romans_env.engine.code_cache import check_files_of
except ImportError:  # a release of numba that keeps its files in another way

    def check_files_of(dispatcher: Any, folder: Path, lock_for: Callable[[str], CompileLock]) -> bool:
        return False


F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"error_model": "numpy"}


def inlined(function: F) -> F:
    """Compile a rule so that it is folded into its callers."""
    return cast(F, numba.njit(forceinline=True, **_OPTIONS)(function))


def ir_inlined(function: F) -> F:
    """Put the source of a thin function into its callers before they are compiled.

    For a step around something large: `inlined` would compile, with all it calls, once more for every such step.
    """
    return cast(F, numba.njit(inline="always", **_OPTIONS)(function))


def jitted(function: F) -> F:
    """Compile a larger function once, to be called (not folded in) by several entry points."""
    return cast(F, numba.njit(**_OPTIONS)(function))


@overload
def cached_jit(function: F) -> F: ...


@overload
def cached_jit(*, nogil: bool) -> Callable[[F], F]: ...


def cached_jit(function: Any = None, *, nogil: bool = False) -> Any:
    """Compile a function that Python calls, and keep the result on disk.

    The first call in an installation compiles; when that takes longer than a moment, standard error says so
    (`compile_progress`). Processes that need the same function at once compile it once (`compile_lock`).

    Args:
        function: what to compile.
        nogil: release the GIL during a call, so that threads run side by side: for functions over many games, each
            thread having its own. A function over one game keeps it, because two calls at once on one record could
            leave a state from which the compiled rules never return. What a function calls has no say in this.
    """
    if function is None:
        return functools.partial(cached_jit, nogil=nogil)
    if numba.config.DISABLE_JIT:
        return function
    own = (Path(function.__code__.co_filename).resolve().parent,)
    folder = cache_folder(*function.__globals__.get(SOURCES, own))
    with _numba_cache_in(folder):
        compiled = numba.njit(cache=folder is not None, nogil=nogil, **_OPTIONS)(function)
    name = f"{title_of(function.__module__)}.{function.__name__}"

    def lock_for(path: str) -> CompileLock:
        return CompileLock(path, lambda: progress.showing(f"waiting for another process that compiles {name}"))

    if folder is not None and not check_files_of(compiled, folder, lock_for):
        _warn_of_unchecked_files(folder)
    progress.functions[compiled] = CachedFunction(name, folder)
    return compiled


@functools.cache
def _warn_of_unchecked_files(folder: Path) -> None:
    text = f"numba {numba.__version__} keeps compiled code in a way that romans_env cannot check; should a start fail "
    warnings.warn(f"{text}with an error of pickle or LLVM, delete {folder}", RuntimeWarning, stacklevel=3)


class _Locks(Listener):
    """Gives back the lock of a function that could not be compiled; one that could is kept first, and then gives it."""

    def on_start(self, event: Event) -> None:
        pass

    def on_end(self, event: Event) -> None:
        lock = getattr(event.data["dispatcher"]._cache, "compile_lock", None)
        if lock is not None and sys.exc_info()[0] is not None:
            lock.release()


progress = CompileProgress()
"""What the user sees while something compiles."""
register("numba:compile", progress)
register("numba:compile", _Locks())


@contextlib.contextmanager
def _numba_cache_in(folder: Path | None) -> Iterator[None]:
    """Numba reads its cache directory while decorating, so it is ours for that moment only."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before
