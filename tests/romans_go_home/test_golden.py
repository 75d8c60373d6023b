"""Whole games of every table and variant as pinned text (``python -m tests.romans_go_home.golden.regenerate``)."""

import json

import pytest

from tests.romans_go_home.golden.regenerate import FOLDER, cases, golden_text, text_of
from tests.romans_go_home.stages import new_game

CASES = [pytest.param(*case, id=case[0].stem) for case in cases()]


@pytest.mark.parametrize(("path", "table", "seed"), CASES)
def test_the_transcript_is_as_pinned(path, table, seed):
    assert golden_text(table, seed) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("path", "table", "seed"), CASES)
def test_a_transcript_stands_alone(path, table, seed):
    # From the header alone, without the seed: a deal and the actions are a whole game (RULES 2.3).
    text = path.read_text(encoding="utf-8")
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


def test_the_deal_of_a_seed_is_pinned():
    # A seed that deals other cards than before would silently change every published experiment.
    deal = new_game((2, 1, "standard"), seed=2024).deal()
    assert deal == PINNED


FORTS = (
    "dinary-3 dinary-4 unwary-2 dinary-6 dinary-3 dinary-4 dinary-1 legion-3 unwary-2 tax-8 signal-4 "
    "dinary-5 signal-4 dinary-1 legion-1 dinary-5 legion-2 legion-1"
)
CLANS = ("player_0", "player_1", "neutral_0")
HANDS = (
    "horsie qween filchy chariott druhid axx zvord",
    "archr filchy zvord chariott axx druhid qween",
    "druhid qween zvord chariott axx horsie",
    "chariott filchy qween horsie druhid chariott axx",
    "archr chariott zvord druhid chariott filchy horsie",
    "qween chariott horsie axx filchy chariott",
    "qween chariott axx filchy zvord chariott druhid",
    "chariott zvord archr horsie chariott qween axx",
    "chariott qween axx horsie zvord chariott",
)
PINNED = {
    "forts": FORTS.split(),
    "rounds": [dict(zip(CLANS, map(str.split, HANDS[k : k + 3]), strict=True)) for k in (0, 3, 6)],
}
