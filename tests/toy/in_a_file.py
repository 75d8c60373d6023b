"""The toy game as a file of somebody's own: `my_game.py` in the working directory."""

from pathlib import Path

from tests.toy import rules

FILE = Path("my_game.py")


def write_game(spec: str, turns: int = rules.TURNS) -> None:
    """Write the rules, and below them the text that makes the spec."""
    text = Path(rules.__file__).read_text(encoding="utf-8").replace(f"TURNS = {rules.TURNS}", f"TURNS = {turns}")
    FILE.write_text(text + spec, encoding="utf-8")
