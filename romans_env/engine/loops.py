"""Loops that are written once and compiled for every game.

A loop template is a module whose functions call a game by the names of its globals: ``game.act(states, i, action,
words)``. `compile_for` executes the template's source once more, inside a module of the game, with those names bound to
the game's own modules. The functions that come of it are module-level functions of the game: numba keeps them on disk
in the cache of the game's folder, which a function that is handed compiled functions, or that closes over them, would
miss in every process.
"""

from __future__ import annotations

import functools
from pathlib import Path
from types import ModuleType
from typing import Any

import numba


def compile_for(module: dict[str, Any], template: ModuleType, **parts: Any) -> None:
    """Define the functions of a template in a module.

    Args:
        module: the ``globals()`` of the module of a game that shall hold them.
        template: the module with the loops.
        parts: what the template's names mean: modules of compiled functions of the game, as numba resolves them.
    """
    # The template brings a docstring, and placeholders for its parts.
    kept = {"__doc__": module.get("__doc__"), **parts}
    exec(_code_of(template), module)
    module.update(kept)


def interpret_for(template: ModuleType, **parts: Any) -> dict[str, Any]:
    """The functions of a template as plain Python, for a game whose rules are not compiled.

    Args:
        template: the module with the loops.
        parts: what the template's names mean: any objects with the functions that it calls.

    Returns:
        The functions by name.
    """
    module: dict[str, Any] = {"__name__": template.__name__, "__file__": template.__file__}
    before, numba.config.DISABLE_JIT = numba.config.DISABLE_JIT, True
    try:
        compile_for(module, template, **parts)
    finally:
        numba.config.DISABLE_JIT = before
    return module


@functools.cache
def _code_of(template: ModuleType) -> Any:
    path = template.__file__
    assert path is not None
    return compile(Path(path).read_text(encoding="utf-8"), path, "exec")
