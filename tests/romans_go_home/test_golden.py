"""Whole games of every table and variant as pinned text (``python -m tests.romans_go_home.golden.regenerate``)."""

import json

import pytest

from tests.romans_go_home.golden.regenerate import FOLDER, cases, golden_text, text_of
from tests.romans_go_home.stages import new_game

CASES = [pytest.param(*case, id=case[0].stem) for case in cases()]


@pytest.mark.parametrize(("path", "table", "seed"), CASES)
def test_the_transcript_is_as_pinned_and_a_whole_game(path, table, seed):
    text = path.read_text(encoding="utf-8")
    assert golden_text(table, seed) == text
    # From the header alone, without the seed: a deal and the actions are a whole game (RULES 2.3).
    header = dict(line[2:].split(" ", 1) for line in text.splitlines() if line.startswith("# "))
    game = new_game(tuple(json.loads(header["table"]).values()), deal=json.loads(header["deal"]))
    for entry in json.loads(header["actions"]):
        player, action = entry.split()
        assert game.agent_to_act == player
        game.act(action)
    assert game.is_over
    assert text_of(game, seed) == text


def test_no_other_transcripts_lie_about():
    assert sorted(FOLDER.glob("*.txt")) == sorted(path for path, *_ in cases())
