"""The page about Roma's actions and observations is what the code makes."""

from __future__ import annotations

import runpy
from pathlib import Path

from romans_env.roma.actions import BLOCKS, NUM_ACTIONS
from romans_env.roma.observation import OBSERVATION_HIGH, OBSERVATION_SIZE, SLICE_BY_NAME, SLICES

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_is_what_the_code_makes():
    script = runpy.run_path(str(DOCS / "make_encoding.py"))
    page = script["ROMA_PAGE"].read_text(encoding="utf-8")
    assert page == script["roma_page"](), "run: python docs/make_encoding.py"


def test_slices_and_blocks_are_in_order_without_gaps():
    assert [row.start for row in SLICES] == [0, *(row.stop for row in SLICES[:-1])]
    assert SLICES[-1].stop == OBSERVATION_SIZE == OBSERVATION_HIGH.size
    assert len(SLICE_BY_NAME) == len(SLICES)
    assert [block.first for block in BLOCKS[1:]] == [block.first + len(block.choices) for block in BLOCKS[:-1]]
    assert BLOCKS[-1].first + len(BLOCKS[-1].choices) == NUM_ACTIONS
