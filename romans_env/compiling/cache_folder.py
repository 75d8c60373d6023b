"""The folders in which compiled functions are cached, and the digests that make stale ones unreachable.

A compiled function contains the code that it calls and the constants that it uses, from any folder. The name of its
cache folder therefore contains a digest of the sources in the function's own folder and in all folders of compiled code
that are imported from there, directly or indirectly, such as the engine's and the game's rules.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import llvmlite
import numba

from romans_env.compiling.private_folder import PublicFolderError, private_folder

_COMPILING = Path(__file__).resolve().parent
_MARK = b"romans_env.compiling.decorators"
"""A file with compiled code contains this import."""
_IMPORTS = re.compile(r"^(?:from|import) +(\.*)([\w.]*)(?: +import +(\([^)]*\)|[^\n]*))?", re.MULTILINE)
_NO_SOURCES = {*sys.stdlib_module_names, "numpy", "numba"}
"""Packages that contain no code of a game."""


@functools.cache
def cache_folder(function_folder: Path, *others: Path) -> Path | None:
    """Return the cache folder for the compiled functions in a folder; None if no folder is writable.

    Args:
        function_folder: the folder of the functions' sources.
        others: the folders of the modules that are bound into a template (`templates.bound`).
    """
    name = folder_name(function_folder, *others)
    beside_the_sources = function_folder / "__pycache__"
    places = [beside_the_sources]
    # There is no home directory in a container that runs with an arbitrary user id.
    with contextlib.suppress(RuntimeError):
        places.append(_user_cache_folder())
    if os.environ.get("NUMBA_CACHE_DIR"):
        places.insert(0, Path(os.environ["NUMBA_CACHE_DIR"]) / "romans_env")
    for place in places:
        try:
            folder = place / name
            if place == beside_the_sources:
                # It need not be private: who can write here can change the sources, too.
                folder.mkdir(mode=0o755, parents=True, exist_ok=True)
            else:
                folder = private_folder(folder)
            tempfile.TemporaryFile(dir=folder).close()
        except PublicFolderError as error:
            warnings.warn(f"compiled code is not kept in {place}: {error}", RuntimeWarning, stacklevel=2)
            continue
        except OSError:
            continue
        _remove_stale_siblings(folder)
        return folder
    return None


@functools.cache
def folder_name(function_folder: Path, *others: Path) -> str:
    """Return the name of the cache folder, which ends with a digest of the sources; arguments as for `cache_folder`.

    It is computed once in a process, because the process has imported the sources once.
    """
    return f"compiled-{'-'.join([*_names(others), digest_of_sources(function_folder, *others)])}"


def is_of_a_file(function: Any) -> bool:
    """Return whether a function is defined in a source file and has no closure, so is the same in every process."""
    return function.__closure__ is None and os.path.isfile(function.__code__.co_filename)


def digest_of_sources(*function_folders: Path) -> str:
    """Return a digest of the compiler's version and of all sources that compiled functions in folders can depend on.

    Paths are relative to the package's parent folder, so a checkout and an installed copy with equal sources have the
    same digest.
    """
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__}".encode())
    sources = {
        (source.relative_to(_top_of(folder)).as_posix(), source.read_bytes())
        for folder in source_folders(*function_folders)
        for source in folder.glob("*.py")
    }
    for place, content in sorted(sources):
        digest.update(f"{place} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def source_folders(*function_folders: Path) -> set[Path]:
    """Return the folders, the compiler's own, and all folders of compiled code that they import, also indirectly."""
    found, waiting = {_COMPILING}, list(function_folders)
    while waiting:
        folder = waiting.pop()
        if folder in found:
            continue
        found.add(folder)
        waiting += [other for other in _imported_folders(folder) if _holds_compiled_code(other)]
    return found


def _imported_folders(folder: Path) -> set[Path]:
    found: set[Path] = set()
    for source in folder.glob("*.py"):
        for dots, module, names in _IMPORTS.findall(source.read_text(encoding="utf-8")):
            parts = [part for part in module.split(".") if part]
            root = _root_of_import(folder, dots, parts)
            if root is not None:
                path = root.joinpath(*parts)
                # A name imported from a package may be one of its modules.
                found |= {place for name in ["", *re.findall(r"\w+", names)] if (place := _folder_of(path / name))}
    return found


def _root_of_import(folder: Path, dots: str, parts: list[str]) -> Path | None:
    """Return the folder that an import's dotted name is relative to; None for a package without code of a game."""
    if dots:
        return folder.joinpath(*[".."] * (len(dots) - 1)).resolve()
    if parts[0] in _NO_SOURCES:
        return None
    # Packages next to the folder's own come first: they may be missing in ``sys.path``.
    beside = _top_of(folder)
    if (beside / parts[0]).is_dir():
        return beside
    root = _package_root(parts[0])
    return None if root is None else root.parent


@functools.cache
def _top_of(folder: Path) -> Path:
    """Return the folder that contains the top-level package of a folder of sources."""
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


def _folder_of(path: Path) -> Path | None:
    """Return the folder of the module or package at a path without a suffix; None if there is none."""
    if path.is_dir():
        return path
    return path.parent if path.with_suffix(".py").is_file() else None


@functools.cache
def _package_root(top: str) -> Path | None:
    spec = importlib.util.find_spec(top)
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0]).resolve() if places else None


@functools.cache
def _holds_compiled_code(folder: Path) -> bool:
    return any(_MARK in source.read_bytes() for source in folder.glob("*.py"))


def _remove_stale_siblings(folder: Path) -> None:
    """Remove the folders next to a cache folder that contain the same functions, compiled from earlier sources.

    Only folders next to the sources are removed: in a user's cache folder, other sources may use the same names.
    """
    if folder.parent.name != "__pycache__":
        return
    for other in folder.parent.glob(f"{folder.name.rpartition('-')[0]}-*"):
        # "compiled-*" also matches "compiled-NAME-*"; a name with more dashes belongs to code bound to more folders.
        if other != folder and other.name.count("-") == folder.name.count("-"):
            shutil.rmtree(other, ignore_errors=True)


def _names(folders: tuple[Path, ...]) -> list[str]:
    """Return a name for each folder, without dashes, which separate the parts of a cache folder's name."""
    return [f"{folder.parent.name}.{folder.name}".replace("-", "_") for folder in folders]


def _user_cache_folder() -> Path:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return Path(base) / "romans_env" if base else Path.home() / "AppData/Local/romans_env"
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base) / "romans_env" if base else Path.home() / ".cache/romans_env"
