"""A game offers what loops call, by the names and arguments of the types, and nothing else; the evaluator lists it."""

import ast
import inspect
from pathlib import Path
from typing import get_type_hints

import pytest

from romans_agents.loops import agent_loops, no_players, search_loops, uniform_evaluator
from romans_env.core.parts import Evaluator, Players
from romans_env.core.python_step import PythonStep
from romans_env.engine import batch_loops
from romans_env.engine.step_functions import StepFunctions
from tests.harness import each_game

ROOT = Path(__file__).resolve().parents[2]
TYPES = {"game": StepFunctions, "players": Players, "evaluator": Evaluator}
"""What a template may call, by the names of its parts."""
TEMPLATES = [
    path for folder in ("romans_env/engine", "agents/romans_agents/loops") for path in (ROOT / folder).glob("*.py")
]


def functions_of(part, *own):
    """The arguments of the functions of a class or module that come from the modules ``own``, by name."""
    found = {name: getattr(value, "py_func", value) for name, value in inspect.getmembers(part) if name[0] != "_"}
    return {
        name: [argument for argument in inspect.signature(function).parameters if argument != "self"]
        for name, function in found.items()
        if inspect.isfunction(function) and function.__module__.startswith(own)
    }


def check(protocol, part, *own):
    assert functions_of(part, *own) == functions_of(protocol, protocol.__module__)
    assert [name for name in get_type_hints(protocol) if not hasattr(part, name)] == []


@each_game
def test_a_game_offers_the_steps_that_loops_call_and_no_others(game):
    if not game.is_compiled:
        made, asked = (functions_of(part, part.__module__) for part in (PythonStep, StepFunctions))
        assert made == {name: asked[name] for name in made}
    else:
        step = game.spec.part("step")
        check(StepFunctions, step, step.__package__, "romans_env.engine.rule_steps")


@each_game
def test_a_game_offers_the_compiled_agents_and_the_evaluator_that_loops_call(game):
    players, evaluator = game.spec.part("players"), game.spec.part("evaluator") or uniform_evaluator
    check(Players, players, players.__name__, no_players.__name__)
    check(Evaluator, evaluator, evaluator.__name__, uniform_evaluator.__name__)


INTERPRETED = [batch_loops, agent_loops, search_loops, uniform_evaluator]
"""The templates that play games without step functions, too, over `PythonStep`."""


@pytest.mark.parametrize("template", INTERPRETED, ids=lambda template: template.__name__.rpartition(".")[2])
def test_a_template_for_every_game_calls_only_steps_that_are_made_of_any_rules(template):
    tree = ast.parse(Path(template.__file__).read_text(encoding="utf-8"))
    called = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "game"
    }
    assert called
    assert called <= {*functions_of(PythonStep, PythonStep.__module__)}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_a_template_calls_nothing_that_no_type_names(path):
    called = [
        (node.value.id, node.attr)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in TYPES
    ]
    asked = {part: {*functions_of(kind, kind.__module__), *get_type_hints(kind)} for part, kind in TYPES.items()}
    assert [(part, name) for part, name in called if name not in asked[part]] == []


def test_the_page_about_a_new_game_lists_them():
    lines = []
    for protocol in TYPES.values():
        functions = functions_of(protocol, protocol.__module__)
        for part in reversed(protocol.__mro__):
            for name in filter(functions.get, vars(part)):
                says = " ".join(inspect.getdoc(vars(part)[name]).split())
                lines.append(f"| `{name}({', '.join(functions[name])})` | {says.replace('``', '`')} |")
    page = (ROOT / "docs" / "project" / "adding_a_game.md").read_text(encoding="utf-8")
    speed = page.partition("\n## 3.")[2].partition("\n## 4.")[0]
    assert [line for line in speed.splitlines() if line.startswith("| `")] == lines, "\n".join(lines)
