"""The README's Python runs as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from romans_env import romans_go_home_v0

README = Path(__file__).resolve().parents[1] / "README.md"
SNIPPETS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_snippets_run(number):
    names = {"np": np, "env": romans_go_home_v0.env()}
    exec(compile(SNIPPETS[number], f"README snippet {number}", "exec"), names)
    assert len(names) > 3
