"""The recorded session has a screen for every command, of 80 columns."""

import re
from pathlib import Path

SESSION = (Path(__file__).resolve().parents[3] / "docs" / "start" / "session.md").read_text(encoding="utf-8")
SCREENS = re.findall(r"```text\n(.*?)```", SESSION, flags=re.DOTALL)


def test_every_command_has_its_screen():
    commands = re.findall(r"^## `romans (\w+)", SESSION, flags=re.MULTILINE)
    assert {"evaluate", "tournament", "exploit", "train"} <= set(commands)
    assert len(SCREENS) >= len(commands)


def test_nothing_is_wider_than_the_terminal():
    assert max(len(line) for screen in SCREENS for line in screen.splitlines()) <= 80
