"""Every numbered rule of a rulebook has a test that carries its number in its name (``test_6_20_...``)."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
ROMANS_GO_HOME = """
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


def in_rulebook(name: str) -> list[str]:
    text = (TESTS.parent / "docs" / "environments" / f"{name}_rules.md").read_text(encoding="utf-8")
    return re.findall(r"\*\*(\d+\.\d+)\*\*", text)


def numbers_with_tests(game: str, number: str) -> set[str]:
    """The rules that tests are named after: one, or one after the other."""
    found = set()
    for source in (TESTS / game / "rules").glob("test_section_*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            name = re.match(r"test_((?:\d+_)+)[a-z]", node.name) if isinstance(node, ast.FunctionDef) else None
            if name:
                found |= {one.replace("_", ".") for one in re.findall(number, name[1].rstrip("_"))}
    return found


@pytest.mark.parametrize(
    ("game", "rules", "number"),
    [
        ("romans_go_home", ROMANS_GO_HOME.split(), ".+"),
        ("roma", in_rulebook("roma"), r"\d+_\d+"),
        ("struggle", in_rulebook("struggle"), r"\d+_\d+"),
    ],
    ids=["romans-go-home", "roma", "struggle"],
)
def test_every_rule_has_a_test_and_every_number_in_a_test_is_a_rule(game, rules, number):
    assert sorted(numbers_with_tests(game, number)) == sorted(rules)
    assert len(rules) >= 31
