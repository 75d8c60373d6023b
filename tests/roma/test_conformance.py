"""Recorded games of an independent implementation of the rules, played in lockstep through ``raw_env()``.

These are half of 200; tests/release/test_conformance.py has the others.
"""

import pytest

from romans_env import roma_v0
from tests.tools import play_in_lockstep, recorded_games


@pytest.mark.parametrize("part", range(0, 10, 2))
def test_recorded_games_are_played_alike(part):
    games = recorded_games("roma", part, 10)
    assert len(games) == 20 and all("position" in step for game in games for step in game["steps"])
    for game in games:
        play_in_lockstep(roma_v0.raw_env(), game, {"outcomes": game["outcomes"]})
