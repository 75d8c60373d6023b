"""The README's Python runs as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agents import registry

README = Path(__file__).resolve().parents[1] / "README.md"
SNIPPETS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_snippets_run(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))
    exec(compile(SNIPPETS[number], f"README snippet {number}", "exec"), {"__name__": "readme"})
