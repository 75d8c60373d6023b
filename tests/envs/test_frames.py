"""Frames have an even height and width, which video codecs ask for, and warn where there are none."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from romans_env import draw, roma_v0, romans_go_home_v0
from tests.romans_go_home.stages import COVERING


@pytest.mark.parametrize(
    "make", [*(partial(romans_go_home_v0.raw_env, *table) for table in COVERING[:5]), roma_v0.raw_env]
)
def test_frames_are_even(make):
    env = make(render_mode="rgb_array")
    env.reset(seed=1)
    frame = env.render()
    height, width, colours = frame.shape
    assert (height % 2, width % 2, colours, frame.dtype) == (0, 0, 3, np.uint8)
    pixels = draw(env.game).pixels()
    assert (frame[: pixels.shape[0], : pixels.shape[1]] == pixels).all()
    assert height - pixels.shape[0] <= 1


@pytest.mark.parametrize("make", [romans_go_home_v0.env, romans_go_home_v0.raw_env, roma_v0.env, roma_v0.single_env])
def test_render_without_a_mode_warns_and_prints_nothing(make, capsys):
    env = make()
    env.reset(seed=1)
    capsys.readouterr()
    with pytest.warns(UserWarning, match="without specifying any render mode"):
        assert env.render() is None
    assert capsys.readouterr().out == ""
