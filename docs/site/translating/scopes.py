"""Scopes: the names that a function binds are its variables; all others come from enclosing scopes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

Function = ast.FunctionDef | ast.Lambda
_SCOPES = (ast.FunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
RESERVED = frozenset(
    {
        *("arguments", "await", "case", "const", "debugger", "default", "delete", "do", "enum", "eval", "export"),
        *("extends", "function", "implements", "instanceof", "interface", "let", "new", "null", "package", "private"),
        *("protected", "public", "static", "super", "switch", "this", "throw", "typeof", "undefined", "var", "void"),
        *("with", "yield"),
    }
)
"""Reserved words of JavaScript."""


def script_name(name: str) -> str:
    """Return a Python name as a valid JavaScript name."""
    return f"{name}$" if name in RESERVED else name


def parameters(arguments: ast.arguments) -> list[str]:
    """Return the names of all parameters, in order."""
    named = [*arguments.posonlyargs, *arguments.args]
    named += [arguments.vararg] if arguments.vararg else []
    named += arguments.kwonlyargs
    named += [arguments.kwarg] if arguments.kwarg else []
    return [one.arg for one in named]


def variables(function: ast.FunctionDef) -> list[str]:
    """Return the names that the body of a function binds, in order and without its parameters."""
    outer = {name for node in ast.walk(function) if isinstance(node, ast.Nonlocal) for name in node.names}
    found = dict.fromkeys(name for statement in function.body for name in _bound(statement))
    return [name for name in found if name not in outer and name not in parameters(function.args)]


def _bound(node: ast.AST, in_comprehension: bool = False) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
        return
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.NamedExpr):
        yield node.target.id
        yield from _bound(node.value, in_comprehension)
        return
    # A comprehension has a scope of its own.
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and not in_comprehension:
        yield node.id
    if isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    inside = in_comprehension or isinstance(node, _COMPREHENSIONS)
    for child in ast.iter_child_nodes(node):
        yield from _bound(child, inside)


def is_generator(function: ast.FunctionDef) -> bool:
    """Return whether a function is a generator."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, _SCOPES):
            pending += ast.iter_child_nodes(node)
    return False
