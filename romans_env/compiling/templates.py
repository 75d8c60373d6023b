"""Loops that are written once and compiled for every game.

A loop template is a module whose functions call a game by the names of its parts: ``game.act(states, i, action,
words)``. It imports those of some game for type checkers and editors alone. `bound` executes the template's file once
more, as a module of its own in which those names are the game's modules. The functions that come of it are functions of
a module: numba keeps them on disk, which a function that is handed compiled functions, or that closes over them, would
miss in every process.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

Template = TypeVar("Template")

SOURCES = "__compiled_from__"
"""The name, in a bound module, of the folders whose sources its compiled functions depend on."""
IS_PLAIN = "__is_plain_python__"
"""The name, in a bound module whose functions are not compiled, that says so."""


def bound(template: Template, **parts: Any) -> Template:
    """Return a loop template bound to a game: compiled if all parts are modules, or else plain Python.

    Modules give the same module again, in one process and, by its name, in others.

    Args:
        template: the module with the loops.
        parts: what the template's names mean: modules of compiled functions, as numba resolves them, or any objects
            with the functions that it calls, for a game whose rules are not compiled.

    Returns:
        A module like the template.
    """
    module = cast(ModuleType, template)
    if not all(isinstance(part, ModuleType) for part in parts.values()):
        return cast(Template, _executed(module.__name__, module, parts, is_plain=True))
    name = f"{module.__name__}[{', '.join(f'{key}={part.__name__}' for key, part in parts.items())}]"
    if name not in sys.modules:
        sys.modules[name] = _executed(name, module, parts)
    return cast(Template, sys.modules[name])


def title_of(module: str) -> str:
    """Return what messages call a module; a bound one by its first part's package and template: ``roma.one_game``."""
    template, _, parts = module.partition("[")
    if parts:
        package = parts.partition("=")[2].split(",")[0].rpartition(".")[0]
        module = f"{package}.{template.rpartition('.')[2]}"
    return module.removeprefix("romans_env.").removeprefix("romans_agents.")


def _executed(name: str, template: ModuleType, parts: dict[str, Any], is_plain: bool = False) -> ModuleType:
    path = cast(str, template.__file__)
    loader = importlib.machinery.SourceFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    files = [path, *(cast(str, part.__file__) for part in parts.values() if isinstance(part, ModuleType))]
    vars(module)[SOURCES] = tuple(dict.fromkeys(Path(file).resolve().parent for file in files))
    vars(module)[IS_PLAIN] = is_plain
    loader.exec_module(module)
    vars(module).update(parts)
    return module
