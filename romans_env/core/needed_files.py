"""The files that a Python file needs, found by reading it: its imports from its own folder, and data that it names."""

from __future__ import annotations

import ast
import functools
import os
from pathlib import Path

_LONGEST = 2**20
"""Bytes of a Python file that is read for what it needs; those of a person are shorter."""


def needed_by(path: Path) -> list[Path]:
    """Return what a Python file needs of its own folder, and what these files need: sorted, without itself.

    Nothing is run. Found are modules that it imports from its folder, or from the package that its folder is part of,
    and files whose names stand in it as strings: ``"nets/prior.npz"``, ``"nets"`` and ``"prior.npz"``, the name of a
    module, or another ending of the file's own name (``".npz"``). Names that it puts together are not found.
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
    """Return the dotted names that a Python file imports, and its strings of a line."""
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
    """Return the files of a module in a folder and of the packages around it; what is no module there has none."""
    found, place = [], folder
    for part in dotted.split("."):
        if not part.isidentifier():
            break
        files = (place / part / "__init__.py", place / f"{part}.py")
        found += [file for file in files if os.path.isfile(file)]
        place = place / part
    return found


def _files_named(folder: Path, names: set[str]) -> list[Path]:
    """Return the files in a folder whose names, and those of the folders on the way, are among some."""
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
