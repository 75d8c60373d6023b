"""Editors and type checkers know the fields of a record in every rule."""

import ast
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = runpy.run_path(str(ROOT / "docs" / "scripts" / "make_state_types.py"))
each_package = pytest.mark.parametrize("game", SCRIPT["GAMES"])


@each_package
def test_the_type_of_a_record_has_the_fields_of_its_dtype(game):
    assert SCRIPT["path_of"](game).read_text("utf-8") == SCRIPT["source"](game), (
        "run: python docs/scripts/make_state_types.py"
    )


@each_package
def test_every_rule_says_the_type_of_the_record_that_it_is_given(game):
    parameters = [
        (path.name, function.name, argument)
        for path in (ROOT / "romans_env" / game).glob("*.py")
        for function in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(function, ast.FunctionDef)
        for argument in function.args.args
        if argument.arg in ("state", "states")
    ]
    assert len(parameters) > 50
    assert [
        (file, function)
        for file, function, argument in parameters
        if argument.annotation is None or "State" not in ast.unparse(argument.annotation)
    ] == []
