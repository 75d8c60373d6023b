"""Whole games as pinned text (``python -m tests.GAME.golden.regenerate`` rewrites those of a game)."""

import pytest

from tests.roma.golden import regenerate as of_roma
from tests.romans_go_home.golden import regenerate as of_romans_go_home
from tests.struggle.golden import regenerate as of_struggle

FOLDERS = (of_romans_go_home, of_roma, of_struggle)
GAMES = [(module, path) for module in FOLDERS for path in module.GAMES]


@pytest.mark.parametrize(("module", "path"), [pytest.param(*of, id="-".join(of[1].parts[-3:])) for of in GAMES])
def test_the_transcript_is_as_pinned_and_a_whole_game(module, path):
    text = path.read_text(encoding="utf-8")
    assert module.GAMES[path]() == text
    # From the text alone, without the seed: table, chance and actions are a whole game.
    game = module.played_again(text)
    assert game.is_over and module.transcript(game) == text


@pytest.mark.parametrize("module", FOLDERS)
def test_there_are_no_other_transcripts(module):
    assert set(module.FOLDER.glob("*.txt")) == {*module.GAMES, *getattr(module, "TEXTS", ())}
