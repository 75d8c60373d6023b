"""A program: some functions and everything that they need, as one JavaScript module."""

from __future__ import annotations

import ast
import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from translating.modules import Meaning, Module, TranslationError, module
from translating.scopes import script_name
from translating.statements import Statements

_TOLD_OTHERWISE = ("cache", "lru_cache", "functools.lru_cache", "inlined", "jitted", "cached_jit")
"""Decorators that affect only the speed of a function."""


@dataclass(frozen=True)
class Constant:
    """A constant that a function of the package always returns on the page.

    Attributes:
        value: the returned value, as plain data.
    """

    value: Any


class Program:
    """Functions of the package and everything that they need, translated.

    Args:
        given: replacements for objects that are not translated, by full names such as ``romans_env.core.game:Game``: a
            JavaScript expression, or a `Constant` that a function returns. ``module:Class.method`` with an empty string
            leaves out a method, and ``module:Class.field`` sets the value of a field.
        called: names of methods that are called from outside the program.
    """

    def __init__(self, given: Mapping[str, str | Constant], called: Sequence[str] = ()):
        self._given = dict(given)
        self._names: dict[tuple[str, str], str] = {}
        self._read = set(called)
        """Names of attributes that are read somewhere; other members of classes are never used."""
        self._waiting: list[tuple[str, str, ast.stmt, Statements]] = []
        self._values: list[str] = []
        self._functions: list[str] = []
        self._classes: dict[str, list[str]] = {}
        self._instances: dict[int, tuple[str, Any]] = {}

    def add(self, full_name: str) -> str:
        """Add a function, by a name such as ``romans_env.roma.events:events_of``, with everything that it needs.

        Returns:
            Its name in the program.
        """
        source, _, name = full_name.partition(":")
        meaning = module(source).meaning(name)
        if meaning is None:
            raise TranslationError(f"{source} has no {name}")
        return self._need(meaning)

    def text(self) -> str:
        """Return the program as JavaScript statements, which call the runtime ``$``."""
        while called := [one for one in self._waiting if one[1] in self._read]:
            self._waiting = [one for one in self._waiting if one not in called]
            for owner, name, node, statements in called:
                self._member(owner, name, node, statements)
        classes = [line for lines in self._classes.values() for line in lines]
        return "\n".join([*self._functions, *classes, *self._values, ""])

    # -- names

    def _need(self, meaning: Meaning) -> str:
        if meaning.kind == "foreign":
            return f"$.{meaning.module.removeprefix('builtins.').replace('.', '$')}"
        if meaning.kind == "module":
            raise TranslationError(f"{meaning.module} is used as a value")
        key = meaning.module, meaning.name
        if key not in self._names:
            self._names[key] = f"{'$'.join(meaning.module.split('.')[-2:])}${meaning.name}"
            self._define(meaning, self._names[key])
        return self._names[key]

    def _define(self, meaning: Meaning, name: str) -> None:
        source = module(meaning.module)
        full = f"{meaning.module}:{meaning.name}"
        statements = Statements(source, self._need, self._read.add)
        given = self._given.get(full)
        if isinstance(given, Constant):
            self._values.append(f"const {name} = ((value) => () => value)({self.literal(given.value)});")
        elif given is not None:
            self._functions.append(f"const {name} = {given};")
        elif isinstance(meaning.node, ast.FunctionDef):
            self._function(name, meaning.node, statements)
        elif isinstance(meaning.node, ast.ClassDef):
            self._class(name, meaning, meaning.node, statements)
        else:
            self._value(name, meaning, source, statements)

    def _function(self, name: str, node: ast.FunctionDef, statements: Statements) -> None:
        said = statements.function(node)
        star = "*" if said.startswith("*") else ""
        rest = said.removeprefix("*").removeprefix(script_name(node.name))
        marks = [ast.unparse(one).partition("(")[0] for one in node.decorator_list]
        wrapper = "$.cached" if {"cache", "lru_cache", "functools.lru_cache"} & set(marks) else ""
        others = [one for one in node.decorator_list if ast.unparse(one).partition("(")[0] not in _TOLD_OTHERWISE]
        if others:
            wrapper = statements.expression(others[0])
        inner = f"{name}$plain" if wrapper else name
        self._functions.append(f"function{star} {inner}{rest}")
        self._functions.append(f"{inner}.params = {statements.names_of(node)};")
        if wrapper:
            self._functions.append(f"const {name} = {wrapper}({inner});")

    # -- classes

    def _class(self, name: str, meaning: Meaning, node: ast.ClassDef, statements: Statements) -> None:
        kind = module(meaning.module).value(meaning.name)
        bases = [one for one in node.bases if ast.unparse(one) not in ("NamedTuple", "Protocol")]
        base = statements.expression(bases[0]) if bases else "$.Instance"
        names = list(getattr(kind, "_fields", ()))
        if is_dataclass(kind):
            names = [one.name for one in fields(kind)]
        lines = [f"class {name} extends {'$.NamedTuple' if hasattr(kind, '_fields') else base} {{}}"]
        self._classes[name] = lines
        if names or is_dataclass(kind):
            said = []
            for statement in node.body:
                match statement:
                    case ast.AnnAssign(target=ast.Name(id=field), value=ast.expr() as value) if field in names:
                        said.append(f"{field}: () => {self._default(value, statements)}")
            lines.append(f"$.fields({name}, {json.dumps(names)}, {{ {', '.join(said)} }});")
        for statement in node.body:
            for member in _members(statement):
                if f"{meaning.module}:{meaning.name}.{member}" in self._given:
                    continue
                if member.startswith("__"):
                    # Constructors run when the program starts, so whatever they need must come before the instances.
                    self._member(name, member, statement, statements)
                else:
                    self._waiting.append((name, member, statement, statements))

    def _member(self, owner: str, name: str, node: ast.stmt, statements: Statements) -> None:
        if isinstance(node, ast.FunctionDef):
            self._method(owner, node, statements)
        elif isinstance(node, ast.Assign):
            self._classes[owner].append(f"{owner}.prototype.{name} = {statements.expression(node.value)};")

    def _default(self, value: ast.expr, statements: Statements) -> str:
        match value:
            case ast.Call(func=ast.Name(id="field"), keywords=keywords):
                made = [one.value for one in keywords if one.arg == "default_factory"]
                return f"$.run({statements.expression(made[0])}, [])" if made else "undefined"
        return statements.expression(value)

    def _method(self, owner: str, node: ast.FunctionDef, statements: Statements) -> None:
        marks = [ast.unparse(one) for one in node.decorator_list]
        is_static = "staticmethod" in marks
        said = statements.function(node, as_method=not is_static)
        star, name = "*" if said.startswith("*") else "", node.name
        rest = said.removeprefix("*").removeprefix(script_name(name) if is_static else "")
        where = owner if is_static or "classmethod" in marks else f"{owner}.prototype"
        lines = self._classes[owner]
        if "property" in marks or "derived" in marks:
            lines.append(f"$.property({where}, '{name}', {{ get{rest} }});")
            return
        params = statements.names_of(node, 0 if is_static else 1)
        lines.append(f"$.method({where}, '{name}', {{ {star}{name}{rest} }}, {params});")

    # -- values

    def _value(self, name: str, meaning: Meaning, source: Module, statements: Statements) -> None:
        try:
            said = self.literal(source.value(meaning.name))
        except TypeError:
            node = meaning.node
            if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
                raise TranslationError(f"{meaning.module}:{meaning.name} is not translated") from None
            said = statements.expression(node.value)
        self._values.append(f"const {name} = {said};")

    def literal(self, value: Any) -> str:
        """Return a Python value as a JavaScript expression.

        Raises:
            TypeError: if it holds functions or other values that are not plain data.
        """
        if value is None or (isinstance(value, (bool, int, float, str)) and not isinstance(value, enum.Enum)):
            return json.dumps(value, ensure_ascii=False)
        if isinstance(value, np.generic):
            return json.dumps(value.item())
        if isinstance(value, np.ndarray):
            return f"$.array({json.dumps(value.tolist())})"
        if isinstance(value, Mapping):
            return f"new $.Dict([{self._listed([list(one) for one in value.items()])}])"
        if isinstance(value, (set, frozenset)):
            return f"$.set([{self._listed(sorted(value))}])"
        if isinstance(value, range):
            return f"$.range({value.start}, {value.stop}, {value.step})"
        if hasattr(value, "_fields") or (is_dataclass(value) and not isinstance(value, type)):
            return self._instance(value)
        if isinstance(value, Sequence):
            return f"[{self._listed(value)}]"
        raise TypeError(f"{type(value).__name__} is not plain data")

    def _instance(self, value: Any) -> str:
        """Return a named tuple or a dataclass instance; each is created only once."""
        full = f"{type(value).__module__}:{type(value).__qualname__}"
        is_tuple = hasattr(value, "_fields")
        if not is_tuple and id(value) in self._instances:
            return self._instances[id(value)][0]
        names = value._fields if is_tuple else [one.name for one in fields(value)]
        kind = self.add(full)
        parts = [self._given.get(f"{full}.{one}") or self.literal(getattr(value, one)) for one in names]
        said = f"$.filled({kind}, [{', '.join(map(str, parts))}])"
        if is_tuple:
            return said
        name = f"$$instance{len(self._instances)}"
        self._instances[id(value)] = name, value
        self._values.append(f"const {name} = {said};")
        return name

    def _listed(self, values: Sequence[Any]) -> str:
        return ", ".join(map(self.literal, values))


def _members(node: ast.stmt) -> list[str]:
    """Return the names that a statement in a class body defines."""
    match node:
        case ast.FunctionDef(name=name):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]):
            return [name]
    return []
