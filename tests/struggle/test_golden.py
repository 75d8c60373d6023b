"""Whole games of Struggle for Rome, pinned as text (``python -m tests.struggle.golden.regenerate`` rewrites)."""

import json

import pytest

from tests.struggle.golden.regenerate import FOLDER, GAMES, golden_text, path_of, transcript
from tests.struggle.stages import new_game


@pytest.mark.parametrize("seed", GAMES)
def test_the_transcript_is_as_pinned(seed):
    assert golden_text(seed) == path_of(seed).read_text(encoding="utf-8")


@pytest.mark.parametrize("seed", GAMES)
def test_a_transcript_is_a_whole_game(seed):
    # From the text alone, without the seed: table, outcomes and actions are a whole game.
    text = path_of(seed).read_text(encoding="utf-8")
    table, outcomes = (json.loads(line.split(maxsplit=2)[2]) for line in text.splitlines()[:2])
    game = new_game(outcomes=outcomes, **table)
    for line in text.splitlines():
        if line.startswith("  > "):
            game.act(line.removeprefix("  > "))
    assert game.is_over and transcript(game) == text


def test_there_are_no_other_transcripts():
    assert sorted(FOLDER.glob("*.txt")) == sorted(map(path_of, GAMES))
