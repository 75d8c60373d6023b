"""Finds the files that a Python file needs by parsing it: imports from its own folder, and data files that it names."""

from __future__ import annotations

import ast
import functools
import os
from pathlib import Path

_LONGEST = 2**20
"""The size limit, in bytes, of Python files that are parsed; files written by hand are smaller."""


def needed_by(path: Path) -> list[Path]:
    """Return the files that a Python file needs, directly or indirectly: sorted, without the file itself.

    Nothing is executed. These files are found:

    - modules imported from the file's folder, or from the package that the folder belongs to;
    - files whose names are string literals in the source: a path (``"nets/prior.npz"``), its parts (``"nets"`` and
      ``"prior.npz"``), the name of a module, or a suffix that is added to the file's own stem (``".npz"``).

    Names that the code computes are not found.
    """
    path = Path(path).resolve()
    folder = package = path.parent
    while (package / "__init__.py").is_file():
        package = package.parent
    inside = [*path.relative_to(package).parts[:-1], ""][0]
    found: set[Path] = set()
    to_read = [path]
    while to_read:
        module = to_read.pop()
        imports, strings = _read(module, *_version(module))
        modules = [place for dotted in imports for place in _modules_of(folder, dotted)]
        modules += [place for dotted in strings for place in _modules_of(folder, dotted)]
        for dotted in imports:
            if dotted.startswith("."):
                level = len(dotted) - len(dotted.lstrip("."))
                modules += _modules_of((module / ("../" * level)).resolve(), dotted[level:])
            elif inside and dotted.partition(".")[0] == inside:
                modules += _modules_of(package, dotted)
        names = {part for text in strings for part in text.replace("\\", "/").split("/")}
        names |= {module.stem + name for name in names if name.startswith(".")}
        data = [file for place in {folder, module.parent} for file in _files_named(place, names)]
        new = {file.resolve() for file in (*modules, *data)} - found - {path}
        found |= new
        to_read += [file for file in new if file.suffix == ".py"]
    return sorted(found)


def _version(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@functools.lru_cache(maxsize=256)
def _read(path: Path, changed: int, size: int) -> tuple[frozenset[str], frozenset[str]]:
    """Return the dotted names that a Python file imports, and its string literals without line breaks.

    The file's modification time and size are arguments so that the cache notices changes.
    """
    if size > _LONGEST:
        return frozenset(), frozenset()
    try:
        tree = ast.parse(path.read_bytes())
    # A file that Python cannot read imports nothing.
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset(), frozenset()
    imports, strings = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            origin = "." * node.level + (node.module or "")
            imports |= {f"{origin}{'.' if node.module else ''}{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isprintable():
            strings.add(node.value)
    return frozenset(imports), frozenset(strings)


def _modules_of(folder: Path, dotted: str) -> list[Path]:
    """Return the files of a module in a folder and of its parent packages; empty if there is no such module."""
    found, place = [], folder
    for part in dotted.split("."):
        if not part.isidentifier():
            break
        files = (place / part / "__init__.py", place / f"{part}.py")
        found += [file for file in files if os.path.isfile(file)]
        place = place / part
    return found


def _files_named(folder: Path, names: set[str]) -> list[Path]:
    """Return the files under a folder whose names, and those of the subfolders that lead to them, are in ``names``."""
    found, seen, places = [], set(), [folder.resolve()]
    while places:
        place = places.pop()
        if place in seen:
            continue
        seen.add(place)
        try:
            there = names.intersection(os.listdir(place))
        except OSError:
            continue
        found += [place / name for name in there if (place / name).is_file()]
        places += [(place / name).resolve() for name in there if (place / name).is_dir()]
    return found
