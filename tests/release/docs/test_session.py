"""The recorded session is what a terminal of 80 columns shows, and no word in it is broken."""

import itertools
import re
from pathlib import Path

SESSION = (Path(__file__).resolve().parents[3] / "docs" / "session.md").read_text(encoding="utf-8")
SCREENS = re.findall(r"```text\n(.*?)```", SESSION, flags=re.DOTALL)


def test_every_command_has_its_screen():
    commands = re.findall(r"^## `romans (\w+)", SESSION, flags=re.MULTILINE)
    assert {"agents", "evaluate", "tournament", "exploit", "train"} <= set(commands)
    assert len(SCREENS) >= len(commands)


def test_no_word_is_broken():
    for screen in SCREENS:
        lines = screen.splitlines()
        assert max(map(len, lines)) <= 80
        for line, after in itertools.pairwise(lines):
            assert not (len(line) == 80 and re.search(r"\w$", line) and re.match(r"\w", after)), line
