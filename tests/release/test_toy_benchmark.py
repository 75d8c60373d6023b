"""The speed of the toy game is measured as that of any game."""

import pytest
from click.testing import CliRunner

from benchmarks.speed.__main__ import PARTS, main
from tests.toy.dice_race_v0 import SPEC

pytestmark = pytest.mark.usefixtures("toy")


@pytest.mark.parametrize(("part", "count"), [("engine", 6), ("aec", 4), ("vector", 5)])
def test_every_case_makes_steps(part, count):
    cases = [case for case in PARTS[part](SPEC) if not case.is_baseline]
    assert len(cases) == count
    for case in cases:
        assert case.prepare()() > 0, case.name


def test_the_command_takes_the_game(tmp_path):
    arguments = ["engine", "--game", "dice-race", "--only", "10 turns, N = 1", "--runs", "1", "--seconds", "0.01"]
    done = CliRunner().invoke(main, [*arguments, "--json", str(tmp_path / "speed.json")], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    assert "batch 10 turns, N = 1" in done.stdout
    assert '"game": "dice-race"' in (tmp_path / "speed.json").read_text()
