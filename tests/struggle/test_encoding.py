"""The page about the actions and observations of Struggle for Rome is what the code makes."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from romans_env.struggle import StruggleForRome, StruggleSetup
from tests.struggle.boards import small_board
from tests.struggle.stages import FOUR, THREE

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_is_what_the_code_makes():
    script = runpy.run_path(str(DOCS / "make_encoding.py"))
    page = script["STRUGGLE_PAGE"].read_text(encoding="utf-8")
    assert page == script["struggle_page"](), "run: python docs/make_encoding.py"


@pytest.mark.parametrize("board", [None, small_board()], ids=["stand-in", "small"])
def test_slices_and_blocks_are_in_order_without_gaps(board):
    rules = StruggleForRome(StruggleSetup(board=board))
    slices, blocks = rules.slices, rules.blocks
    assert [row.start for row in slices] == [0, *(row.stop for row in slices[:-1])]
    assert slices[-1].stop == rules.observation_size == rules.observation_high.size
    assert len({row.name for row in slices}) == len(slices)
    assert [block.first for block in blocks[1:]] == [block.first + len(block.choices) for block in blocks[:-1]]
    assert blocks[-1].first + len(blocks[-1].choices) == rules.num_actions
    # STRUGGLE 8.2.
    assert rules.num_actions == 186 + len(rules.board.hexes) + len(rules.board.crossroads)


def test_three_and_four_players_have_the_same_layout():
    assert THREE.slices == FOUR.slices and THREE.action_names == FOUR.action_names
