"""``romans check-game``, as docs/project/adding_a_game.md has it."""

from pathlib import Path

import pytest

from romans_env import load_record
from tests.toy.in_a_file import write_game

SPECS = """
from romans_env import GameSpec

class Empty(DiceRace):
    def legal_actions(self, states, i):
        return [] if states["turn"][i] == 3 else super().legal_actions(states, i)

SPEC = GameSpec(name="dice-race", title="Dice Race", rules=DiceRace)
EMPTY = GameSpec(name="dice-race", title="Dice Race", rules=Empty)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, own_games):
    monkeypatch.chdir(tmp_path)
    write_game(SPECS)


def test_a_game_without_faults_passes(called):
    status, out, err = called("check-game", "my_game.py:SPEC", "--games", "1", "--setup", "turns=3")
    assert status == 0 and "Dice Race (3 turns) passes 24 checks." in out, err
    assert "hides these fields of the state from some seat: bonus." in " ".join(out.split())
    assert [path.name for path in Path().iterdir()] == ["my_game.py"]


def test_a_fault_is_one_line_with_a_record(called):
    status, out, _ = called("check-game", "my_game.py:EMPTY")
    line, rest = out.splitlines()
    path = "check-game/dice-race-legal-actions.json"
    assert status == 1 and rest == "1 of 24 checks found something"
    assert line == (
        "legal actions: no action is legal, and the game goes on: player_1 must decide 'name' (seed 0, decision 3); "
        f"record: {path}"
    )
    assert len(load_record(path)["actions"]) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("my_game.py:NIX",), "say which game of my_game.py is meant"),
        (("chess",), "unknown game 'chess'"),
        (("my_game.py:SPEC", "--setup", "turns=0"), "a dice race has 2 players and 1 to 100 turns"),
        (("my_game.py:SPEC", "--games", "0"), "0 is not in the range"),
        (("my_game.py:SPEC", "--folder", "my_game.py"), "my_game.py"),
    ],
)
def test_mistakes_are_one_line(words, message, called):
    status, out, err = called("check-game", *words)
    assert status and message in f"{status} {err}" and "Traceback" not in err and not out
