"""Templates: modules of loops that are written once and compiled for every game.

The functions of a template call a game through module names, as in ``game.act(states, i, action, words)``. The template
imports these modules of some game, but only for type checkers and editors. `bound` executes the template's file again,
as a new module in which the names refer to the modules of the requested game. The resulting functions are ordinary
functions of a module, so numba can cache them on disk; functions that receive compiled functions as arguments or close
over them would be compiled in every process.
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
"""The attribute of a bound module with the folders of sources that its compiled functions depend on."""
IS_PLAIN = "__is_plain_python__"
"""The attribute of a bound module that says whether its functions are left as plain Python."""


def bound(template: Template, **parts: Any) -> Template:
    """Return a loop template bound to a game, compiled if all parts are modules, and plain Python otherwise.

    Args:
        template: the module with the loops.
        parts: the values of the template's names: modules of compiled functions or, for a game whose rules are not
            compiled, any objects with the functions that the template calls.

    Returns:
        A module like the template. For the same modules it is the same object, and its name is the same in every
        process.
    """
    module = cast(ModuleType, template)
    if not all(isinstance(part, ModuleType) for part in parts.values()):
        return cast(Template, _executed(module.__name__, module, parts, is_plain=True))
    name = f"{module.__name__}[{', '.join(f'{key}={part.__name__}' for key, part in parts.items())}]"
    if name not in sys.modules:
        sys.modules[name] = _executed(name, module, parts)
    return cast(Template, sys.modules[name])


def title_of(module: str) -> str:
    """Return the name of a module for messages.

    A template bound to a game has the names of both, such as ``roma.one_game``.
    """
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
