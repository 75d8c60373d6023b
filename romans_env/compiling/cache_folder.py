"""Where compiled functions are kept on disk, and what makes them stale.

A compiled function holds all that it calls and every constant that it uses, from whatever folder they come. The folder
of its cache is therefore named after a digest of the sources in the function's own folder, and in every folder of
compiled code that is imported from there, directly or not: the engine's and the game's rules above all.
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
"""What a file of compiled code imports."""
_IMPORTS = re.compile(r"^(?:from|import) +(\.*)([\w.]*)(?: +import +(\([^)]*\)|[^\n]*))?", re.MULTILINE)
_NO_SOURCES = {*sys.stdlib_module_names, "numpy", "numba"}
"""Packages that hold no code of a game."""


@functools.cache
def cache_folder(function_folder: Path, *others: Path) -> Path | None:
    """Return the folder for the compiled functions of the sources in a folder; None where nothing can be written.

    Args:
        function_folder: the folder.
        others: folders whose sources are bound into those of the first (`templates.bound`).
    """
    name = folder_name(function_folder, *others)
    beside_the_sources = function_folder / "__pycache__"
    places = [beside_the_sources]
    # A user without a home has no cache folder, as in a container that runs as any number.
    with contextlib.suppress(RuntimeError):
        places.append(_user_cache_folder())
    if os.environ.get("NUMBA_CACHE_DIR"):
        places.insert(0, Path(os.environ["NUMBA_CACHE_DIR"]) / "romans_env")
    for place in places:
        try:
            folder = place / name
            if place == beside_the_sources:
                # Whoever can write there can change the sources, too.
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
    """Return the name of a folder for the compiled functions of sources, which ends with their digest.

    The arguments are those of `cache_folder`. The name is computed once a process, which has imported the sources.
    """
    return f"compiled-{'-'.join([*_names(others), digest_of_sources(function_folder, *others)])}"


def is_of_a_file(function: Any) -> bool:
    """Return whether a function stands in a source file, without a closure: it is the same in every process."""
    return function.__closure__ is None and os.path.isfile(function.__code__.co_filename)


def digest_of_sources(*function_folders: Path) -> str:
    """Return a digest of the compiler's version and of all sources that compiled functions of folders can depend on.

    Sources count by their place in their package: wherever that lies, and where a package lies in two places of equal
    sources, as a checkout and its installed copy, the digest is the same.
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
    """Return the folders, this one, and all folders of compiled code that are imported from those."""
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
                # What is imported from a package may be one of its modules.
                found |= {place for name in ["", *re.findall(r"\w+", names)] if (place := _folder_of(path / name))}
    return found


def _root_of_import(folder: Path, dots: str, parts: list[str]) -> Path | None:
    """Return the folder from which an import's parts lead to a module; None for a package without code of a game."""
    if dots:
        return folder.joinpath(*[".."] * (len(dots) - 1)).resolve()
    if parts[0] in _NO_SOURCES:
        return None
    # Packages beside the folder's own come first: they need not be on the path of this process.
    beside = _top_of(folder)
    if (beside / parts[0]).is_dir():
        return beside
    root = _package_root(parts[0])
    return None if root is None else root.parent


@functools.cache
def _top_of(folder: Path) -> Path:
    """Return the folder that holds the top package of a folder of sources."""
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


def _folder_of(path: Path) -> Path | None:
    """Return the folder of a module at a path without its ending; None if there is no such module."""
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
    """Remove the folders beside one that hold the same functions compiled from earlier sources.

    Only beside the sources: in a user's cache folder the code of other sources may have the same names.
    """
    if folder.parent.name != "__pycache__":
        return
    for other in folder.parent.glob(f"{folder.name.rpartition('-')[0]}-*"):
        # "compiled-*" matches "compiled-NAME-*", too: with more dashes, a folder is of code bound to more folders.
        if other != folder and other.name.count("-") == folder.name.count("-"):
            shutil.rmtree(other, ignore_errors=True)


def _names(folders: tuple[Path, ...]) -> list[str]:
    """Return a name for each folder, without the character that separates the parts of a folder's name."""
    return [f"{folder.parent.name}.{folder.name}".replace("-", "_") for folder in folders]


def _user_cache_folder() -> Path:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return Path(base) / "romans_env" if base else Path.home() / "AppData/Local/romans_env"
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base) / "romans_env" if base else Path.home() / ".cache/romans_env"
