"""Each file of tests can be run, and changed, alone; and the code does not grow without a word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
WHEEL = ("romans_env", "agents/romans_agents", "training/romans_training")


def test_no_test_imports_another():
    found = [
        f"{path.relative_to(TESTS)}: {line}"
        for path in TESTS.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"(from|import) +(tests\.(\w+\.)*|\.+)test_", line)
    ]
    assert found == []


@pytest.mark.parametrize(("folders", "most"), [(WHEEL, 55_650), (("tests",), 39_050)], ids=["wheel", "tests"])
def test_lines_of_python_stay_within_their_budget(folders, most):
    files = (path for folder in folders for path in (TESTS.parent / folder).rglob("*.py"))
    lines = sum(len(path.read_bytes().splitlines()) for path in files)
    assert lines <= most, (
        f"{lines - most} lines too many: what goes over must name what goes out; {most} only goes down"
    )
