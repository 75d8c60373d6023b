"""Every numbered rule of the rulebook has a test that carries its number in its name (``test_4_6_...``)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

NUMBERS = """
    1.1 1.2 1.3
    2.1 2.2 2.3
    3.1 3.2
    4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.8.1 4.9 4.10 4.11 4.12 4.13 4.14
    5.1 5.2 5.3 5.4
    6.1 6.2 6.3 6.4
    7.1 7.2 7.3 7.4
    8.1 8.2
    9
"""
RULES = tuple(NUMBERS.split())


def numbers_with_tests() -> set[str]:
    numbers = set()
    for source in Path(__file__).parent.glob("test_section_*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            found = re.match(r"test((?:_\d+)+)_[a-z]", node.name) if isinstance(node, ast.FunctionDef) else None
            if found:
                numbers.add(found[1].strip("_").replace("_", "."))
    return numbers


def test_every_rule_has_a_test():
    assert sorted(set(RULES) - numbers_with_tests()) == []


def test_every_number_in_a_test_is_a_rule():
    assert sorted(numbers_with_tests() - set(RULES)) == []
