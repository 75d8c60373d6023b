"""Whole games of Roma, pinned as text (``python -m tests.roma.golden.regenerate`` rewrites)."""

import json

import pytest

from tests.golden import played_on
from tests.roma.golden.regenerate import FOLDER, GAMES, TEXTS, transcript
from tests.roma.stages import new_game


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_transcript_is_as_pinned_and_a_whole_game(path):
    text = path.read_text(encoding="utf-8")
    assert GAMES[path]() == text
    # From the text alone, without the seed: outcomes and actions are a whole game.
    game = played_on(new_game(outcomes=json.loads(text.splitlines()[0].removeprefix("# outcomes "))), text)
    assert game.is_over and transcript(game) == text


def test_there_are_no_other_transcripts():
    assert set(FOLDER.glob("*.txt")) == {*GAMES, *TEXTS}
