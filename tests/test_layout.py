"""What the tests share is in modules of its own, so that each file of tests can be run, and changed, alone."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parent


def test_no_test_imports_another():
    found = [
        f"{path.relative_to(TESTS)}: {line}"
        for path in TESTS.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"(from|import) +(tests\.(\w+\.)*|\.+)test_", line)
    ]
    assert found == []
