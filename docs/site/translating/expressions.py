"""Translates Python expressions to JavaScript. The runtime `python.js`, called ``$``, covers the differences."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any

from translating.modules import Meaning, Module, TranslationError, module
from translating.scopes import parameters, script_name

METHODS = frozenset(
    {
        *("append", "capitalize", "copy", "count", "endswith", "extend", "format", "index", "insert", "isdigit"),
        *("isupper", "join", "ljust", "lower", "lstrip", "partition", "pop", "remove", "removeprefix", "removesuffix"),
        *("replace", "reverse", "rjust", "rpartition", "rstrip", "sort", "split", "splitlines", "startswith", "strip"),
        *("title", "upper", "zfill"),
        *("all", "any", "argmax", "astype", "clip", "max", "min", "nonzero", "sum", "tolist"),
    }
)
"""Methods of strings, lists and arrays that the runtime provides, because JavaScript's own differ."""
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "modulo",
    ast.Pow: "power",
    ast.BitOr: "bit_or",
    ast.BitAnd: "bit_and",
    ast.BitXor: "bit_xor",
    ast.LShift: "shift_left",
    ast.RShift: "shift_right",
}
_NATIVE = {ast.Sub: "-", ast.Add: "+", ast.Div: "/"}
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
Need = Callable[[Meaning], str]
"""Returns the name of an object in the program, and ensures that the object is translated."""


class Expressions:
    """Translates the expressions of a module.

    Args:
        source: the module.
        need: see `Need`.
        note: called with the name of every attribute that is read.
    """

    def __init__(self, source: Module, need: Need, note: Callable[[str], None]):
        self.source, self.need, self._note = source, need, note
        self._scopes: list[set[str]] = []
        self.super_class: str | None = None

    def fail(self, node: ast.AST, what: str) -> TranslationError:
        """Return the error for a construct that cannot be translated."""
        return TranslationError(f"{self.source.name}, line {getattr(node, 'lineno', '?')}: {what}")

    @contextmanager
    def scope(self, names: Sequence[str]) -> Any:
        """Translate with additional local variables."""
        self._scopes.append(set(names))
        yield
        self._scopes.pop()

    def expression(self, node: ast.expr) -> str:
        """Translate an expression."""
        method: Callable[[Any], str] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise self.fail(node, f"{type(node).__name__} is not translated")
        return method(node)

    def all_of(self, nodes: Sequence[ast.expr]) -> str:
        """Translate expressions, separated by commas."""
        return ", ".join(map(self.expression, nodes))

    def test(self, node: ast.expr) -> str:
        """Translate an expression of which only the truth value matters."""
        match node:
            case ast.BoolOp(op=operator, values=values):
                return f"({(' && ' if isinstance(operator, ast.And) else ' || ').join(map(self.test, values))})"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"!{self.test(operand)}"
            case ast.Compare(ops=[ast.In() | ast.NotIn() | ast.Is() | ast.IsNot()]):
                return f"({self.expression(node)})"
        return f"$.truth({self.expression(node)})"

    # -- names

    def is_variable(self, name: str) -> bool:
        """Return whether a name is a variable of an enclosing function."""
        return any(name in scope for scope in self._scopes)

    def meaning(self, node: ast.expr) -> Meaning | None:
        """Return the meaning of a name, or of an attribute of a module such as ``material.CARDS``; else None."""
        match node:
            case ast.Name(id=name) if not self.is_variable(name):
                found = self.source.meaning(name)
                return Meaning("foreign", f"builtins.{name}") if found is None else found
            case ast.Attribute(value=ast.Name() as value, attr=name):
                of = self.meaning(value)
                if of is not None and of.kind == "module":
                    return module(of.module).meaning(name)
                if of is not None and of.kind == "foreign" and not of.module.startswith("builtins."):
                    return Meaning("foreign", f"{of.module}.{name}")
        return None

    def _name(self, node: ast.Name) -> str:
        meaning = self.meaning(node)
        return script_name(node.id) if meaning is None else self.need(meaning)

    def _attribute(self, node: ast.Attribute) -> str:
        meaning = self.meaning(node)
        if meaning is not None:
            return self.need(meaning)
        self._note(node.attr)
        of = self.expression(node.value)
        if isinstance(node.ctx, ast.Store):
            return f"{of}.{node.attr}"
        return f"$.attribute({of}, {json.dumps(node.attr)})" if node.attr in METHODS else f"$.got({of}, '{node.attr}')"

    # -- strings and numbers

    def _constant(self, node: ast.Constant) -> str:
        if node.value is None:
            return "null"
        if isinstance(node.value, (bool, str, int, float)):
            return json.dumps(node.value, ensure_ascii=False)
        raise self.fail(node, f"the constant {node.value!r} is not translated")

    def _joinedstr(self, node: ast.JoinedStr) -> str:
        parts = [
            json.dumps(one.value, ensure_ascii=False) if isinstance(one, ast.Constant) else self.expression(one)
            for one in node.values
        ]
        return "(" + " + ".join(['""', *parts]) + ")"

    def _formattedvalue(self, node: ast.FormattedValue) -> str:
        meaning = self.meaning(node.value)
        if meaning is not None and meaning.kind == "value" and node.format_spec is None and node.conversion < 0:
            # A number is written like in Python: 10.0 is not 10.
            constant = module(meaning.module).value(meaning.name)
            if isinstance(constant, float):
                return json.dumps(str(constant))
        value = self.expression(node.value)
        if node.conversion == ord("r"):
            value = f"$.repr({value})"
        return (
            f"$.text({value})"
            if node.format_spec is None
            else (f"$.format({value}, {self.expression(node.format_spec)})")
        )

    # -- operators

    def _binop(self, node: ast.BinOp) -> str:
        left, right = self.expression(node.left), self.expression(node.right)
        numbers = [one for one in (node.left, node.right) if isinstance(one, ast.Constant)]
        # In Python, strings and lists can also be multiplied by a number.
        if any(isinstance(one.value, (int, float)) for one in numbers) and type(node.op) in _NATIVE:
            return f"({left} {_NATIVE[type(node.op)]} {right})"
        return f"$.{_OPERATORS[type(node.op)]}({left}, {right})"

    def _unaryop(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return self.test(node)
        sign = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}[type(node.op)]
        return f"({sign}{self.expression(node.operand)})"

    def _boolop(self, node: ast.BoolOp) -> str:
        name = "and" if isinstance(node.op, ast.And) else "or"
        first, *others = node.values
        said = self.expression(first)
        for one in others:
            said = f"$.{name}({said}, () => {self._as_result(one)})"
        return said

    def _compare(self, node: ast.Compare) -> str:
        values = [node.left, *node.comparators]
        parts = [self._compared(operator, values[k], values[k + 1]) for k, operator in enumerate(node.ops)]
        return parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"

    def _compared(self, operator: ast.cmpop, left: ast.expr, right: ast.expr) -> str:
        one, other = self.expression(left), self.expression(right)
        match operator:
            case ast.Is():
                return f"{one} === {other}"
            case ast.IsNot():
                return f"{one} !== {other}"
            case ast.In():
                return f"$.contains({other}, {one})"
            case ast.NotIn():
                return f"!$.contains({other}, {one})"
        return f"$.{_COMPARED[type(operator)]}({one}, {other})"

    def _ifexp(self, node: ast.IfExp) -> str:
        return f"({self.test(node.test)} ? {self.expression(node.body)} : {self.expression(node.orelse)})"

    def _namedexpr(self, node: ast.NamedExpr) -> str:
        return f"({script_name(node.target.id)} = {self.expression(node.value)})"

    # -- calls

    def _call(self, node: ast.Call) -> str:
        given = self.all_of(node.args)
        keywords = self._keywords(node.keywords)
        function, meaning = node.func, self.meaning(node.func)
        if meaning is not None and meaning.module == "builtins.super":
            return "super"
        if meaning is not None and (meaning.module, meaning.kind) == ("typing.cast", "foreign"):
            return self.expression(node.args[1])
        if meaning is None and isinstance(function, ast.Attribute):
            return self._method_call(function, given, keywords)
        called = self.expression(function)
        if meaning is not None and meaning.kind == "class":
            return f"$.make({called}, [{given}]{keywords and f', {keywords}'})"
        if keywords:
            return f"$.call({called}, [{given}], {keywords})"
        return f"$.run({called}, [{given}])" if meaning is None else f"{called}({given})"

    def _method_call(self, function: ast.Attribute, given: str, keywords: str) -> str:
        self._note(function.attr)
        of, name = self.expression(function.value), function.attr
        if of == "super":
            return f"super.{name}({given})" if not keywords else f"super.{name}({given}, new $.Keywords({keywords}))"
        if name in METHODS or keywords:
            return f"$.call_method({of}, {json.dumps(name)}, [{given}]{keywords and f', {keywords}'})"
        return f"{of}.{name}({given})"

    def _keywords(self, keywords: Sequence[ast.keyword]) -> str:
        if not keywords:
            return ""
        parts = [
            f"...$.plain_keys({self.expression(one.value)})"
            if one.arg is None
            else f"{json.dumps(one.arg)}: {self.expression(one.value)}"
            for one in keywords
        ]
        return f"{{ {', '.join(parts)} }}"

    def _starred(self, node: ast.Starred) -> str:
        return f"...{self.expression(node.value)}"

    def _lambda(self, node: ast.Lambda) -> str:
        with self.scope(parameters(node.args)):
            body = self._as_result(node.body)
        return f"(({self.parameter_list(node.args)}) => {body})"

    def _as_result(self, node: ast.expr) -> str:
        """Translate the result of an arrow function."""
        said = self.expression(node)
        return f"({said})" if said.startswith("{") else said

    def parameter_list(self, arguments: ast.arguments, skipped: int = 0) -> str:
        """Translate parameters that can all be given by position."""
        named = [*arguments.posonlyargs, *arguments.args]
        values = [None] * (len(named) - len(arguments.defaults)) + list(arguments.defaults)
        said = [
            script_name(one.arg) + (f" = {self.expression(value)}" if value is not None else "")
            for one, value in zip(named, values, strict=True)
        ]
        said += [f"...{script_name(arguments.vararg.arg)}"] if arguments.vararg else []
        return ", ".join(said[skipped:])

    # -- collections

    def _list(self, node: ast.List | ast.Tuple) -> str:
        return f"[{self.all_of(node.elts)}]"

    _tuple = _list

    def _set(self, node: ast.Set) -> str:
        return f"$.set([{self.all_of(node.elts)}])"

    def _dict(self, node: ast.Dict) -> str:
        entries = [
            f"...$.entries_of({self.expression(value)})"
            if key is None
            else f"[{self.expression(key)}, {self.expression(value)}]"
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return f"new $.Dict([{', '.join(entries)}])"

    def _subscript(self, node: ast.Subscript) -> str:
        meaning = self.meaning(node.value)
        if meaning is not None and meaning.kind in ("foreign", "class"):  # ``Counter[str]``
            return self.expression(node.value)
        return self._part(self.expression(node.value), node.slice)

    def _part(self, of: str, key: ast.expr) -> str:
        match key:
            case ast.Slice(lower=lower, upper=upper, step=step):
                ends = [self.expression(one) if one else "null" for one in (lower, upper)]
                return f"$.slice({', '.join([of, *ends, *([self.expression(step)] if step else [])])})"
            case ast.Tuple(elts=[*before, ast.Slice() as last]):
                return self._part(f"$.item({of}, [{self.all_of(before)}])", last)
        return f"$.item({of}, {self.expression(key)})"

    def _listcomp(self, node: ast.ListComp) -> str:
        return f"[...{self._generated(node.elt, node.generators)}]"

    def _setcomp(self, node: ast.SetComp) -> str:
        return f"$.set({self._generated(node.elt, node.generators)})"

    def _generatorexp(self, node: ast.GeneratorExp) -> str:
        return self._generated(node.elt, node.generators)

    def _dictcomp(self, node: ast.DictComp) -> str:
        entry = ast.Tuple(elts=[node.key, node.value], ctx=ast.Load())
        return f"new $.Dict({self._generated(entry, node.generators)})"

    def _generated(self, element: ast.expr, generators: Sequence[ast.comprehension]) -> str:
        names = [one.id for g in generators for one in ast.walk(g.target) if isinstance(one, ast.Name)]
        # The first iterable is evaluated outside, where a variable of the same name may exist.
        first = self.expression(generators[0].iter)
        with self.scope(names):
            loops = ""
            for k, one in enumerate(generators):
                over = "$first" if k == 0 else self.expression(one.iter)
                loops += f"for (const {self.expression(one.target)} of {over}) "
                loops += "".join(f"if ({self.test(condition)}) " for condition in one.ifs)
            return f"(function* ($first) {{ {loops}yield {self.expression(element)}; }})({first})"

    def _yield(self, node: ast.Yield) -> str:
        return f"(yield {self.expression(node.value) if node.value else 'null'})"

    def _yieldfrom(self, node: ast.YieldFrom) -> str:
        return f"(yield* {self.expression(node.value)})"
