"""Each file of tests can be run, and changed, alone; and functions stay short."""

import ast
import re
from pathlib import Path

from tests.mutants import mutants

TESTS = Path(__file__).resolve().parent
WHEEL = ("romans_env", "agents/romans_agents", "training/romans_training", "serve/romans_serve")
BESIDE = ("benchmarks", "recipes", "examples")
LONG = {"run_learners", "_add_games"}
"""The functions with over 80 lines: none is added."""


def sources(folders):
    return [path for folder in folders for path in (TESTS.parent / folder).rglob("*.py")]


def test_no_test_imports_another():
    found = [
        f"{path.relative_to(TESTS)}: {line}"
        for path in TESTS.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"(from|import) +(tests\.(\w+\.)*|\.+)test_", line)
    ]
    assert found == []


def test_no_function_is_longer_than_a_screen_or_two():
    found = {
        node.name
        for path in sources((*WHEEL, *BESIDE, "tests"))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno - node.lineno >= 80
    }
    assert found <= LONG, f"shorten {', '.join(sorted(found - LONG))}: a function has 80 lines at most"


def test_what_import_linter_ignores_is_imported_for_editors_alone():
    games = ("roma", "romans_go_home", "struggle")
    found = [
        (path.name, node.module)
        for path in sources(("romans_env/engine", "agents/romans_agents/loops"))
        for node in ast.parse(path.read_bytes()).body
        if isinstance(node, ast.ImportFrom) and set(games) & set(node.module.split("."))
    ]
    assert found == []


def test_mutants_fit_the_code_and_name_tests_that_exist():
    named = {path.partition("::")[0] for mutant in mutants() for path in mutant.tests}
    assert [path for path in named if not (TESTS.parent / path).exists()] == []
