"""Observations and actions of every game are laid out in order, without gaps."""

import numpy as np
import pytest

from romans_env.engine.observation_layout import LARGEST_IN_PLAY
from romans_env.roma import actions as roma_actions
from romans_env.roma import observation as roma_observation
from romans_env.romans_go_home import actions, observation
from tests.harness import ROMA, ROMANS_GO_HOME, STRUGGLE
from tests.struggle.boards import small_board
from tests.struggle.stages import FOUR, THREE

STRUGGLE_SMALL = STRUGGLE.rules(board=small_board())


@pytest.mark.parametrize(
    ("rules", "slices", "blocks"),
    [
        pytest.param(ROMANS_GO_HOME.rules(), observation.SLICES, actions.BLOCKS, id="romans-go-home"),
        pytest.param(ROMA.rules(), roma_observation.SLICES, roma_actions.BLOCKS, id="roma"),
        pytest.param(FOUR, FOUR.slices, FOUR.blocks, id="struggle"),
        pytest.param(STRUGGLE_SMALL, STRUGGLE_SMALL.slices, STRUGGLE_SMALL.blocks, id="struggle-small-board"),
    ],
)
def test_slices_and_blocks_are_in_order_without_gaps(rules, slices, blocks):
    assert [row.start for row in slices] == [0, *(row.stop for row in slices[:-1])]
    assert slices[-1].stop == rules.observation_size == rules.observation_low.size == rules.observation_high.size
    assert len({row.name for row in slices}) == len(slices)
    for row in slices:
        low, high = (bounds[row.start : row.stop] for bounds in (rules.observation_low, rules.observation_high))
        assert row.size > 0 and row.meaning and (low < high).all()
        assert (low == np.ravel(row.low)).all() and (high == np.ravel(row.high)).all()
    assert [block.first for block in blocks[1:]] == [block.first + len(block.choices) for block in blocks[:-1]]
    assert blocks[-1].first + len(blocks[-1].choices) == rules.num_actions == len(rules.action_names)


@pytest.mark.parametrize(
    ("rules", "most"),
    [
        pytest.param(ROMANS_GO_HOME.rules(), 127, id="romans-go-home"),  # no entry grows far
        pytest.param(ROMA.rules(), LARGEST_IN_PLAY, id="roma"),
        pytest.param(FOUR, LARGEST_IN_PLAY, id="struggle"),
        pytest.param(STRUGGLE_SMALL, LARGEST_IN_PLAY, id="struggle-small-board"),
    ],
)
def test_entries_without_a_near_bound_are_scaled_by_what_is_large_in_play(rules, most):
    bounds = np.maximum(np.abs(rules.observation_low.astype(np.float64)), rules.observation_high)
    assert bounds.max() > 20 and rules.observation_scale.dtype == np.float32
    np.testing.assert_allclose(rules.observation_scale, 1 / np.clip(bounds, 1, most), rtol=1e-6)


def test_three_and_four_players_have_the_same_layout():
    assert THREE.slices == FOUR.slices and THREE.action_names == FOUR.action_names
    for rules in (FOUR, STRUGGLE_SMALL):  # STRUGGLE 8.2
        assert rules.num_actions == 186 + len(rules.board.hexes) + len(rules.board.crossroads)
