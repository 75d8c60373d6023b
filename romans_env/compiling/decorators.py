"""The decorators that compile rules and loops.

- `inlined` is for a rule: a small function of one record, which is compiled into its callers.
- `jitted` is for a larger function with several callers: it is compiled once, to machine code of its own.
- `cached_jit` is for a function that Python calls.

Machine code is cached on disk (`store`), in a folder named after a digest of all sources that it can depend on
(`cache_folder`), because stale code would play stale rules. A function is compiled at its first call, together with the
functions that it calls and no others (`units`).

With ``NUMBA_DISABLE_JIT=1``, and in a template that is bound to rules in Python (`templates`), all decorators return
the function unchanged: the same rules are interpreted.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import numba
from numba.core import config as numba_config
from numba.core.event import register

from romans_env.compiling.cache_folder import cache_folder, folder_name, is_of_a_file
from romans_env.compiling.lock import CompileLock
from romans_env.compiling.progress import CachedFunction, progress
from romans_env.compiling.self_check import works
from romans_env.compiling.shipped_code import SHIPPED
from romans_env.compiling.templates import IS_PLAIN, SOURCES, title_of

config: Any = numba_config
"""Numba's configuration, typed `Any` because numba sets its attributes at import."""

if TYPE_CHECKING or (not config.DISABLE_JIT and works()):
    from romans_env.compiling.store import CodeStore
    from romans_env.compiling.units import Folded, InnerUnit, Unit, identity_of
else:
    CodeStore = None

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"error_model": "numpy"}


def inlined(function: F) -> F:
    """Compile a small function into its callers."""
    if function.__globals__.get(IS_PLAIN):
        return function
    if config.DISABLE_JIT or CodeStore is None:
        return cast(F, numba.njit(forceinline=True, **_OPTIONS)(function))
    return cast(F, Folded(function, _digest_of(function)))


def ir_inlined(function: F) -> F:
    """Inline the source of a thin function into its callers before they are compiled.

    This is for a thin step around a large function: `inlined` would compile the large one again for each such step.
    """
    if function.__globals__.get(IS_PLAIN):
        return function
    return cast(F, numba.njit(inline="always", **_OPTIONS)(function))


def jitted(function: F) -> F:
    """Compile a larger function once; other compiled functions call it instead of containing it."""
    if function.__globals__.get(IS_PLAIN):
        return function
    if config.DISABLE_JIT or CodeStore is None:
        return cast(F, _kept_by_numba(function))
    return _kept(InnerUnit(function, _digest_of(function)))


@overload
def cached_jit(function: F) -> F: ...


@overload
def cached_jit(*, nogil: bool) -> Callable[[F], F]: ...


def cached_jit(function: Any = None, *, nogil: bool = False) -> Any:
    """Compile a function that Python calls.

    The first call in an installation compiles it; if that takes longer than a moment, a line on standard error says so
    (`progress`). Of several processes that need the same function, only one compiles it (`lock`).

    Args:
        function: the function.
        nogil: whether to release the GIL during a call, so that threads run in parallel. Use it for functions over many
            games, where each thread has its own games. A function over one game must keep the GIL, because two
            simultaneous calls on one record could leave a state in which the compiled rules never return. The setting
            of a called function has no effect.
    """
    if function is None:
        return functools.partial(cached_jit, nogil=nogil)
    if function.__globals__.get(IS_PLAIN):
        return function
    if config.DISABLE_JIT or CodeStore is None:
        return _kept_by_numba(function, nogil=nogil)
    return _kept(Unit(function, _digest_of(function), nogil=nogil))


def _kept(unit: Any) -> Any:
    """Return a unit after setting up its cache and the display of its compilation."""
    function = unit.py_func
    folder = cache_folder(*_sources_of(function))
    name = f"{title_of(function.__module__)}.{function.__qualname__}"

    def lock_for(path: str) -> CompileLock:
        return CompileLock(path, lambda: progress.showing(f"waiting for another process that compiles {name}"))

    if is_of_a_file(function):
        shipped = SHIPPED / folder_name(*_sources_of(function))
        identity = f"{function.__module__}.{function.__qualname__}.{identity_of(function)}"
        unit.keep_in(CodeStore(identity, folder, shipped, lock_for))
    progress.functions[unit] = CachedFunction(name, folder)
    return unit


def _kept_by_numba(function: Any, **options: Any) -> Any:
    """Compile a function with numba's own dispatcher, without separate units, cached in the same folders."""
    folder = cache_folder(*_sources_of(function))
    if config.DISABLE_JIT or folder is None or not is_of_a_file(function):
        return numba.njit(**_OPTIONS, **options)(function)
    # A subfolder for each module: numba names cache files after the source file, which bound templates share.
    module = hashlib.sha256(function.__module__.encode()).hexdigest()[:16]
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder / module), ""
    try:
        dispatcher = numba.njit(cache=True, **_OPTIONS, **options)(function)
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before
    progress.functions[dispatcher] = CachedFunction(f"{title_of(function.__module__)}.{function.__qualname__}", folder)
    return dispatcher


def _digest_of(function: Any) -> str:
    """Return the digest of the sources that a function depends on."""
    return folder_name(*_sources_of(function)).rpartition("-")[2]


def _sources_of(function: Any) -> tuple[Path, ...]:
    """Return the folders of a function's sources and of bound modules, without the folders that these import."""
    return cast(tuple[Path, ...], function.__globals__.get(SOURCES)) or (_folder_of(function.__code__.co_filename),)


@functools.cache
def _folder_of(file: str) -> Path:
    return Path(file).resolve().parent


def leave_shipped_code_alone() -> None:
    """Ignore the machine code in the wheel from now on, and compile for this exact CPU."""
    if CodeStore is not None:
        CodeStore.uses_shipped = False


register("numba:compile", progress)
