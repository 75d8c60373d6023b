"""Recorded games of an independent implementation of the rules, played in lockstep through ``raw_env()``.

These are 36 of 66; tests/release/test_conformance.py has the others.
"""

import pytest

from romans_env import struggle_v0
from romans_env.struggle import load_board
from tests.tools import digest_of, play_in_lockstep, recorded_games

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("part", range(0, 11, 2))
def test_recorded_games_are_played_alike(part):
    games = recorded_games("struggle", part, 11)
    assert len(games) == 6
    for game in games:
        assert game["board"] == digest_of(load_board().as_json())
        play_in_lockstep(struggle_v0.raw_env(**game["table"]), game, game["deal"])
