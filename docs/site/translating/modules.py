"""The modules to translate, and the meaning of their names."""

from __future__ import annotations

import ast
import importlib
import inspect
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

TRANSLATED = ("romans_env.", "romans_agents.", "romans_serve.")
"""Packages whose modules are translated; the runtime, `python.js`, provides everything else."""


class TranslationError(Exception):
    """A construct that cannot be translated; the message has the module, the line and the construct."""


@dataclass(frozen=True)
class Meaning:
    """The meaning of a name in a module.

    Attributes:
        kind: ``function``, ``class``, ``value``, ``module``, or ``foreign`` for a name from another package.
        module: the module that defines it; for ``module`` and ``foreign``, its own full name.
        name: its name in that module.
        node: the statement that defines it.
    """

    kind: str
    module: str
    name: str = ""
    node: ast.stmt | None = None


class Module:
    """A module and its names.

    Args:
        name: full name of the module.
    """

    def __init__(self, name: str):
        self.name = name
        self.loaded: ModuleType = importlib.import_module(name)
        self._nodes: dict[str, ast.stmt] = {}
        for node in ast.parse(inspect.getsource(self.loaded)).body:
            for bound in _names_of(node):
                self._nodes[bound] = node

    def meaning(self, name: str) -> Meaning | None:
        """Return the meaning of a module-level name; None if there is no such name."""
        node = self._nodes.get(name)
        match node:
            case None:
                return None
            case ast.FunctionDef():
                return Meaning("function", self.name, name, node)
            case ast.ClassDef():
                return Meaning("class", self.name, name, node)
            case ast.Import() | ast.ImportFrom():
                return imported(node, name)
        return Meaning("value", self.name, name, node)

    def value(self, name: str) -> Any:
        """Return the value of a name in Python."""
        return getattr(self.loaded, name)


def _names_of(node: ast.stmt) -> list[str]:
    """Return the names that a module-level statement binds."""
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Import() | ast.ImportFrom():
            return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
        case ast.Assign() | ast.AnnAssign():
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            return [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
    return []


def imported(node: ast.Import | ast.ImportFrom, name: str) -> Meaning:
    """Return the meaning of an imported name, resolved to the module that defines it."""
    alias = next(one for one in node.names if (one.asname or one.name.partition(".")[0]) == name)
    if isinstance(node, ast.Import):
        return Meaning("foreign", alias.name)
    source = f"{node.module}.{alias.name}"
    if not str(node.module).startswith(TRANSLATED):
        if node.module in ("romans_env", "romans_agents") and _is_module(source):
            return Meaning("module", source)
        return Meaning("foreign", source)
    if _is_module(source):
        return Meaning("module", source)
    found = module(str(node.module)).meaning(alias.name)
    if found is None:
        raise TranslationError(f"{node.module} has no name {alias.name} at its top")
    return found


@cache
def module(name: str) -> Module:
    """Return a module by its full name."""
    return Module(name)


@cache
def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False
