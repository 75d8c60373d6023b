"""Whole games of Roma, pinned as text (``python -m tests.roma.golden.regenerate`` rewrites)."""

import json

import pytest

from tests.roma.golden.regenerate import FOLDER, SEEDS, TEXTS, golden_text, path_of, transcript
from tests.roma.stages import new_game


@pytest.mark.parametrize("seed", SEEDS)
def test_the_transcript_is_as_pinned(seed):
    assert golden_text(seed) == path_of(seed).read_text(encoding="utf-8")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_transcript_is_a_whole_game(seed):
    # From the text alone, without the seed: outcomes and actions are a whole game.
    text = path_of(seed).read_text(encoding="utf-8")
    game = new_game(outcomes=json.loads(text.splitlines()[0].removeprefix("# outcomes ")))
    for line in text.splitlines():
        if line.startswith("  > "):
            game.act(line.removeprefix("  > "))
    assert game.is_over and transcript(game) == text


def test_there_are_no_other_transcripts():
    assert sorted(FOLDER.glob("*.txt")) == sorted([*map(path_of, SEEDS), *(FOLDER / name for name in TEXTS)])
