"""Translates Python statements to JavaScript: functions, and the methods of classes."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence

from translating.expressions import Expressions
from translating.scopes import is_generator, parameters, script_name, variables

_AUGMENTED = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.BitOr: "update"}


class Statements(Expressions):
    """Translates the functions of a module."""

    def function(self, node: ast.FunctionDef, as_method: bool = False) -> str:
        """Translate a function, or a method, whose first parameter becomes ``this``."""
        arguments, is_full = node.args, bool(node.args.kwonlyargs or node.args.kwarg)
        with self.scope([*parameters(arguments), *variables(node)]):
            given = "...$given" if is_full else self.parameter_list(arguments, int(as_method))
            lines = []
            if as_method:
                first = script_name(arguments.args[0].arg)
                lines.append(f"const {first} = this;")
            if is_full:
                names = [script_name(name) for name in parameters(arguments)[int(as_method) :]]
                lines.append(f"let [{', '.join(names)}] = $.bound({self.signature(node, int(as_method))}, $given);")
            own = [script_name(name) for name in variables(node)]
            lines += [f"let {', '.join(own)};"] if own else []
            lines += self.body(node.body)
        text = "\n".join(lines)
        star = "*" if is_generator(node) else ""
        return f"{star}{'' if as_method else script_name(node.name)}({given}) {{\n{text}\n}}"

    def signature(self, node: ast.FunctionDef, skipped: int) -> str:
        """Return the description of parameters that need more than positions, such as keyword-only ones."""
        arguments = node.args
        positional = [one.arg for one in (*arguments.posonlyargs, *arguments.args)][skipped:]
        defaults = dict(zip(positional[::-1], arguments.defaults[::-1], strict=False))
        only = [one.arg for one in arguments.kwonlyargs]
        defaults |= {name: value for name, value in zip(only, arguments.kw_defaults, strict=True) if value is not None}
        values = ", ".join(f"{json.dumps(name)}: () => {self._as_result(value)}" for name, value in defaults.items())
        flags = f"star: {json.dumps(bool(arguments.vararg))}, rest: {json.dumps(bool(arguments.kwarg))}"
        return f"{{ names: {json.dumps(positional)}, only: {json.dumps(only)}, {flags}, defaults: {{ {values} }} }}"

    def body(self, statements: Sequence[ast.stmt]) -> list[str]:
        """Translate statements to lines of JavaScript."""
        return [line for one in statements for line in self._statement(one)]

    def _statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Return(value=value):
                return ["return null;" if value is None else f"return {self.expression(value)};"]
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Assert() | ast.Nonlocal():
                return []
            case ast.Expr(value=value):
                return [f"{self.expression(value)};"]
            case ast.Assign(targets=targets, value=value):
                return self._assigned(targets, self.expression(value))
            case ast.AnnAssign(target=target, value=value):
                return [] if value is None else self._assigned([target], self.expression(value))
            case ast.AugAssign():
                return self._augmented(node)
            case ast.If(test=test, body=body, orelse=orelse):
                otherwise = ["} else {", *self.body(orelse)] if orelse else []
                return [f"if ({self.test(test)}) {{", *self.body(body), *otherwise, "}"]
            case ast.While(test=test, body=body, orelse=[]):
                return [f"while ({self.test(test)}) {{", *self.body(body), "}"]
            case ast.For(target=target, iter=over, body=body, orelse=[]):
                lines = self._assigned([target], "$one")
                return [f"for (const $one of {self.expression(over)}) {{", *lines, *self.body(body), "}"]
            case ast.Break():
                return ["break;"]
            case ast.Continue():
                return ["continue;"]
            case ast.FunctionDef():
                name = script_name(node.name)
                star = "*" if is_generator(node) else ""
                said = self.function(node).removeprefix("*")
                return [f"{name} = function{star} {said};", f"{name}.params = {self.names_of(node)};"]
            case ast.Raise(exc=error) if error is not None:
                return [f"throw {self.expression(error)};"]
            case ast.Match(subject=subject, cases=cases):
                return self._match(subject, cases)
        raise self.fail(node, f"{type(node).__name__} is not translated")

    def names_of(self, node: ast.FunctionDef, skipped: int = 0) -> str:
        """Return the JavaScript names of parameters; null if the function binds them itself."""
        if node.args.kwonlyargs or node.args.kwarg or node.args.vararg:
            return "null"
        return json.dumps(parameters(node.args)[skipped:])

    def _assigned(self, targets: Sequence[ast.expr], value: str) -> list[str]:
        if len(targets) > 1:
            lines = [f"$several = {value};"]
            several = [line for one in targets for line in self._assigned([one], "$several")]
            return ["{", "let $several;", *lines, *several, "}"]
        (target,) = targets
        match target:
            case ast.Subscript(value=of, slice=key):
                return [f"$.set_item({self.expression(of)}, {self.expression(key)}, {value});"]
            case ast.Tuple() | ast.List():
                return self._unpacked(target, value)
        return [f"{self.expression(target)} = {value};"]

    def _unpacked(self, target: ast.Tuple | ast.List, value: str) -> list[str]:
        """Translate an assignment to several targets; JavaScript allows a starred target only at the end."""
        stars = [k for k, one in enumerate(target.elts) if isinstance(one, ast.Starred)]
        if stars and stars[0] < len(target.elts) - 1:
            before, after = stars[0], len(target.elts) - 1 - stars[0]
            value = f"$.gathered({value}, {before}, {after})"
            elements = [one.value if isinstance(one, ast.Starred) else one for one in target.elts]
            target = ast.Tuple(elts=elements, ctx=ast.Store())
        if any(isinstance(one, ast.Subscript) for one in target.elts):
            lines = [line for k, one in enumerate(target.elts) for line in self._assigned([one], f"$parts[{k}]")]
            return ["{", f"const $parts = [...{value}];", *lines, "}"]
        return [f"{self.expression(target)} = {value};"]

    def _augmented(self, node: ast.AugAssign) -> list[str]:
        value, name = self.expression(node.value), _AUGMENTED.get(type(node.op))
        if name is None:
            raise self.fail(node, "this assignment is not translated")
        if isinstance(node.target, ast.Subscript):
            of, key = self.expression(node.target.value), self.expression(node.target.slice)
            return [
                f"{{ const $of = {of}, $key = {key}; $.set_item($of, $key, $.{name}($.item($of, $key), {value})); }}"
            ]
        if isinstance(node.target, ast.Attribute):
            before = self.expression(ast.Attribute(node.target.value, node.target.attr, ast.Load()))
            return [f"{self.expression(node.target)} = $.{name}({before}, {value});"]
        target = self.expression(node.target)
        return [f"{target} = $.{name}({target}, {value});"]

    def _match(self, subject: ast.expr, cases: Sequence[ast.match_case]) -> list[str]:
        lines = ["{", f"const $subject = {self.expression(subject)};"]
        for k, one in enumerate(cases):
            test = self._pattern(one.pattern)
            lines += [f"{'else ' if k else ''}if ({test}) {{", *self.body(one.body), "}"]
        return [*lines, "}"]

    def _pattern(self, pattern: ast.pattern) -> str:
        match pattern:
            case ast.MatchValue(value=value):
                return f"$.eq($subject, {self.expression(value)})"
            case ast.MatchOr(patterns=patterns):
                return " || ".join(map(self._pattern, patterns))
            case ast.MatchAs(pattern=None, name=None):
                return "true"
        raise self.fail(pattern, "this pattern is not translated")
