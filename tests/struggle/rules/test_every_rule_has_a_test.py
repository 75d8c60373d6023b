"""Every numbered rule of the rulebook has a test that carries its number in its name (``test_5_4_...``)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

NUMBERS = """
    1.1 1.2 1.3 1.4 1.5 1.6
    2.1 2.2 2.3 2.4 2.5
    3.1 3.2 3.3 3.4
    4.1 4.2 4.3 4.4
    5.1 5.2 5.3 5.4 5.5 5.6 5.7 5.8
    6.1 6.2 6.3 6.4 6.5
    7.1 7.2 7.3 7.4
    8.1 8.2
    9.1 9.2 9.3 9.4
    10.1 10.2
"""
RULES = tuple(NUMBERS.split())
RULEBOOK = Path(__file__).resolve().parents[3] / "docs" / "struggle_rules.md"


def numbers_with_tests() -> set[str]:
    numbers = set()
    for source in Path(__file__).parent.glob("test_section_*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            name = node.name if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") else ""
            leading = re.match(r"test_((?:\d+_\d+_)+)", name)
            if leading:
                numbers |= {found.replace("_", ".") for found in re.findall(r"\d+_\d+", leading[1])}
    return numbers


def test_every_rule_has_a_test():
    assert sorted(set(RULES) - numbers_with_tests()) == []


def test_every_number_in_a_test_is_a_rule():
    assert sorted(numbers_with_tests() - set(RULES)) == []


def test_the_rulebook_has_these_rules_and_no_others():
    text = RULEBOOK.read_text(encoding="utf-8")
    assert sorted(re.findall(r"\*\*(\d+\.\d+)\*\*", text)) == sorted(RULES)
