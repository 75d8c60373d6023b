"""Whole games of Struggle for Rome, pinned as text (``python -m tests.struggle.golden.regenerate`` rewrites)."""

import json

import pytest

from tests.golden import played_on
from tests.struggle.golden.regenerate import FOLDER, GAMES, transcript
from tests.struggle.stages import new_game


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_transcript_is_as_pinned_and_a_whole_game(path):
    text = path.read_text(encoding="utf-8")
    assert GAMES[path]() == text
    # From the text alone, without the seed: table, outcomes and actions are a whole game.
    table, outcomes = (json.loads(line.split(maxsplit=2)[2]) for line in text.splitlines()[:2])
    game = played_on(new_game(outcomes=outcomes, **table), text)
    assert game.is_over and transcript(game) == text


def test_there_are_no_other_transcripts():
    assert set(FOLDER.glob("*.txt")) == set(GAMES)
